// Google reads a part of JSON Schema only. What has another form there is rewritten, and what has none is written into the
// description, where the model still reads it. The arguments are validated against the whole schema all the same.
// Source: the fields `parametersJsonSchema` and `responseJsonSchema` of the Gemini API (read 2026-11).

import type { JsonSchema } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { asRecord, SILENT_KEYWORDS, withoutAllOf } from "../shared/request/merged-schema.js";
import {
  inDialect,
  type Rule,
  reference,
  type SchemaDialect,
  type SchemaNode,
} from "../shared/request/schema-dialect.js";
import { validSchema } from "../shared/request/valid-schema.js";

/** A schema in a vendor's subset. */
export interface GoogleSchema {
  readonly schema: JsonSchema;
  /** The places of keywords without a form of their own, e.g. `"properties.name.minLength"`. They are in the description there. */
  readonly dropped: readonly string[];
}

const choice: Rule = (node, value, keyword) => isChoice(value) && node.put(keyword, node.convertAll(value, keyword));

const GOOGLE: SchemaDialect = {
  read: (given) => withoutAllOf(given === false ? { not: {} } : asRecord(given)),
  table: {
    keep: "$id $anchor type format title description required propertyOrdering minItems maxItems minimum maximum",
    silent: SILENT_KEYWORDS,
    named: "properties $defs definitions>$defs",
    list: "prefixItems",
    any: "items",
    rules: {
      $ref: reference,
      anyOf: choice,
      oneOf: choice,
      additionalProperties: (node, value, keyword) =>
        node.put(keyword, typeof value === "boolean" ? value : node.convert(value, keyword)),
      enum: (node, value) => isPlainEnum(value) && node.put("enum", value),
      const: (node, value) => isPlainEnum([value]) && node.put("enum", [value]),
      exclusiveMinimum: (node, value) => isWholeBound(node, value) && node.put("minimum", value + 1),
      exclusiveMaximum: (node, value) => isWholeBound(node, value) && node.put("maximum", value - 1),
    },
  },
  finish: requireOwn,
  referencesStandAlone: true,
};

/** The schema in the subset of JSON Schema that Google takes. */
export function toGoogleSchema(schema: JsonSchema): GoogleSchema {
  return inDialect(GOOGLE, validSchema(schema));
}

/** A bound that is excluded is the next one included, among whole numbers. */
function isWholeBound({ schema }: SchemaNode, value: unknown): value is number {
  return Number.isInteger(value) && schema.type === "integer";
}

function isPlainEnum(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");
}

/** Keywords that say what a value is, rather than what else holds for it. */
const SHAPES = ["type", "properties", "items", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];

/** Whether each alternative can stand alone. Where one only demands more of what stands around it, the choice has no form. */
function isChoice(value: unknown): value is readonly unknown[] {
  const isShape = (one: unknown) =>
    !isObject(one) || Object.keys(one).length === 0 || SHAPES.some((keyword) => Object.hasOwn(one, keyword));
  return Array.isArray(value) && value.every(isShape);
}

/** The API refuses that a name is required which is not a property. */
function requireOwn({ schema, lost }: SchemaNode): void {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return;
  const isOwn = (name: unknown) => isObject(properties) && Object.hasOwn(properties, String(name));
  const foreign = required.filter((name) => !isOwn(name));
  if (foreign.length === 0) return;
  lost.required = foreign;
  schema.required = required.filter(isOwn);
  if (foreign.length === required.length) delete schema.required;
}
