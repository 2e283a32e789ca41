// The subset of JSON Schema that OpenAI's strict mode takes: every object closed, every property required. What has
// another form there is rewritten; what has none is written into the description, where the model still reads it.
// Source: the structured outputs guide of the OpenAI API (read 2026-11).

import type { JsonSchema } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { asRecord, type OpenSchema, withoutAllOf } from "../shared/request/merged-schema.js";
import { objectSchema, resolved } from "../shared/request/object-schema.js";
import {
  inDialect,
  type KeywordTable,
  reference,
  type SchemaDialect,
  type SchemaNode,
  type SourceSchema,
} from "../shared/request/schema-dialect.js";
import { includesType, validSchema } from "../shared/request/valid-schema.js";

/** A schema in the strict subset. */
export interface StrictSchema {
  readonly schema: JsonSchema;
  /**
   * The parts without a form there, by their place, e.g. `"properties.name.minLength"`; each is in the description at that place.
   * `"…properties.name.anything"`: a value without parts takes the place of one of any kind.
   * `"…properties.name.optional"`: the model writes `null` there instead, which the adapter takes out of its answer.
   */
  readonly dropped: readonly string[];
}

/** Keywords of which a schema must have one. A value of any kind has no form there: values without parts take its place. */
const SAYING = ["type", "anyOf", "enum", "const", "$ref"];
const ANY_TYPE = ["string", "number", "boolean", "null"];

/** Written together with the properties. */
function ofObjects({ source }: SchemaNode): boolean {
  return isObjectSchema(source);
}

const RANGES = "multipleOf maximum exclusiveMaximum minimum exclusiveMinimum";
const FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ");

/** Only text may stand beside a reference, and only around it: another schema there would close its object a second time. */
const BESIDE_REFERENCE: KeywordTable = {
  keep: "title description",
  silent: "$schema $id $comment examples deprecated default",
  named: "$defs definitions>$defs",
  rules: { $ref: reference },
};

const STRICT: SchemaDialect = {
  read: (given) => withoutAllOf(asRecord(given)),
  table: {
    ...BESIDE_REFERENCE,
    keep: `title description type enum const pattern minItems maxItems ${RANGES}`,
    list: "anyOf oneOf>anyOf",
    schema: "items",
    rules: {
      properties: ofObjects,
      required: ofObjects,
      additionalProperties: ofObjects,
      format: (node, value) => FORMATS.includes(String(value)) && node.put("format", value),
    },
  },
  besideReference: BESIDE_REFERENCE,
  finish(node) {
    const { schema, source, place } = node;
    if (typeof source.$ref === "string") return;
    if (isObjectSchema(source)) closeObject(node);
    if (includesType(schema.type, "array")) schema.items ??= node.convert({}, "items");
    if (place.path !== "" && !SAYING.some((keyword) => keyword in schema)) {
      schema.type = ANY_TYPE;
      node.drop("anything");
    }
  },
  referencesStandAlone: true,
};

/**
 * The schema in the subset of OpenAI's strict mode, and what has no form there. A choice of objects at the root, which is
 * refused, becomes one object; other roots that are not objects stay, and are refused.
 */
export function toStrictSchema(schema: JsonSchema): StrictSchema {
  const root = resolved(validSchema(schema));
  const choice = ["anyOf", "oneOf"].filter((keyword) => isChoiceOfObjects(root[keyword], root));
  const strict = inDialect(STRICT, choice.length > 0 ? objectSchema(root) : root);
  return { schema: strict.schema, dropped: [...choice, ...strict.dropped] };
}

function isChoiceOfObjects(list: unknown, root: JsonSchema): boolean {
  return Array.isArray(list) && list.every((one) => isObjectSchema(resolved(asRecord(one), root)));
}

/** Every property is required; one that was optional may be null instead. */
function closeObject(node: SchemaNode): void {
  const { schema, source, lost } = node;
  const properties = asRecord(source.properties);
  const required = new Set(Array.isArray(source.required) ? source.required : []);
  schema.type ??= "object";
  const strict = Object.entries(properties).map(([name, one]) => {
    const property = node.convert(one, "properties", name);
    if (required.has(name)) return [name, property];
    node.drop(`properties.${name}.optional`);
    return [name, nullable(property)];
  });
  schema.properties = Object.fromEntries(strict);
  schema.required = Object.keys(properties);
  const foreign = [...required].filter((name) => !Object.hasOwn(properties, String(name)));
  if (foreign.length > 0) lost.required = foreign;
  schema.additionalProperties = false;
  const { additionalProperties: more } = source;
  if (isObject(more) || (more === true && strict.length === 0)) lost.additionalProperties = more;
}

function nullable(schema: OpenSchema): OpenSchema {
  if (allowsNull(schema)) return schema;
  const { description, ...rest } = schema;
  const about = description === undefined ? {} : { description };
  if (typeof rest.type === "string" && rest.enum === undefined && rest.const === undefined) {
    return { ...rest, type: [rest.type, "null"], ...about };
  }
  return { anyOf: [rest, { type: "null" }], ...about };
}

function allowsNull({ type, anyOf }: SourceSchema): boolean {
  return includesType(type, "null") || (Array.isArray(anyOf) && anyOf.some((one) => isObject(one) && allowsNull(one)));
}

function isObjectSchema({ type, properties }: SourceSchema): boolean {
  return includesType(type, "object") || isObject(properties);
}
