// The values that a result holds in fields of their own: leaves of JSON, and of lines "field: value" or "- value".
import type { ContentPart } from "../contracts/content.js";
import type { JsonValue } from "../contracts/json.js";

/** Longer values are no addresses, names or ids. Unit: characters. */
const MAX_VALUE_CHARS = 2_000;
/** More values of one result are not looked at: they stay unknown. */
const MAX_VALUES = 20_000;

/** Every value of a result that has a field of its own. */
export function valuesIn(output: string | readonly ContentPart[]): readonly string[] {
  const values: string[] = [];
  for (const text of textParts(output)) {
    const json = parsedJson(text);
    if (json === undefined) lineValues(text, values);
    else for (const leaf of leavesOf(json)) add(String(leaf), values);
  }
  return values;
}

/** The texts of a content. */
export function textParts(content: string | readonly ContentPart[]): readonly string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? part.text : []));
}

/** The JSON that a text is; `undefined` for another text. */
export function parsedJson(text: string): JsonValue | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[" && start !== '"') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The strings and numbers of a JSON value. */
export function leavesOf(value: JsonValue): readonly (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => leavesOf(each as JsonValue));
}

/** `field: value`, `- value`, `- field: value`, or the value alone; in quotes or not. */
const LINE = /^[ \t]*(?:-[ \t]+)?(?:["']?[\w .-]{1,60}["']?[ \t]*[:=][ \t]+)?(.+?)[ \t]*,?$/;

function lineValues(text: string, into: string[]): void {
  for (const line of text.split("\n")) {
    if (into.length >= MAX_VALUES) return;
    const value = line.length <= MAX_VALUE_CHARS ? LINE.exec(line)?.[1] : undefined;
    if (value !== undefined) add(unquoted(value), into);
  }
}

/** A value without the quotes around it. */
export function unquoted(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === "'" || quote === '"') && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}

function add(value: string, into: string[]): void {
  const trimmed = value.trim();
  if (trimmed !== "" && trimmed.length <= MAX_VALUE_CHARS && into.length < MAX_VALUES) into.push(trimmed);
}
