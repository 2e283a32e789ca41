// The subset of JSON Schema that `output_config.format` takes. What it does not take is written into the description, so
// that the model still reads it; the engine validates the answer against the whole schema.
// Source: the structured outputs guide of the Claude API (read 2026-11).
import type { JsonSchema } from "../../contracts/json.js";
import { isRecord } from "../shared/is-record.js";
import { descriptionWith } from "../shared/request/merged-schema.js";
import { validSchema } from "../shared/request/valid-schema.js";

type Schema = Record<string, unknown>;

/** Taken as they are. */
const KEPT = new Set(["title", "description", "enum", "const", "$ref", "type", "required", "default"]);

const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);

/** Says nothing about the values. */
const SILENT = new Set(["$schema", "$id", "$comment", "examples", "additionalProperties", "unevaluatedProperties"]);

/** The schema in the API's subset. */
export function anthropicOutputSchema(schema: JsonSchema): JsonSchema {
  return subset(validSchema(schema));
}

function subset(given: unknown): Schema {
  if (!isRecord(given)) return {};
  const schema: Schema = {};
  const dropped: Schema = {};
  for (const [keyword, value] of Object.entries(given)) {
    if (!take(keyword, value, schema)) dropped[keyword] = value;
  }
  if (schema.type === undefined && isRecord(schema.properties)) schema.type = "object";
  if (includesType(schema.type, "object")) schema.additionalProperties = false;
  if (Object.keys(dropped).length > 0) schema.description = descriptionWith(schema.description, dropped);
  return schema;
}

/** Whether the subset has a place for this keyword, or it says nothing about the value. */
function take(keyword: string, value: unknown, schema: Schema): boolean {
  if (KEPT.has(keyword)) schema[keyword] = value;
  else if (keyword === "properties" || keyword === "$defs" || keyword === "definitions") {
    schema[keyword] = isRecord(value) ? mapValues(value) : {};
  } else if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf") {
    const name = keyword === "oneOf" ? "anyOf" : keyword;
    if (!Array.isArray(value) || schema[name] !== undefined) return false;
    schema[name] = value.map(subset);
  } else if (keyword === "items" && isRecord(value)) schema.items = subset(value);
  else if (keyword === "format" && FORMATS.has(String(value))) schema.format = value;
  else if (keyword === "minItems" && (value === 0 || value === 1)) schema.minItems = value;
  else return keyword === "additionalProperties" ? value === false || value === true : SILENT.has(keyword);
  return true;
}

function mapValues(schemas: { readonly [name: string]: unknown }): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, subset(schema)]));
}

function includesType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
