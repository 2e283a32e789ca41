// The ids of things that have a name: objects of JSON, and items of lists in lines, with an id and a name side by side.
import type { ContentPart } from "../contracts/content.js";
import type { JsonValue } from "../contracts/json.js";
import { fieldsOf } from "../json/is-object.js";
import { parsedJson, textParts, unquoted } from "./value-fields.js";

/** An id, and what the thing with the id is called. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

const ID = /^(?:\w+_)?id_?$/i;
const NAME = /^(?:\w+_)?(?:name|title|filename|subject)$/i;
const MAX_RECORDS = 5_000;

/** Every id in a result that has a name beside it. */
export function recordsIn(output: string | readonly ContentPart[]): readonly NamedRecord[] {
  const found: NamedRecord[] = [];
  for (const text of textParts(output)) {
    const json = parsedJson(text);
    if (json === undefined) for (const fields of itemsOf(text)) keep(fields, found);
    else walk(json, found);
  }
  return found;
}

function walk(value: JsonValue, found: NamedRecord[]): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) keep(Object.entries(fieldsOf(value)), found);
  for (const each of Object.values(value)) walk(each as JsonValue, found);
}

function keep(fields: readonly (readonly [string, unknown])[], found: NamedRecord[]): void {
  const texts = fields.filter(([, value]) => typeof value === "string" || typeof value === "number");
  const ids = texts.filter(([key]) => ID.test(key));
  const names = texts.filter(([key]) => NAME.test(key));
  // With two ids nobody can say whose the name is.
  if (ids.length !== 1 || found.length >= MAX_RECORDS) return;
  for (const [, name] of names) found.push({ id: String(ids[0]![1]), name: String(name) });
}

/** The items of a list that begins at the left edge, each with the fields that belong to it and not to something in it. */
function itemsOf(text: string): readonly (readonly (readonly [string, string])[])[] {
  const items: [string, string][][] = [];
  const isList = text.startsWith("- ");
  for (const line of text.split("\n")) {
    const [, lead, key, value] = /^(- | {2}|)([\w-]{1,60}): +(.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || (lead === "") === isList) continue;
    if (lead === "- " || items.length === 0) items.push([]);
    items.at(-1)!.push([key, unquoted(value.trim())]);
  }
  return items;
}
