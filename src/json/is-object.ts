/** A value with named fields, of which nothing else is known. */
export type Fields = { readonly [field: string]: unknown };

/** Whether a value has named fields, as a JSON object has: an array has not. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
