/** Whether a value has named fields, as a JSON object has: an array has not. */
export function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
