// The older dialect, for servers that know no JSON Schema: types in capitals, `nullable` instead of the type null, no
// references. References are written out; one that leads back to itself becomes any object.
// Source: the type `Schema` of the Gemini API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { type OpenSchema, put, SILENT_KEYWORDS, withoutAllOf } from "../shared/request/merged-schema.js";
import { pointedAt, validSchema } from "../shared/request/valid-schema.js";
import { describeLost, type GoogleSchema, isShape, requireOwn } from "./google-schema.js";

const KEPT = new Set([
  "title",
  "description",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "minimum",
  "maximum",
  "pattern",
  "required",
  "propertyOrdering",
  "nullable",
]);

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  STRING: ["date-time", "enum"],
  NUMBER: ["float", "double"],
  INTEGER: ["int32", "int64"],
};

/** Definitions are written out where they are used. */
const DEFINITIONS = new Set(["$defs", "definitions", "$id", "$anchor"]);

/** Each schema has a type or a choice of them: values without parts take the place of any. */
const ANY_VALUE = ["STRING", "NUMBER", "BOOLEAN"].map((type) => ({ type }));

interface Place {
  readonly path: string;
  readonly root: JsonSchema;
  readonly dropped: string[];
  /** References on the way here. */
  readonly within: readonly string[];
}

/** The schema in Google's dialect of OpenAPI. */
export function toOpenApiSchema(schema: JsonSchema): GoogleSchema {
  const dropped: string[] = [];
  const root = validSchema(schema);
  return { schema: rewrite(root, { path: "", root, dropped, within: [] }), dropped };
}

function rewrite(given: unknown, place: Place): OpenSchema {
  if (!isRecord(given)) return rewrite(given === false ? { not: {} } : {}, place);
  const source = withSingleTypes(withoutAllOf(withoutNull(given)));
  if (typeof source.$ref === "string") return writtenOut(source, source.$ref, place);
  const lost: OpenSchema = {};
  const schema = typeFields(source.type, lost);
  for (const [keyword, value] of Object.entries(source)) {
    if (keyword !== "type" && !take(keyword, value, schema, place)) lost[keyword] = value;
  }
  for (const [type, keywords] of Object.entries(PARTS)) placeParts(type, keywords, schema, source, lost);
  if (schema.type === "ARRAY") schema.items ??= rewrite({}, { ...place, path: `${place.path}items.` });
  if (schema.type === undefined && schema.anyOf === undefined) {
    schema.anyOf = ANY_VALUE;
    place.dropped.push(`${place.path}anything`);
  }
  requireOwn(schema, lost);
  describeLost(schema, lost, place.path, place.dropped);
  return schema;
}

/** A choice of one schema and null is that schema, `nullable`. */
function withoutNull(given: { readonly [keyword: string]: unknown }): { readonly [keyword: string]: unknown } {
  const isNull = (one: unknown) => isRecord(one) && one.type === "null";
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: choice, allOf, ...rest } = given;
    if (!Array.isArray(choice)) continue;
    const others = choice.filter((one) => !isNull(one));
    if (others.length === 1) {
      const isNullable = others.length < choice.length && { nullable: true };
      return withoutNull({ ...rest, ...isNullable, allOf: [...(Array.isArray(allOf) ? allOf : []), others[0]] });
    }
  }
  return given;
}

function writtenOut(given: { readonly [keyword: string]: unknown }, reference: string, place: Place): OpenSchema {
  const { $ref: _, ...beside } = given;
  const target = place.within.includes(reference) ? undefined : pointedAt(reference, place.root);
  if (!isRecord(target)) {
    place.dropped.push(`${place.path}$ref`);
    return rewrite({ type: "object", description: `As described at ${reference}.`, ...beside }, place);
  }
  const allOf = [target, ...(Array.isArray(beside.allOf) ? beside.allOf : [])];
  return rewrite({ ...beside, allOf }, { ...place, within: [...place.within, reference] });
}

