// Work of the server's own in the middle of a response: searches, code it has run, calls of its own tools. The
// reasoning around them is refused without them, so they are kept and go back unread, in their place.

import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { AssistantMediaPart } from "../../../contracts/message.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { receivedMedia } from "../../shared/received-media.js";
import { isLeftToHost } from "./host-calls.js";

/** Longest item that is kept; longer ones are dropped. An image's data is not counted. Unit: characters. */
const MAX_ITEM_CHARS = 1024 * 1024;

/** Kinds of items; beside them, everything that calls itself a call. */
const KINDS: ReadonlySet<unknown> = new Set([
  "mcp_list_tools",
  "shell_call_output",
  "tool_search_output",
  "program",
  "program_output",
  "compaction",
]);

/** Whether an item of a response is work that the server has done by itself, and not left to the host. */
export function isHostedItem(item: Fields): boolean {
  const { type } = item;
  if (type === "function_call" || isLeftToHost(item)) return false;
  return KINDS.has(type) || (typeof type === "string" && type.endsWith("_call"));
}

/** Such an item as `providerData`; `null` when it is too long. */
export function hostedItemData(item: Fields): JsonObject | null {
  return JSON.stringify(item).length > MAX_ITEM_CHARS ? null : { item: item as JsonObject, serverWork: true };
}

/** The image that an item holds, with the rest of the item; `undefined` for items without one. */
export function hostedImage({ type, result, ...rest }: Fields): AssistantMediaPart | undefined {
  if (type !== "image_generation_call" || typeof result !== "string") return undefined;
  const format = typeof rest.output_format === "string" ? `image/${rest.output_format}` : undefined;
  const part = receivedMedia(result, format);
  const providerData = hostedItemData({ type, ...rest });
  return part && { ...part, ...(providerData && { providerData }) };
}

/** The item that was kept; `undefined` when none was. */
export function hostedItemIn(data: JsonValue | undefined): JsonObject | undefined {
  return isObject(data) && isObject(data.item) ? (data.item as JsonObject) : undefined;
}
