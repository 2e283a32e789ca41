// What the server has done by itself in the middle of a response: searches, code it has run, calls of its own tools. The
// reasoning around them is refused without them, so they are kept and go back unread, in their place.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import { isRecord } from "../../shared/is-record.js";
import { isLeftToHost } from "./host-calls.js";

/** Longest item that is kept; longer ones, such as generated images, are dropped. Unit: characters. */
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
export function isHostedItem(item: { readonly [field: string]: unknown }): boolean {
  const { type } = item;
  if (type === "function_call" || isLeftToHost(item)) return false;
  return KINDS.has(type) || (typeof type === "string" && type.endsWith("_call"));
}

/** What is kept of such an item as `providerData`; `null` when it is too long. */
export function hostedItemData(item: { readonly [field: string]: unknown }): JsonObject | null {
  return JSON.stringify(item).length > MAX_ITEM_CHARS ? null : { item: item as JsonObject };
}

/** The item that was kept; `undefined` when none was. */
export function hostedItemIn(data: JsonValue | undefined): JsonObject | undefined {
  return isRecord(data) && isRecord(data.item) ? (data.item as JsonObject) : undefined;
}
