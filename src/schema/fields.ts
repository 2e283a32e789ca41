/*
 * The inputs of built-in tools, described and read without a schema library, which at import costs more than all the tools
 * that use it. A field knows its JSON Schema and reads a value; an object of fields is a Standard Schema like any other.
 *
 * Every problem of a value is collected, with its path, before it is refused. Reading never changes what was sent.
 */

import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { isObject } from "../json/is-object.js";
import type { FoundIssue } from "./schema-issues.js";

/*
 * Sizes of texts and lists are checked and not sent: a model does not count, and one that is over a limit is told so. Each word
 * of a schema is paid for in every request.
 */

/** One value of an input. */
export interface InputField<Value> {
  readonly jsonSchema: JsonObject;
  /** Whether the value may be left out, and what is taken then. */
  readonly absent: Absent;
  /** The value as the tool gets it. What is wrong with it goes to `issues`; the result counts for nothing then. */
  read(value: unknown, path: Path, issues: FoundIssue[]): Value;
}

/** A field that may be left out, and is `undefined` then. */
export interface OptionalInputField<Value> extends InputField<Value> {
  readonly absent: "allowed";
}

type Absent = "refused" | "allowed" | { readonly value: JsonValue };
type Path = readonly PropertyKey[];
type Fields = Readonly<Record<string, InputField<unknown>>>;
type OptionalKey<F extends Fields> = { [K in keyof F]: F[K] extends OptionalInputField<unknown> ? K : never }[keyof F];
type ValueOf<F> = F extends InputField<infer Value> ? Value : never;
type Simple<T> = { [K in keyof T]: T[K] };

/** The object that an object of fields reads. */
export type ObjectOf<F extends Fields> = Simple<
  { [K in Exclude<keyof F, OptionalKey<F>>]: ValueOf<F[K]> } & { [K in OptionalKey<F>]?: ValueOf<F[K]> | undefined }
>;

/** An object of fields, as `input` of a tool or as a field of another object. */
export type ObjectSchema<Value> = InputField<Value> &
  StandardSchemaV1<unknown, Value> &
  StandardJSONSchemaV1<unknown, Value>;

/** The value that a schema made of fields reads. */
export type InputOf<S> = S extends InputField<infer Value> ? Value : never;

interface TextLimits {
  /** Unit: characters, as with `maxLength`. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
  /** Takes whitespace from both ends first. */
  readonly trim?: boolean;
  /** Takes a number or a boolean for its text. */
  readonly takesAny?: boolean;
  /** The fault of a text that the limits allow, or `null`. */
  readonly problemOf?: (text: string) => string | null;
}

export function string(description?: string, limits: TextLimits = {}): InputField<string> {
  const { minLength, maxLength, default: value, trim = false, takesAny = false, problemOf } = limits;
  const jsonSchema = schemaOf({ type: "string", default: value }, description);
  return field(jsonSchema, (sent, path, issues) => {
    const isTaken = typeof sent === "string" || (takesAny && (typeof sent === "number" || typeof sent === "boolean"));
    if (!isTaken) return wrongType("string", "", path, issues);
    const given = trim ? String(sent).trim() : String(sent);
    checkSize(given.length, "character", { min: minLength, max: maxLength }, path, issues);
    const problem = problemOf?.(given) ?? null;
    if (problem !== null) issues.push({ path, message: problem });
    return given;
  });
}

interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** A whole number. */
export function integer(description: string, limits: NumberLimits = {}): InputField<number> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, default: value } = limits;
  return field(schemaOf({ type: "integer", ...limits, default: value }, description), (sent, path, issues) => {
    if (typeof sent !== "number" || !Number.isInteger(sent)) return wrongType("integer", 0, path, issues);
    if (sent < minimum) issues.push({ path, message: `expected at least ${minimum}` });
    if (sent > maximum) issues.push({ path, message: `expected at most ${maximum}` });
    return sent;
  });
}

export function flag(description: string, limits: { readonly default?: boolean } = {}): InputField<boolean> {
  return field(schemaOf({ type: "boolean", default: limits.default }, description), (sent, path, issues) =>
    typeof sent === "boolean" ? sent : wrongType("boolean", false, path, issues),
  );
}

/** One of some strings. */
export function choice<const Value extends string>(
  values: readonly Value[],
  description?: string,
  limits: { readonly default?: NoInfer<Value> } = {},
): InputField<Value> {
  const jsonSchema = schemaOf({ type: "string", enum: [...values], default: limits.default }, description);
  return field(jsonSchema, (sent, path, issues) => {
    const found = values.find((value) => value === sent);
    if (found === undefined) issues.push({ path, message: "invalid value", values });
    return found ?? (values[0] as Value);
  });
}

