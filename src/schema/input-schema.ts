import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ConfigurationError, isHarnessError } from "../contracts/errors.js";
import type { JsonObject, JsonSchema, JsonValue } from "../contracts/json.js";
import { equalJson, freezeLiteralJson } from "../json/copy.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import { readAsMeant } from "./read-as-meant.js";
import { recogniseSchema, type Validate } from "./recognise-schema.js";
import { SchemaIssues } from "./schema-issues.js";

const MAX_REASON_CHARS = 500;

/**
 * A schema of a value of type `Value`: a zod 4 or zod 3 schema, any Standard Schema that can yield JSON Schema, or a
 * plain JSON Schema.
 */
export type ToolSchema<Value = unknown> = StandardSchemaV1<unknown, Value> | Zod3Schema<Value> | JsonSchema;

/** A zod 3 schema; those before 3.24 are not Standard Schemas. */
export interface Zod3Schema<Value = unknown> {
  readonly _output: Value;
  readonly _def: { readonly typeName?: unknown };
  safeParseAsync(value: unknown): Promise<unknown>;
}

/** The type of parsed arguments: a schema's output type, or a JSON object for a plain JSON Schema. */
export type InferInput<S> =
  S extends StandardSchemaV1<infer _Raw, infer Value> ? Value : S extends Zod3Schema<infer Value> ? Value : JsonObject;

/** A schema of any kind, able to describe itself to a provider and to check values. */
export interface InputSchema<Value> {
  /**
   * Loads what the schema needs, once; settles at once for a schema that needs nothing.
   *
   * @throws ConfigurationError `SCHEMA_UNSUPPORTED` for a schema that turns out to be unusable
   */
  ready(): Promise<void>;
  /**
   * The JSON Schema of what may be sent: a field with a default is optional. The same frozen object every time.
   *
   * @throws ConfigurationError `SCHEMA_UNSUPPORTED` before `ready()`, when the converter has to be loaded
   */
  jsonSchema(): JsonSchema;
  /**
   * Checks a value and returns the schema's output; a promise only when the schema is asynchronous or not loaded yet.
   *
   * With `objectOnly`, a value that does not match is read for what it means, and checked again: a number, a boolean, an
   * array or an object that was written as text, and `null` for what may be left out.
   *
   * @throws SchemaIssues for a value that does not match, or that the schema cannot cope with
   */
  parse(value: JsonValue): Value | Promise<Value>;
}

/** The options of wrapping a schema. */
export interface InputSchemaOptions {
  /** Whether the top level must be an object, as providers require of tools. Default: `true`. */
  readonly objectOnly?: boolean | undefined;
}

/**
 * Wraps a schema of any kind. `label` names it in errors, such as `input schema of tool "grep"`.
 *
 * @throws ConfigurationError `SCHEMA_UNSUPPORTED` for a schema that yields no JSON Schema, or one that does not describe an object
 */
export function createSchema<Value>(
  schema: ToolSchema<Value>,
  label: string,
  options: InputSchemaOptions = {},
): InputSchema<Value> {
  const { objectOnly = true } = options;
  const source = attempt(() => recogniseSchema(schema));
  let jsonSchema = source.jsonSchema === undefined ? undefined : attempt(() => normalise(source.jsonSchema));
  let validate = source.validate;
  let loading: Promise<void> | undefined;

  function ready(): Promise<void> {
    loading ??= load().catch(refuse);
    return loading;
  }

  async function load(): Promise<void> {
    jsonSchema ??= normalise(await source.convert?.());
    validate ??= await source.compile?.(jsonSchema);
  }

  function normalise(converted: unknown): JsonSchema {
    const schema = withoutDialect(converted);
    return Object.freeze(objectOnly ? asObjectSchema(schema, source.compile !== undefined) : schema);
  }

  function attempt<Result>(step: () => Result): Result {
    try {
      return step();
    } catch (error) {
      return refuse(error);
    }
  }

  function refuse(cause: unknown): never {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError("SCHEMA_UNSUPPORTED", {
      message: `The ${label} cannot be used: ${clip(reason, MAX_REASON_CHARS)}`,
      cause,
    });
  }

  function parseWith<Value>(validate: Validate, value: JsonValue): Value | Promise<Value> {
    return then(check(validate, value), (result) => {
      const { issues } = result;
      if (!issues) return result.value as Value;
      const fail = (): never => {
        throw new SchemaIssues(value, issues, jsonSchema);
      };
      // Only what was refused as it came is read for what it means, so that nothing healthy is ever rewritten.
      const read = objectOnly && jsonSchema ? readAsMeant(value, jsonSchema) : value;
      if (read === value || equalJson(read, value)) return fail();
      return then(check(validate, read), (second) => (second.issues ? fail() : (second.value as Value)));
    });
  }

  return {
    ready,
    jsonSchema() {
      return jsonSchema ?? refuse(new Error("it is not converted yet. Await ready() before reading it."));
    },
    parse(value) {
      if (validate !== undefined) return parseWith<Value>(validate, value);
      return ready().then(() => parseWith<Value>(validate!, value));
    },
  };
}

/** Plain JSON without `$schema`; frozen all the way down. */
function withoutDialect(converted: unknown): JsonObject {
  const json = freezeLiteralJson(converted);
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new TypeError("it is not a JSON Schema.");
  const { $schema: _dialect, ...schema } = json;
  return schema;
}

/** The schema that every provider takes. A hand-written schema may leave out the word "object" where nothing else fits. */
function asObjectSchema(schema: JsonObject, isHandWritten: boolean): JsonObject {
  if (schema.type === "object") return schema;
  const isUntyped = schema.type === undefined && ("properties" in schema || Object.keys(schema).length === 0);
  if (isHandWritten && isUntyped) return { type: "object", ...schema };
  const found = schema.type === undefined ? "none" : JSON.stringify(schema.type);
  throw new TypeError(
    `its top level must have type "object", but has ${found}. Put it into a property, such as z.object({ value: schema }).`,
  );
}

type Outcome = StandardSchemaV1.Result<unknown>;

/** A validator that throws has met a value it cannot cope with, such as one nested deeper than the stack. */
function check(validate: Validate, value: unknown): Outcome | Promise<Outcome> {
  try {
    const result = validate(value);
    return isPromise(result) ? Promise.resolve(result).then(asOutcome).catch(asIssue) : asOutcome(result);
  } catch (error) {
    return asIssue(error);
  }
}

/** The result of a schema's own validator; one that is malformed counts as a failure. */
function asOutcome(result: Outcome): Outcome {
  const { issues } = result;
  if (!issues) return result;
  const areIssues = issues.length > 0 && Array.from(issues).every((issue) => typeof issue?.message === "string");
  return areIssues ? result : { issues: [{ message: "does not match, and its schema does not say why" }] };
}

function asIssue(error: unknown): Outcome {
  if (isHarnessError(error)) throw error;
  const reason = describeThrown(error);
  const tooDeep = /call stack|recursion/i.test(reason);
  return { issues: [{ message: tooDeep ? "nested too deeply to be checked" : `could not be checked: ${reason}` }] };
}

function then<From, To>(value: From | Promise<From>, next: (value: From) => To | Promise<To>): To | Promise<To> {
  return isPromise(value) ? value.then(next) : next(value);
}

function isPromise<Result>(value: Result | Promise<Result>): value is Promise<Result> {
  return typeof value === "object" && value !== null && "then" in value;
}

/** The schema of an object that has these properties and no others. */
export function closedObjectSchema(properties: JsonObject, required: string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}
