// The older dialect, for servers that know no JSON Schema: types in capitals, `nullable` instead of the type null, no
// references. References are written out; one that leads back to itself becomes any object.
// Source: the type `Schema` of the Gemini API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { type OpenSchema, SILENT_KEYWORDS, withoutAllOf } from "../shared/request/merged-schema.js";
import {
  inDialect,
  type SchemaDialect,
  type SchemaNode,
  type SchemaPlace,
  type SourceSchema,
} from "../shared/request/schema-dialect.js";
import { pointedAt, validSchema } from "../shared/request/valid-schema.js";
import { type GoogleSchema, isChoice, requireOwn } from "./google-schema.js";

const SIZES = "minItems maxItems minLength maxLength minProperties maxProperties";

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  STRING: ["date-time", "enum"],
  NUMBER: ["float", "double"],
  INTEGER: ["int32", "int64"],
};

/** Each schema has a type or a choice of them: values without parts take the place of any. */
const ANY_VALUE = ["STRING", "NUMBER", "BOOLEAN"].map((type) => ({ type }));

const OPENAPI: SchemaDialect = {
  read,
  table: {
    keep: `title description required propertyOrdering nullable pattern minimum maximum ${SIZES}`,
    // Definitions are written out where they are used.
    silent: `${SILENT_KEYWORDS} $defs definitions $id $anchor`,
    schema: "items",
    named: "properties",
    rules: {
      anyOf: takeChoice,
      oneOf: takeChoice,
      type: takeType,
      enum: (node, value) => Array.isArray(value) && takeEnum(node, value),
      const: (node, value) => takeEnum(node, [value]),
      format({ schema }, value) {
        const isTaken = FORMATS[String(schema.type)]?.includes(String(value)) ?? false;
        if (isTaken) schema.format = value;
        return isTaken;
      },
    },
  },
  finish(node) {
    const { schema } = node;
    // An object without properties is one of any kind here; an empty list of them is refused.
    if (isRecord(schema.properties) && Object.keys(schema.properties).length === 0) delete schema.properties;
    for (const [type, keywords] of Object.entries(PARTS)) placeParts(type, keywords, node);
    if (schema.type === "ARRAY") schema.items ??= node.convert({}, "items");
    if (schema.type === undefined && schema.anyOf === undefined) {
      schema.anyOf = ANY_VALUE;
      node.drop("anything");
    }
    requireOwn(node);
  },
};

/** The schema in Google's dialect of OpenAPI. */
export function toOpenApiSchema(schema: JsonSchema): GoogleSchema {
  return inDialect(OPENAPI, validSchema(schema));
}

/** The schema with one type, which comes first: where other keywords go depends on it. */
function read(given: unknown, place: SchemaPlace): SourceSchema {
  if (!isRecord(given)) return given === false ? { not: {} } : {};
  const source = withSingleTypes(withoutAllOf(withoutNull(given)));
  if (typeof source.$ref === "string") return writtenOut(source, source.$ref, place);
  return source.type === undefined ? source : { type: source.type, ...source };
}

/** A choice of one schema and null is that schema, `nullable`. */
function withoutNull(given: SourceSchema): SourceSchema {
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

function isNull(one: unknown): boolean {
  return isRecord(one) && one.type === "null";
}

function writtenOut(given: SourceSchema, reference: string, place: SchemaPlace): SourceSchema {
  const { $ref: _, ...beside } = given;
  const target = place.within.includes(reference) ? undefined : pointedAt(reference, place.root);
  if (!isRecord(target)) {
    place.dropped.push(`${place.path}$ref`);
    return read({ type: "object", description: `As described at ${reference}.`, ...beside }, place);
  }
  place.within = [...place.within, reference];
  return read({ ...beside, allOf: [target, ...(Array.isArray(beside.allOf) ? beside.allOf : [])] }, place);
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
function withSingleTypes(given: SourceSchema): SourceSchema {
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
function placeParts(type: string, keywords: readonly string[], { schema, source, lost }: SchemaNode): void {
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
function takeType({ schema }: SchemaNode, type: unknown): boolean {
  if (!Array.isArray(type)) schema.type = String(type).toUpperCase();
  else {
    const names = type.filter((one) => one !== "null");
    if (names.length < type.length) schema.nullable = true;
    if (names.length > 1) return false;
    if (names.length === 1) schema.type = String(names[0]).toUpperCase();
  }
  return true;
}

function takeChoice(node: SchemaNode, value: unknown, keyword: string): boolean {
  const { schema } = node;
  if (schema.anyOf !== undefined || !isChoice(value)) return false;
  if (value.some(isNull)) schema.nullable = true;
  const choices = value.filter((one) => !isNull(one)).map((one, at) => node.convert(one, keyword, at));
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
function takeEnum(node: SchemaNode, values: readonly unknown[]): boolean {
  const { schema } = node;
  const plain = values.filter((one) => one !== null);
  if (plain.length < values.length) schema.nullable = true;
  const [type, ...others] = new Set(plain.map((one) => TYPES_OF_VALUES[typeof one]));
  if (type !== undefined && others.length === 0) schema.type ??= type;
  const isTaken = plain.every((one) => typeof one === "string" && one !== "") && (schema.type ?? "STRING") === "STRING";
  if (!isTaken || !node.put("enum", plain)) return false;
  schema.type = "STRING";
  schema.format = "enum";
  return true;
}
