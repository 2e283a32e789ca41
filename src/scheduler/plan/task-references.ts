// `{{tasks.ID.output}}` in the strings of a task's input: found when a plan is checked, filled in when the task begins.
// Other braces are text like any other.
import type { JsonValue } from "../../contracts/json.js";

const REFERENCE = /\{\{\s*tasks\.([^{}]*)\}\}/g;
const OUTPUT = /^([A-Za-z0-9_-]{1,64})\.output\s*$/;

/** The ids an input refers to, and references that are not of the form `{{tasks.ID.output}}`. */
export function referencesIn(input: JsonValue): { readonly ids: ReadonlySet<string>; readonly broken: string[] } {
  const ids = new Set<string>();
  const broken: string[] = [];
  for (const text of stringsIn(input)) {
    for (const [whole, path] of text.matchAll(REFERENCE)) {
      const id = OUTPUT.exec(path!)?.[1];
      if (id === undefined) broken.push(whole);
      else ids.add(id);
    }
  }
  return { ids, broken };
}

/** The input with every reference replaced by the output it names. What an output holds is not looked at again. */
export function fillReferences(input: JsonValue, outputOf: (id: string) => string): JsonValue {
  if (typeof input === "string") {
    return input.replace(REFERENCE, (whole, path: string) => {
      const id = OUTPUT.exec(path)?.[1];
      return id === undefined ? whole : outputOf(id);
    });
  }
  if (Array.isArray(input)) return input.map((item) => fillReferences(item, outputOf));
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fillReferences(value, outputOf)]));
}

function* stringsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) yield* stringsIn(item as JsonValue);
  }
}
