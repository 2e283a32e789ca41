// The ends of prefixes that the prompt cache keeps, where the vendor takes them explicitly: of the system prompt (the tools
// are in front of it), of the request, and of the request before. At most four are written for a request.
// Source: the types of openai 7.59 (read 2026-11).
import type { Fields } from "../../../json/is-object.js";
import { isObject } from "../../../json/is-object.js";
import { findListedModel } from "../../shared/models/known-models.js";

/** Models that find the ends by themselves, and take none. */
const WITHOUT_BREAKPOINTS = /^(?:gpt-(?:3|4|5(?!\.[6-9]|\.\d\d|-[6-9]))|chatgpt|o[134]|codex)/;

export function takesBreakpoints(model: string): boolean {
  const listed = findListedModel({ provider: "openai", model });
  return listed?.leastEffort === undefined ? !WITHOUT_BREAKPOINTS.test(model) : listed.traits.has("cache-marks");
}

const MARK = { prompt_cache_breakpoint: { mode: "explicit" } };

/** The system prompt as an item: the field for it takes no mark. */
export function markedSystem(text: string): Fields {
  return { role: "developer", content: [{ type: "input_text", text, ...MARK }] };
}

/** The items with two ends marked. A mark adds a field and changes nothing else, so that the prefix stays when it moves on. */
export function markedItems(items: readonly Fields[]): Fields[] {
  const listed = items.map(withListedOutput);
  const end = listed.findLastIndex(takesMark);
  const answer = listed.findLastIndex((item, at) => at < end && !isInput(item));
  const ends = [end, listed.findLastIndex((item, at) => at < answer && takesMark(item))];
  return listed.map((item, at) => (ends.includes(at) ? marked(item) : item));
}

/** Results are written as parts, with a mark or without. */
function withListedOutput(item: Fields): Fields {
  const { type, output } = item;
  return type === "function_call_output" && typeof output === "string"
    ? { ...item, output: [{ type: "input_text", text: output }] }
    : item;
}

function isInput({ role, type }: Fields): boolean {
  return role === "user" || (typeof type === "string" && type.endsWith("_output"));
}

function partsOf({ content, output, type }: Fields): readonly unknown[] {
  const parts = type === "function_call_output" ? output : content;
  return Array.isArray(parts) ? parts : [];
}

function takesMark(item: Fields): boolean {
  const last = partsOf(item).at(-1);
  return isInput(item) && isObject(last) && /^input_(?:text|image|file)$/.test(String(last.type));
}

function marked(item: Fields): Fields {
  const parts = partsOf(item);
  const field = item.type === "function_call_output" ? "output" : "content";
  return { ...item, [field]: [...parts.slice(0, -1), { ...(parts.at(-1) as Fields), ...MARK }] };
}