export function list<Value>(
  items: InputField<Value>,
  description?: string,
  limits: { readonly minItems?: number; readonly maxItems?: number } = {},
): InputField<Value[]> {
  const { minItems, maxItems } = limits;
  const jsonSchema = schemaOf({ type: "array", items: items.jsonSchema }, description);
  return field(jsonSchema, (sent, path, issues) => {
    if (!Array.isArray(sent)) return wrongType("array", [], path, issues);
    checkSize(sent.length, "item", { min: minItems, max: maxItems }, path, issues);
    if (maxItems !== undefined && sent.length > maxItems) return [];
    return sent.map((item, index) => items.read(item, [...path, index], issues));
  });
}

/** The same value, which may be left out. */
export function optional<Value>(inner: InputField<Value>): OptionalInputField<Value> {
  return { ...inner, absent: "allowed" };
}

/** The same field with another description. */
export function described<Value>(inner: InputField<Value>, description: string): InputField<Value> {
  return { ...inner, jsonSchema: { ...inner.jsonSchema, description } };
}

/** An object of fields; the other arguments that are sent are dropped, or refused where it is `strict`. */
export function object<const F extends Fields>(
  fields: F,
  options: {
    readonly strict?: boolean;
    /** The fault of an object whose fields are right, or `null`. */
    readonly problemOf?: (value: ObjectOf<F>) => string | null;
  } = {},
): ObjectSchema<ObjectOf<F>> {
  const { strict = false, problemOf } = options;
  const entries = Object.entries(fields);
  const needed = entries.filter(([, { absent }]) => absent === "refused").map(([name]) => name);
  const jsonSchema: JsonObject = {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { jsonSchema }]) => [name, jsonSchema])),
    ...(needed.length > 0 && { required: needed }),
    ...(strict && { additionalProperties: false }),
  };

  function read(sent: unknown, path: Path, issues: FoundIssue[]): ObjectOf<F> {
    const found = issues.length;
    const value: Record<string, unknown> = {};
    if (!isObject(sent)) return wrongType("object", value as ObjectOf<F>, path, issues);
    for (const [name, { absent, read }] of entries) {
      const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (given !== undefined || absent === "refused") value[name] = read(given, [...path, name], issues);
      else if (absent !== "allowed") value[name] = absent.value;
    }
    const keys = strict ? Object.keys(sent).filter((name) => !Object.hasOwn(fields, name)) : [];
    if (keys.length > 0) issues.push({ path, message: "unrecognized keys", code: "unrecognized_keys", keys });
    const problem = issues.length === found ? (problemOf?.(value as ObjectOf<F>) ?? null) : null;
    if (problem !== null) issues.push({ path, message: problem });
    return value as ObjectOf<F>;
  }

  return {
    ...field(jsonSchema, read),
    "~standard": {
      version: 1,
      vendor: "loopwright",
      validate(sent) {
        const issues: FoundIssue[] = [];
        const value = read(sent, [], issues);
        return issues.length > 0 ? { issues } : { value };
      },
      jsonSchema: { input: () => jsonSchema as Record<string, unknown>, output: () => jsonSchema },
    },
  };
}

function field<Value>(jsonSchema: JsonObject, read: InputField<Value>["read"]): InputField<Value> {
  return { jsonSchema, absent: "default" in jsonSchema ? { value: jsonSchema.default! } : "refused", read };
}

/** Without what is not given. */
function schemaOf(members: { readonly [name: string]: JsonValue | undefined }, description?: string): JsonObject {
  const given = Object.entries({ description, ...members }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonObject;
}

function checkSize(
  size: number,
  unit: string,
  { min = 0, max = Number.POSITIVE_INFINITY }: { readonly min: number | undefined; readonly max: number | undefined },
  path: Path,
  issues: FoundIssue[],
): void {
  const limit = size < min ? min : max;
  if (size >= min && size <= max) return;
  issues.push({
    path,
    message: `expected at ${size < min ? "least" : "most"} ${limit} ${unit}${limit === 1 ? "" : "s"}`,
  });
}

function wrongType<Value>(expected: string, instead: Value, path: Path, issues: FoundIssue[]): Value {
  issues.push({ path, message: "invalid type", expected });
  return instead;
}
