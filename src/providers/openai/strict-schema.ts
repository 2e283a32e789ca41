// The subset of JSON Schema that OpenAI's strict mode takes: every object closed, every property required. What has
// another form there is rewritten; what has none is written into the description, where the model still reads it.
// Source: the structured outputs guide of the OpenAI API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { asRecord, descriptionWith, put, withoutAllOf } from "../shared/request/merged-schema.js";
import { objectSchema, resolved } from "../shared/request/object-schema.js";
import { validSchema } from "../shared/request/valid-schema.js";

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

const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);

/** Rewritten together with the properties. */
const OF_OBJECTS: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties"]);

/**
 * The schema in the subset of OpenAI's strict mode, and what has no form there. A choice of objects at the root, which is
 * refused, becomes one object; other roots that are not objects stay, and are refused.
 */
export function toStrictSchema(schema: JsonSchema): StrictSchema {
  const dropped: string[] = [];
  const root = resolved(validSchema(schema));
  const choice = ["anyOf", "oneOf"].filter((keyword) => isChoiceOfObjects(root[keyword], root));
  dropped.push(...choice);
  return { schema: rewrite(choice.length > 0 ? objectSchema(root) : root, "", dropped), dropped };
}

function isChoiceOfObjects(list: unknown, root: Schema): boolean {
  return Array.isArray(list) && list.every((one) => isObjectSchema(resolved(asRecord(one), root)));
}

function rewrite(given: unknown, path: string, dropped: string[]): Schema {
  const source = withoutAllOf(asRecord(given));
  if (typeof source.$ref === "string") return withReference(source, path, dropped);
  const schema: Schema = {};
  const lost: Schema = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (OF_OBJECTS.has(keyword) && isObjectSchema(source)) continue;
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
  return withLost(schema, lost, path, dropped);
}

/** Only text may stand beside a reference, and only around it: another schema there would close its object a second time. */
function withReference({ $ref, ...beside }: Schema, path: string, dropped: string[]): Schema {
  const reference: Schema = { $ref: String($ref).replace("#/definitions/", "#/$defs/") };
  const schema: Schema = {};
  const lost: Schema = {};
  for (const [keyword, value] of Object.entries(beside)) {
    const isText = keyword === "description" || keyword === "title";
    const isPlaced = isText || DEFINITIONS.has(keyword) || SILENT.has(keyword);
    if (!isPlaced || !take(keyword, value, schema, path, dropped)) lost[keyword] = value;
  }
  const whole = withLost(schema, lost, path, dropped);
  const isAlone = Object.keys(whole).every((keyword) => keyword.startsWith("$"));
  return isAlone ? { ...reference, ...whole } : { anyOf: [reference], ...whole };
}

function withLost(schema: Schema, lost: Schema, path: string, dropped: string[]): Schema {
  if (Object.keys(lost).length === 0) return schema;
  for (const keyword of Object.keys(lost)) dropped.push(path + keyword);
  return { ...schema, description: descriptionWith(schema.description, lost) };
}

/** Whether the subset has a place for this keyword. */
function take(keyword: string, value: unknown, schema: Schema, path: string, dropped: string[]): boolean {
  if (KEPT.has(keyword)) schema[keyword] = value;
  else if (keyword === "format" && FORMATS.has(String(value))) schema.format = value;
  else if (DEFINITIONS.has(keyword) && isRecord(value)) {
    const defined = mapValues(value, (one, name) => rewrite(one, `${path}${keyword}.${name}.`, dropped));
    schema.$defs = { ...asRecord(schema.$defs), ...defined };
  } else if ((keyword === "anyOf" || keyword === "oneOf") && Array.isArray(value)) {
    if (schema.anyOf !== undefined) return false;
    const inner = (at: number) => `${path}${keyword}.${at}.`;
    return put(
      schema,
      "anyOf",
      value.map((one, at) => rewrite(one, inner(at), dropped)),
    );
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
  const foreign = [...required].filter((name) => !Object.hasOwn(properties, String(name)));
  if (foreign.length > 0) lost.required = foreign;
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

function isObjectSchema({ type, properties }: Schema): boolean {
  return type === "object" || isRecord(properties) || (Array.isArray(type) && type.includes("object"));
}

function mapValues(
  values: { readonly [name: string]: unknown },
  map: (value: unknown, name: string) => Schema,
): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
