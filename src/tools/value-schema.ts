import type { JsonSchema } from "../contracts/json.js";

export const COUNT: JsonSchema = { type: "integer" };
export const A_STRING: JsonSchema = { type: "string" };
export const PATHS: JsonSchema = { type: "array", items: A_STRING };

/** The schema of a result's value: an object with these members. */
export function valueSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return { type: "object", properties: { ...properties, ...optional }, required: Object.keys(properties) };
}
