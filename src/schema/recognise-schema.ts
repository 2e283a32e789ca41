import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contracts/json.js";
import { describeValue } from "../text/describe-value.js";
import { assertExpressible } from "./inexpressible.js";

/*
 * The kind of a schema, by its structure and never by an import, in this order:
 * `~standard.jsonSchema` (zod 4.2 and others) → `_zod` (zod 4.0, zod mini) → `_def.typeName` (zod 3) → plain JSON Schema.
 */

const KINDS = "Pass a zod schema, a Standard Schema with ~standard.jsonSchema, or a plain JSON Schema.";

/** A Standard Schema `validate`. */
export type Validate = StandardSchemaV1.Props["validate"];

/** The parts that a schema offers at once, and those that have to be loaded. */
export interface SchemaSource {
  readonly jsonSchema?: unknown;
  readonly validate?: Validate;
  /** Yields the JSON Schema. Present when `jsonSchema` is not. */
  convert?(): Promise<unknown>;
  /** Yields the validator. Present when `validate` is not. */
  compile?(jsonSchema: JsonSchema): Promise<Validate>;
}

/** @throws Error that says why this is not a usable schema */
export function recogniseSchema(schema: unknown): SchemaSource {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null || Array.isArray(schema)) {
    throw new TypeError(`it is ${describeValue(schema)}. ${KINDS}`);
  }
  const standard: Partial<StandardSchemaV1.Props & StandardJSONSchemaV1.Props> | undefined = Reflect.get(
    schema,
    "~standard",
  );
  const validate = standard?.validate;
  if ("_zod" in schema || isZod3(schema)) assertExpressible(schema);
  if (standard?.jsonSchema && validate)
    return { validate, jsonSchema: convertStandard(standard.jsonSchema, standard.vendor) };
  if ("_zod" in schema && validate) return { validate, convert: () => convertZod4(schema) };
  if (isZod3(schema)) return { validate: validate ?? validateOldZod3(schema), convert: () => convertZod3(schema) };
  if (standard !== undefined || typeof schema === "function") {
    const vendor = typeof standard?.vendor === "string" ? `"${standard.vendor}"` : "an unknown library";
    throw new TypeError(`it is a schema of ${vendor} that yields no JSON Schema or cannot validate. ${KINDS}`);
  }
  const dialect = "$schema" in schema ? schema.$schema : undefined;
  return { jsonSchema: schema, compile: (jsonSchema) => compile(jsonSchema, dialect) };
}

/** Whether a schema is plain JSON Schema, rather than an object of a library. */
export function isPlainJsonSchema(schema: object): boolean {
  return typeof schema === "object" && !("~standard" in schema || "_zod" in schema || isZod3(schema));
}

async function compile(jsonSchema: JsonSchema, dialect: unknown): Promise<Validate> {
  const { compileJsonSchema } = await import("./json-schema-validator.js");
  return compileJsonSchema(jsonSchema, dialect);
}

function convertStandard(converter: StandardJSONSchemaV1.Converter, vendor: string | undefined): unknown {
  // zod: a coerced type that JSON does not have becomes "anything" instead of an error; the validator still checks it.
  const libraryOptions = vendor === "zod" ? { unrepresentable: "any" } : undefined;
  return converter.input({ target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) });
}

async function convertZod4(schema: object): Promise<unknown> {
  const { convertZodCore } = await import("./zod-core-converter.js");
  return convertZodCore(schema);
}

async function convertZod3(schema: object): Promise<unknown> {
  const { ignoreOverride, zodToJsonSchema } = await loadZod3Converter();
  return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0], {
    pipeStrategy: "input",
    // Shared parts are written out where they are used, as zod 4 does; only recursion needs a reference.
    $refStrategy: "none",
    override: (_definition, { currentPath }, seen) => {
      const isAncestor =
        seen !== undefined &&
        seen.path.length < currentPath.length &&
        seen.path.every((step, at) => currentPath[at] === step);
      return isAncestor ? { $ref: seen.path.map(encodeStep).join("/") } : ignoreOverride;
    },
  });
}

/**
 * Bundlers must not see this import: they would put all of zod 3 into every bundle, also of programs that use another schema
 * library. The error in a bundled program that does need it says what to do.
 */
async function loadZod3Converter(): Promise<typeof import("zod-to-json-schema")> {
  const specifier = "zod-to-json-schema";
  try {
    const { importByName } = await import("../peers/import-by-name.js");
    return (await importByName(specifier)) as typeof import("zod-to-json-schema");
  } catch (cause) {
    const advice = "In a bundled program, use a schema of zod 4 or zod mini, or pass the converted JSON Schema.";
    throw new Error(`the converter for zod 3, "${specifier}", could not be loaded. ${advice}`, { cause });
  }
}

function encodeStep(step: string, at: number): string {
  return at === 0 ? step : encodeURIComponent(step.replace(/~/g, "~0").replace(/\//g, "~1"));
}

interface OldZod3 {
  safeParseAsync(value: unknown): Promise<{ success: boolean; data?: unknown; error?: StandardSchemaV1.FailureResult }>;
}

function isZod3(schema: object): schema is OldZod3 {
  const definition: unknown = Reflect.get(schema, "_def");
  return typeof definition === "object" && definition !== null && "typeName" in definition;
}

/** For zod before 3.24, which is not a Standard Schema yet. */
function validateOldZod3(schema: OldZod3): Validate {
  return async (value) => {
    const result = await schema.safeParseAsync(value);
    return result.error ? { issues: result.error.issues } : { value: result.data };
  };
}