/** Of which type a value is that a keyword is about; parts of a value are refused beside another type. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  OBJECT: ["properties", "required", "minProperties", "maxProperties"],
  ARRAY: ["items", "minItems", "maxItems"],
};
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  object: [...PARTS.OBJECT!, "additionalProperties", "patternProperties", "propertyNames"],
  array: [...PARTS.ARRAY!, "prefixItems", "uniqueItems", "contains"],
  string: ["minLength", "maxLength", "pattern", "format"],
};

/** Several types are a choice, each with what is said of its values. */
function withSingleTypes(given: { readonly [keyword: string]: unknown }): { readonly [keyword: string]: unknown } {
  const { type, ...rest } = given;
  const types = Array.isArray(type) ? type.filter((one) => one !== "null") : [];
  if (!Array.isArray(type) || types.length === 1 || rest.anyOf !== undefined) return given;
  const source: OpenSchema = { ...rest, ...(types.length < type.length && { nullable: true }) };
  source.anyOf = types.map((one) => {
    const own = (ABOUT[one] ?? []).filter((keyword) => keyword in rest);
    for (const keyword of own) delete source[keyword];
    return { type: one, ...Object.fromEntries(own.map((keyword) => [keyword, rest[keyword]])) };
  });
  return types.length === 0 ? { ...rest, type: "null" } : source;
}

/** What is said of the parts of a value says what the value is, unless something else does. */
function placeParts(
  type: string,
  keywords: readonly string[],
  schema: OpenSchema,
  source: { readonly [keyword: string]: unknown },
  lost: OpenSchema,
): void {
  const there = keywords.filter((keyword) => keyword in schema);
  if (there.length === 0 || schema.type === type) return;
  if (schema.type === undefined && schema.anyOf === undefined) schema.type = type;
  else
    for (const keyword of there) {
      lost[keyword] = source[keyword];
      delete schema[keyword];
    }
}

/** Several types beside a choice have no place. */
function typeFields(type: unknown, lost: OpenSchema): OpenSchema {
  if (typeof type === "string") return { type: type.toUpperCase() };
  if (!Array.isArray(type)) return {};
  const names = type.filter((one) => one !== "null");
  if (names.length > 1) lost.type = type;
  return {
    ...(names.length === 1 && { type: String(names[0]).toUpperCase() }),
    ...(names.length < type.length && { nullable: true }),
  };
}

/** Whether the dialect has a place for this keyword. */
function take(keyword: string, value: unknown, schema: OpenSchema, place: Place): boolean {
  const inside = (key: string | number) => ({ ...place, path: `${place.path}${keyword}.${key}.` });
  if (KEPT.has(keyword)) return put(schema, keyword, value);
  if (keyword === "properties" && isRecord(value)) {
    const entries = Object.entries(value).map(([name, one]) => [name, rewrite(one, inside(name))]);
    // An object without properties is one of any kind here; an empty list of them is refused.
    if (entries.length > 0) schema.properties = Object.fromEntries(entries);
  } else if ((keyword === "anyOf" || keyword === "oneOf") && Array.isArray(value))
    return takeChoice(value, schema, inside);
  else if (keyword === "items" && isRecord(value))
    schema.items = rewrite(value, { ...place, path: `${place.path}items.` });
  else if (keyword === "enum" && Array.isArray(value)) return takeEnum(value, schema);
  else if (keyword === "const") return takeEnum([value], schema);
  else if (keyword === "format") {
    if (!FORMATS[String(schema.type)]?.includes(String(value))) return false;
    schema.format = value;
  } else return SILENT_KEYWORDS.has(keyword) || DEFINITIONS.has(keyword);
  return true;
}

function takeChoice(value: readonly unknown[], schema: OpenSchema, inside: (key: number) => Place): boolean {
  const isNull = (one: unknown) => isRecord(one) && one.type === "null";
  if (Object.hasOwn(schema, "anyOf") || !value.every(isShape)) return false;
  if (value.some(isNull)) schema.nullable = true;
  const choices = value.filter((one) => !isNull(one)).map((one, at) => rewrite(one, inside(at)));
  if (choices.length > 0) schema.anyOf = choices;
  return true;
}

const TYPES_OF_VALUES: Readonly<Record<string, string>> = {
  string: "STRING",
  number: "NUMBER",
  boolean: "BOOLEAN",
  object: "OBJECT",
};

/** Only strings may be enumerated, and none of them may be empty. */
function takeEnum(values: readonly unknown[], schema: OpenSchema): boolean {
  const plain = values.filter((one) => one !== null);
  if (plain.length < values.length) schema.nullable = true;
  const [type, ...others] = new Set(plain.map((one) => TYPES_OF_VALUES[typeof one]));
  if (type !== undefined && others.length === 0) schema.type ??= type;
  const isTaken = plain.every((one) => typeof one === "string" && one !== "") && (schema.type ?? "STRING") === "STRING";
  if (!isTaken || !put(schema, "enum", plain)) return false;
  schema.type = "STRING";
  schema.format = "enum";
  return true;
}
