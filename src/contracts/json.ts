/** Any value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object: what the arguments of a tool call usually are. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema document (draft 7 or 2020-12), as sent to a model provider. */
export type JsonSchema = { readonly [keyword: string]: unknown };
