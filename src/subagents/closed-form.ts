// Types in which nobody can write a sentence: what has one of them says no more than it was asked.
import type { JsonValue } from "../contracts/json.js";
import { fieldsOf, isObject } from "../json/is-object.js";

/** A list of more is a text. */
const MAX_ITEMS = 20;

const DATES: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/,
};

/**
 * Whether a value has the closed form that a JSON Schema describes: numbers, booleans, one of given values, dates and times, objects of
 * named fields of these, and lists of at most 20. `false` for every value of a schema that says anything else.
 */
export function hasClosedForm(value: JsonValue | undefined, schema: unknown): boolean {
  const { type, enum: given, const: only, anyOf, format, properties, items, ...rest } = fieldsOf(schema);
  if (rest.$ref !== undefined || rest.allOf !== undefined || rest.oneOf !== undefined) return false;
  if (Array.isArray(anyOf)) return anyOf.some((each) => hasClosedForm(value, each));
  if (only !== undefined) return value === only;
  if (Array.isArray(given)) return given.some((each) => each === value);
  if (type === "number" || type === "integer") return typeof value === "number" && Number.isFinite(value);
  if (type === "boolean") return typeof value === "boolean";
  if (type === "null") return value === null;
  if (type === "string") return typeof value === "string" && DATES[String(format)]?.test(value) === true;
  if (type === "array")
    return Array.isArray(value) && value.length <= MAX_ITEMS && value.every((each) => hasClosedForm(each, items));
  if (type !== "object" || !isObject(value)) return false;
  const fields = fieldsOf(properties);
  return Object.entries(value).every(
    ([name, each]) => Object.hasOwn(fields, name) && hasClosedForm(each as JsonValue, fields[name]),
  );
}
