// The parts that converters of JSON Schema into vendors' subsets share: no keyword of a schema is lost silently.
import { type Fields, isObject } from "../../../json/is-object.js";

/** A schema under construction. */
export type OpenSchema = Record<string, unknown>;

/** Keywords that say nothing about the values, in a line with spaces between them. */
export const SILENT_KEYWORDS = "$schema $comment examples deprecated readOnly writeOnly";

/** The demands of all parts as one schema. A part that contradicts the others stays in `allOf`. */
export function withoutAllOf(schema: Fields): Fields {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const left: unknown[] = [];
  let whole: OpenSchema = rest;
  for (const part of allOf) {
    if (part === true) continue;
    const { allOf: inner, ...flat } = withoutAllOf(isObject(part) ? part : { not: {} });
    const merged = mergedWith(whole, flat);
    whole = merged ?? whole;
    left.push(...(merged ? asList(inner) : [part]));
  }
  return left.length === 0 ? whole : { ...whole, allOf: left };
}

/** Both schemas as one; `undefined` when they say different things of the same. */
function mergedWith(whole: OpenSchema, part: Fields): OpenSchema | undefined {
  const merged = { ...whole };
  for (const [keyword, value] of Object.entries(part)) {
    const there = whole[keyword];
    const isSame = there === undefined || JSON.stringify(there) === JSON.stringify(value);
    if (isSame) merged[keyword] = value;
    else if (keyword === "description") merged.description = `${String(there)} ${String(value)}`;
    else if (keyword === "required") merged.required = [...new Set([...asList(there), ...asList(value)])];
    else if (keyword === "properties") {
      const properties = mergedProperties(asRecord(there), asRecord(value));
      if (!properties) return undefined;
      merged.properties = properties;
    } else if (keyword !== "title" && !SILENT_KEYWORDS.split(" ").includes(keyword)) return undefined;
  }
  return merged;
}

function mergedProperties(a: OpenSchema, b: OpenSchema): OpenSchema | undefined {
  const isSame = (name: string) => !Object.hasOwn(a, name) || JSON.stringify(a[name]) === JSON.stringify(b[name]);
  return Object.keys(b).every(isSame) ? { ...a, ...b } : undefined;
}

/** A description with what has no form of its own behind it. */
export function descriptionWith(description: unknown, lost: OpenSchema): string {
  const rules = Object.entries(lost).map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  const text = `(${rules.join(", ")})`;
  return typeof description === "string" && description !== "" ? `${description} ${text}` : text;
}

/** A record as it is, anything else as an empty one. */
export function asRecord(value: unknown): OpenSchema {
  return isObject(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
