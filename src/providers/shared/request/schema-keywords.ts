// The kind of value that each keyword of JSON Schema holds.
// Source: the meta-schema of draft 2020-12, https://json-schema.org/draft/2020-12/schema (read 2026-11).
import { isObject } from "../../../json/is-object.js";

/** A keyword's value: a schema, a list of them, schemas by name, or a plain value that a function checks. */
export type KeywordKind = "schema" | "schemas" | "named" | ((value: unknown) => boolean);

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isNumber = (value: unknown) => typeof value === "number";
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

function kinds(names: string, kind: KeywordKind): [string, KeywordKind][] {
  return names.split(" ").map((name) => [name, kind]);
}

/** Keywords that are not listed are not checked. */
export const KEYWORD_KINDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...kinds("items additionalProperties contains not if then else propertyNames contentSchema", "schema"),
  ...kinds("unevaluatedItems unevaluatedProperties", "schema"),
  ...kinds("anyOf oneOf allOf prefixItems", "schemas"),
  ...kinds("properties patternProperties $defs definitions dependentSchemas", "named"),
  ...kinds("title description pattern format $comment contentEncoding contentMediaType $ref $dynamicRef", isText),
  ...kinds("uniqueItems deprecated readOnly writeOnly", isFlag),
  ...kinds("minimum maximum exclusiveMinimum exclusiveMaximum", isNumber),
  ...kinds("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", isCount),
  ["multipleOf", (value) => typeof value === "number" && value > 0],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["examples", Array.isArray],
  ["required", isNames],
  ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isNames)],
]);

/** Names of types, as other languages and older dialects call them; none where a value of any kind is meant. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ["string", "number", "integer", "boolean", "object", "array", "null"].map((name) => [name, name]),
  ),
  str: "string",
  text: "string",
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  bool: "boolean",
  list: "array",
  tuple: "array",
  dict: "object",
  map: "object",
  none: "null",
  any: undefined,
};

/** The type of this name: `"any"` for values of any kind, `null` for none that is known. */
export function typeNamed(name: unknown): string | null {
  const known = typeof name === "string" ? name.toLowerCase() : "";
  return Object.hasOwn(TYPES, known) ? (TYPES[known] ?? "any") : null;
}
