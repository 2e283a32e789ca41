// Google reads a part of JSON Schema only. What has another form there is rewritten, and what has none is written into the
// description, where the model still reads it. The arguments are validated against the whole schema all the same.
// Source: the fields `parametersJsonSchema` and `responseJsonSchema` of the Gemini API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";

/** A schema in a vendor's subset. */
export interface GoogleSchema {
  readonly schema: JsonSchema;
  /** Where something has no form of its own, e.g. `"properties.name.minLength"`. It is in the description there. */
  readonly dropped: readonly string[];
}

/** A schema under construction. */
export type OpenSchema = Record<string, unknown>;

/** Taken as they are. */
const KEPT = new Set([
  "$id",
  "$anchor",
  "$ref",
  "type",
  "format",
  "title",
  "description",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "required",
  "propertyOrdering",
]);

/** Says nothing about the values. */
export const SILENT_KEYWORDS: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** Hold schemas by name, a list of schemas, or one schema. */
const BY_NAME = new Set(["properties", "$defs", "definitions"]);
const LISTS = new Set(["anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set(["items", "additionalProperties"]);

/** The schema in the subset of JSON Schema that Google takes. */
export function toGoogleSchema(schema: JsonSchema): GoogleSchema {
  const dropped: string[] = [];
  return { schema: rewrite(schema, "", dropped), dropped };
}

function rewrite(given: unknown, path: string, dropped: string[]): OpenSchema {
  if (given === true || !isRecord(given)) return {};
  const source = withoutAllOf(given);
  const schema: OpenSchema = {};
  const lost: OpenSchema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (!take(keyword, value, schema, path, dropped)) lost[keyword] = value;
  }
  requireKnown(schema);
  describeLost(schema, lost, path, dropped);
  return typeof schema.$ref === "string" ? withReference(schema) : schema;
}

/** Whether the subset has a place for this keyword. */
function take(keyword: string, value: unknown, schema: OpenSchema, path: string, dropped: string[]): boolean {
  const inner = (key: string | number) => `${path}${keyword}.${key}.`;
  if (keyword === "$ref") schema.$ref = String(value).replace("#/definitions/", "#/$defs/");
  else if (KEPT.has(keyword)) schema[keyword] = value;
  else if (BY_NAME.has(keyword) && isRecord(value)) {
    const entries = Object.entries(value).map(([name, one]) => [name, rewrite(one, inner(name), dropped)]);
    schema[keyword === "definitions" ? "$defs" : keyword] = Object.fromEntries(entries);
  } else if (LISTS.has(keyword) && Array.isArray(value)) {
    schema[keyword] = value.map((one, at) => rewrite(one, inner(at), dropped));
  } else if (SINGLE.has(keyword)) {
    schema[keyword] = typeof value === "boolean" ? value : rewrite(value, `${path}${keyword}.`, dropped);
  } else if (keyword === "enum" && isPlainEnum(value)) schema.enum = value;
  else if (keyword === "const" && isPlainEnum([value])) schema.enum = [value];
  else return takeBound(keyword, value, schema) || SILENT_KEYWORDS.has(keyword);
  return true;
}

/** A bound that is excluded is the next one included, among whole numbers. */
function takeBound(keyword: string, value: unknown, schema: OpenSchema): boolean {
  if (typeof value !== "number" || !Number.isInteger(value) || schema.type !== "integer") return false;
  if (keyword === "exclusiveMinimum") schema.minimum = value + 1;
  else if (keyword === "exclusiveMaximum") schema.maximum = value - 1;
  else return false;
  return true;
}

function isPlainEnum(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");
}

/** A reference stands alone: what is beside it goes around it. */
function withReference({ $ref, ...beside }: OpenSchema): OpenSchema {
  const isAlone = Object.keys(beside).every((keyword) => keyword.startsWith("$"));
  return isAlone ? { $ref, ...beside } : { ...beside, anyOf: [{ $ref }] };
}

/** What all parts demand, as one schema: properties and required names together, other keywords as the last one says. */
export function withoutAllOf(schema: { readonly [keyword: string]: unknown }): { readonly [keyword: string]: unknown } {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  let whole: OpenSchema = rest;
  for (const part of allOf) {
    if (!isRecord(part)) continue;
    const own = withoutAllOf(part);
    const properties = { ...asRecord(whole.properties), ...asRecord(own.properties) };
    const required = [...new Set([...asList(whole.required), ...asList(own.required)])];
    whole = {
      ...own,
      ...whole,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }
  return whole;
}

/** A required name that none of the properties has is refused. */
export function requireKnown(schema: OpenSchema): void {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isRecord(properties)) return;
  const known = required.filter((name) => Object.hasOwn(properties, name));
  if (known.length > 0) schema.required = known;
  else delete schema.required;
}

/** Writes what has no form of its own into the description, and its place into `dropped`. */
export function describeLost(schema: OpenSchema, lost: OpenSchema, path: string, dropped: string[]): void {
  const rules = Object.entries(lost).map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  if (rules.length === 0) return;
  for (const keyword of Object.keys(lost)) dropped.push(`${path}${keyword}`);
  const text = `(${rules.join(", ")})`;
  const { description } = schema;
  schema.description = typeof description === "string" && description !== "" ? `${description} ${text}` : text;
}

function asRecord(value: unknown): OpenSchema {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
