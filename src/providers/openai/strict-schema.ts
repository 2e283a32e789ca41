// The subset of JSON Schema that OpenAI's strict mode takes: every object closed, every property required. What has
// another form there is rewritten; what has none is written into the description, where the model still reads it.
// Source: the structured outputs guide of the OpenAI API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { resolved } from "../shared/request/object-schema.js";

/** A schema in the strict subset. */
export interface StrictSchema {
  readonly schema: JsonSchema;
  /**
   * What has no form there, by its place, e.g. `"properties.name.minLength"`; it is in the description at that place.
   * `"…properties.name.anything"`: a value without parts takes the place of one of any kind.
   * `"…properties.name.optional"`: the model writes `null` there instead, which the adapter takes out of its answer.
   */
  readonly dropped: readonly string[];
}

type Schema = Record<string, unknown>;

const KEPT: ReadonlySet<string> = new Set([
  "$ref",
  "type",
  "title",
  "description",
  "enum",
  "const",
  "pattern",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "minItems",
  "maxItems",
]);

const FORMATS: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** Of these a schema must have one. A value of any kind has no form: what is left are values without parts. */
const SAYING = ["type", "anyOf", "enum", "const", "$ref"];
const ANY_TYPE = ["string", "number", "boolean", "null"];

/** Says nothing about the values. */
const SILENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "examples", "deprecated", "default"]);

/** Rewritten together with the properties. */
const OF_OBJECTS: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties"]);

/** The schema in the subset of OpenAI's strict mode, and what has no form there. */
export function toStrictSchema(schema: JsonSchema): StrictSchema {
  const dropped: string[] = [];
  return { schema: rewrite(resolved(schema), "", dropped), dropped };
}

function rewrite(given: unknown, path: string, dropped: string[]): Schema {
  const source = isRecord(given) ? merged(given) : {};
  // Nothing may stand beside a reference.
  if (typeof source.$ref === "string") return { $ref: source.$ref.replace("#/definitions/", "#/$defs/") };
  const schema: Schema = {};
  const lost: Schema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (OF_OBJECTS.has(keyword)) continue;
    if (!take(keyword, value, schema, path, dropped)) lost[keyword] = value;
  }
  if (isObjectSchema(source)) closeObject(source, schema, lost, path, dropped);
  if (schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"))) {
    schema.items ??= rewrite({}, `${path}items.`, dropped);
  }
  if (path !== "" && !SAYING.some((keyword) => keyword in schema)) {
    schema.type = ANY_TYPE;
    dropped.push(`${path}anything`);
  }
  for (const keyword of Object.keys(lost)) dropped.push(path + keyword);
  if (Object.keys(lost).length > 0) schema.description = described(schema.description, lost);
  return schema;
}

/** Whether the subset has a place for this keyword. */
function take(keyword: string, value: unknown, schema: Schema, path: string, dropped: string[]): boolean {
  if (KEPT.has(keyword)) schema[keyword] = value;
  else if (keyword === "format" && FORMATS.has(String(value))) schema.format = value;
  else if ((keyword === "$defs" || keyword === "definitions") && isRecord(value)) {
    schema.$defs = mapValues(value, (one, name) => rewrite(one, `${path}${keyword}.${name}.`, dropped));
  } else if ((keyword === "anyOf" || keyword === "oneOf") && Array.isArray(value)) {
    schema.anyOf = value.map((one, at) => rewrite(one, `${path}${keyword}.${at}.`, dropped));
  } else if (keyword === "items" && isRecord(value)) schema.items = rewrite(value, `${path}items.`, dropped);
  else return SILENT.has(keyword);
  return true;
}

/** Every property is required; one that was optional may be null instead. */
function closeObject(source: Schema, schema: Schema, lost: Schema, path: string, dropped: string[]): void {
  const properties = isRecord(source.properties) ? source.properties : {};
  const required = new Set(Array.isArray(source.required) ? source.required : []);
  schema.type ??= "object";
  schema.properties = mapValues(properties, (one, name) => {
    const place = `${path}properties.${name}.`;
    const strict = rewrite(one, place, dropped);
    if (required.has(name)) return strict;
    dropped.push(`${place}optional`);
    return nullable(strict);
  });
  schema.required = Object.keys(properties);
  schema.additionalProperties = false;
  const { additionalProperties: more } = source;
  if (isRecord(more) || (more === true && Object.keys(properties).length === 0)) lost.additionalProperties = more;
}

function nullable(schema: Schema): Schema {
  if (allowsNull(schema)) return schema;
  const { description, ...rest } = schema;
  const about = description === undefined ? {} : { description };
  if (typeof rest.type === "string" && rest.enum === undefined && rest.const === undefined) {
    return { ...rest, type: [rest.type, "null"], ...about };
  }
  return { anyOf: [rest, { type: "null" }], ...about };
}

function allowsNull({ type, anyOf }: Schema): boolean {
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  return Array.isArray(anyOf) && anyOf.some((one) => isRecord(one) && allowsNull(one));
}

/** `allOf` says the same as one schema with all that its parts say. */
function merged(schema: { readonly [keyword: string]: unknown }): Schema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || !allOf.every(isRecord) || allOf.some((part) => "$ref" in part)) return { ...schema };
  let whole: Schema = rest;
  for (const part of allOf.map(merged)) {
    whole = {
      ...part,
      ...whole,
      ...(isRecord(part.properties) && {
        properties: { ...part.properties, ...(isRecord(whole.properties) ? whole.properties : {}) },
      }),
      ...(Array.isArray(part.required) && {
        required: [...new Set([...(Array.isArray(whole.required) ? whole.required : []), ...part.required])],
      }),
    };
  }
  return whole;
}

function isObjectSchema({ type, properties }: Schema): boolean {
  return type === "object" || isRecord(properties) || (Array.isArray(type) && type.includes("object"));
}

function mapValues(
  values: { readonly [name: string]: unknown },
  map: (value: unknown, name: string) => Schema,
): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

function described(description: unknown, lost: Schema): string {
  const rules = Object.entries(lost).map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  const text = `(${rules.join(", ")})`;
  return typeof description === "string" && description !== "" ? `${description} ${text}` : text;
}
