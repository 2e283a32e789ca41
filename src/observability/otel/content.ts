// What spans say of content, where the host asks for it.
import type { JsonValue } from "../../contracts/json.js";
import { clip } from "../../text/cut.js";
import { redact } from "../redact.js";

/** The longest attribute that holds content. Unit: characters. */
export const MAX_CONTENT_CHARS = 20_000;

/** `gen_ai.output.messages` of one reply. */
export function outputMessages(
  { text, calls }: { readonly text: string; readonly calls: readonly JsonValue[] },
  reason: string,
): string {
  const parts = [...(text === "" ? [] : [{ type: "text", content: text }]), ...calls];
  return contentAttribute([{ role: "assistant", parts, finish_reason: reason }]);
}

/** A value as an attribute: without secrets, and cut. */
export function contentAttribute(value: JsonValue): string {
  return clip(redact(typeof value === "string" ? value : JSON.stringify(value)), MAX_CONTENT_CHARS);
}
