// The subset of JSON Schema that `output_config.format` takes. What it does not take is written into the description, so
// that the model still reads it; the engine validates the answer against the whole schema.
// Source: the structured outputs guide of the Claude API (read 2026-11).

import type { JsonSchema } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { asRecord } from "../shared/request/merged-schema.js";
import { inDialect, type SchemaDialect } from "../shared/request/schema-dialect.js";
import { includesType, validSchema } from "../shared/request/valid-schema.js";

const FORMATS = "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" ");

const OUTPUT: SchemaDialect = {
  read: asRecord,
  table: {
    keep: "title description enum const $ref type required default",
    silent: "$schema $id $comment examples unevaluatedProperties",
    named: "properties $defs definitions",
    list: "anyOf oneOf>anyOf allOf",
    schema: "items",
    rules: {
      additionalProperties: (_node, value) => typeof value === "boolean",
      format: (node, value) => FORMATS.includes(String(value)) && node.put("format", value),
      minItems: (node, value) => (value === 0 || value === 1) && node.put("minItems", value),
    },
  },
  finish({ schema }) {
    if (schema.type === undefined && isObject(schema.properties)) schema.type = "object";
    if (includesType(schema.type, "object")) schema.additionalProperties = false;
  },
};

/** The schema in the API's subset. */
export function anthropicOutputSchema(schema: JsonSchema): JsonSchema {
  return inDialect(OUTPUT, validSchema(schema)).schema;
}
