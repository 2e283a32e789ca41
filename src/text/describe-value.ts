import { clip } from "./cut.js";

const PREVIEW_CHARS = 60;
const PREVIEW_KEYS = 4;

/**
 * Says what a value is in a few words, such as `string "src/a.ts"` or `array of 3 items`.
 *
 * Never longer than about 120 characters and never recursive, so any value a model sends may be passed.
 * `undefined` reads `nothing (missing)`.
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing (missing)";
  if (value === null) return "null";
  if (typeof value === "string") return describeString(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return `array of ${value.length} ${value.length === 1 ? "item" : "items"}`;
  if (typeof value === "object") return describeObject(value);
  return `${typeof value} ${clip(String(value), PREVIEW_CHARS)}`;
}

/** A string as a JSON literal of bounded length; lone surrogates and control characters come out escaped. */
export function quoteShort(text: string): string {
  return clip(JSON.stringify(clip(text, PREVIEW_CHARS)), PREVIEW_CHARS + 2);
}

function describeString(text: string): string {
  const length = text.length > PREVIEW_CHARS ? ` (${text.length} characters)` : "";
  return `string ${quoteShort(text)}${length}`;
}

function describeObject(value: object): string {
  try {
    return describeKeys(value);
  } catch {
    return "an object that cannot be read"; // A proxy whose traps throw.
  }
}

function describeKeys(value: object): string {
  const keys: string[] = [];
  // Not Object.keys: an object with a million keys is described without listing them.
  for (const key in value) {
    if (keys.length === PREVIEW_KEYS) return clip(`object with ${keys.join(", ")}, …`, PREVIEW_CHARS * 2);
    keys.push(quoteShort(key));
  }
  return keys.length === 0 ? "an empty object" : clip(`object with ${keys.join(", ")}`, PREVIEW_CHARS * 2);
}

/** A string as it is, and any other value as its JSON text. */
export function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
