// Serves: DeepSeek, OpenRouter, Copilot, Mistral, Databricks.
// The places for the reasoning of an answer: a field beside the content, or a part of it. DeepSeek began with
// `reasoning_content`, OpenRouter with `reasoning`, Copilot with `reasoning_text`; Mistral sends parts with parts in them,
// Databricks parts with summaries.
import { type Fields, isObject } from "../../../json/is-object.js";

/** The most common first: some send the same under two names. */
const FIELDS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;

/** The field of a delta that reasoning is in; most deltas have none. */
export function reasoningFieldOf(delta: Fields): (typeof FIELDS)[number] | undefined {
  for (const field of FIELDS) if (delta[field] && textIn(delta[field]) !== "") return field;
  return undefined;
}

/** Whether a part of the content is reasoning. */
export function isReasoningPart({ type, thinking }: Fields): boolean {
  return thinking !== undefined || (typeof type === "string" && /reasoning|thinking/.test(type));
}

/** The reasoning in such a part, or in one of the details beside the content. */
export function reasoningInPart(part: unknown): string {
  return isObject(part) ? textIn(part.thinking ?? part.text ?? part.summary ?? part.reasoning) : "";
}

/** The text of a string, of an object that holds one, or of a list of them. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("");
  return isObject(value) && typeof (value.text ?? value.content) === "string"
    ? String(value.text ?? value.content)
    : "";
}
