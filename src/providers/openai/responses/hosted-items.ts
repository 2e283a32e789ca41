// What the server has done by itself in the middle of a response: searches, code it has run, calls of its own tools. The
// reasoning around them is refused without them, so they are kept and go back unread, in their place.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import { isRecord } from "../../shared/is-record.js";

/** Longest item that is kept; longer ones, such as generated images, are dropped. Unit: characters. */
const MAX_ITEM_CHARS = 1024 * 1024;

const KINDS: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_list_tools",
  "mcp_call",
  "shell_call",
  "shell_call_output",
  "tool_search_call",
  "tool_search_output",
  "program",
  "program_output",
  "compaction",
]);

/** Whether an item of a response is work that the server has done by itself, and not left to the host. */
export function isHostedItem({ type, execution, environment }: { readonly [field: string]: unknown }): boolean {
  const isLeftToHost = execution === "client" || (isRecord(environment) && environment.type === "local");
  return KINDS.has(type) && !isLeftToHost;
}

/** What is kept of such an item as `providerData`; `null` when it is too long. */
export function hostedItemData(item: { readonly [field: string]: unknown }): JsonObject | null {
  return JSON.stringify(item).length > MAX_ITEM_CHARS ? null : { item: item as JsonObject };
}

/** The item that was kept; `undefined` when none was. */
export function hostedItemIn(data: JsonValue | undefined): JsonObject | undefined {
  return isRecord(data) && isRecord(data.item) && isHostedItem(data.item) ? (data.item as JsonObject) : undefined;
}
