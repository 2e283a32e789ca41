// Google reads a part of JSON Schema only. What has another form there is rewritten, and what has none is written into the
// description, where the model still reads it. The arguments are validated against the whole schema all the same.
// Source: the fields `parametersJsonSchema` and `responseJsonSchema` of the Gemini API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import {
  asRecord,
  descriptionWith,
  type OpenSchema,
  put,
  SILENT_KEYWORDS,
  withoutAllOf,
} from "../shared/request/merged-schema.js";
import { validSchema } from "../shared/request/valid-schema.js";

/** A schema in a vendor's subset. */
export interface GoogleSchema {
  readonly schema: JsonSchema;
  /** Where something has no form of its own, e.g. `"properties.name.minLength"`. It is in the description there. */
  readonly dropped: readonly string[];
}

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

/** Hold schemas by name, a list of schemas, or one schema. */
const BY_NAME = new Set(["properties", "$defs", "definitions"]);
const LISTS = new Set(["anyOf", "oneOf", "prefixItems"]);
const SINGLE = new Set(["items", "additionalProperties"]);

/** The schema in the subset of JSON Schema that Google takes. */
export function toGoogleSchema(schema: JsonSchema): GoogleSchema {
  const dropped: string[] = [];
  return { schema: rewrite(validSchema(schema), "", dropped), dropped };
}

function rewrite(given: unknown, path: string, dropped: string[]): OpenSchema {
  if (given === false) return rewrite({ not: {} }, path, dropped);
  if (!isRecord(given)) return {};
  const source = withoutAllOf(given);
  const schema: OpenSchema = {};
  const lost: OpenSchema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (!take(keyword, value, schema, path, dropped)) lost[keyword] = value;
  }
  requireOwn(schema, lost);
  describeLost(schema, lost, path, dropped);
  return typeof schema.$ref === "string" ? withReference(schema, path, dropped) : schema;
}

/** Whether the subset has a place for this keyword. */
function take(keyword: string, value: unknown, schema: OpenSchema, path: string, dropped: string[]): boolean {
  const inner = (key: string | number) => `${path}${keyword}.${key}.`;
  if (keyword === "$ref") return put(schema, "$ref", String(value).replace("#/definitions/", "#/$defs/"));
  if (KEPT.has(keyword)) return put(schema, keyword, value);
  if (BY_NAME.has(keyword) && isRecord(value)) {
    const entries = Object.entries(value).map(([name, one]) => [name, rewrite(one, inner(name), dropped)]);
    const name = keyword === "definitions" ? "$defs" : keyword;
    schema[name] = { ...asRecord(schema[name]), ...Object.fromEntries(entries) };
    return true;
  }
  if (LISTS.has(keyword) && Array.isArray(value)) {
    if (keyword !== "prefixItems" && !value.every(isShape)) return false;
    return put(
      schema,
      keyword,
      value.map((one, at) => rewrite(one, inner(at), dropped)),
    );
  }
  if (SINGLE.has(keyword)) {
    const isPlain = keyword === "additionalProperties" && typeof value === "boolean";
    return put(schema, keyword, isPlain ? value : rewrite(value, `${path}${keyword}.`, dropped));
  }
  if (keyword === "enum" && isPlainEnum(value)) return put(schema, "enum", value);
  if (keyword === "const" && isPlainEnum([value])) return put(schema, "enum", [value]);
  return takeBound(keyword, value, schema) || SILENT_KEYWORDS.has(keyword);
}

/** A bound that is excluded is the next one included, among whole numbers. */
function takeBound(keyword: string, value: unknown, schema: OpenSchema): boolean {
  if (typeof value !== "number" || !Number.isInteger(value) || schema.type !== "integer") return false;
  if (keyword === "exclusiveMinimum") return put(schema, "minimum", value + 1);
  return keyword === "exclusiveMaximum" && put(schema, "maximum", value - 1);
}

function isPlainEnum(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");
}

/** A reference stands alone: what is beside it goes around it. */
function withReference({ $ref, ...beside }: OpenSchema, path: string, dropped: string[]): OpenSchema {
  const isAlone = Object.keys(beside).every((keyword) => keyword.startsWith("$"));
  if (isAlone) return { $ref, ...beside };
  if (!put(beside, "anyOf", [{ $ref }]) && !put(beside, "oneOf", [{ $ref }])) {
    describeLost(beside, { $ref }, path, dropped);
  }
  return beside;
}

/** What a schema has that says what a value is, rather than what else holds for it. */
const SHAPES = ["type", "properties", "items", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];

/** Whether an alternative can stand alone. Where it only demands more of what stands around it, the choice has no form. */
export function isShape(one: unknown): boolean {
  return !isRecord(one) || Object.keys(one).length === 0 || SHAPES.some((keyword) => Object.hasOwn(one, keyword));
}

/** The API refuses that a name is required which is not a property. */
export function requireOwn(schema: OpenSchema, lost: OpenSchema): void {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return;
  const isOwn = (name: unknown) => isRecord(properties) && Object.hasOwn(properties, String(name));
  const foreign = required.filter((name) => !isOwn(name));
  if (foreign.length === 0) return;
  lost.required = foreign;
  schema.required = required.filter(isOwn);
  if (foreign.length === required.length) delete schema.required;
}

/** Writes what has no form of its own into the description, and its place into `dropped`. */
export function describeLost(schema: OpenSchema, lost: OpenSchema, path: string, dropped: string[]): void {
  if (Object.keys(lost).length === 0) return;
  for (const keyword of Object.keys(lost)) dropped.push(`${path}${keyword}`);
  schema.description = descriptionWith(schema.description, lost);
}
