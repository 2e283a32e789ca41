import type { JsonObject, JsonValue } from "../contracts/json.js";

/** A value with named fields, of which nothing else is known. */
export type Fields = { readonly [field: string]: unknown };

/** Whether a value has named fields, as a JSON object has: an array has not. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a value; none of one that has no named fields. */
export function fieldsOf(value: JsonValue | undefined): JsonObject;
export function fieldsOf(value: unknown): Fields;
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The value when it is a string; `""` for any other. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
