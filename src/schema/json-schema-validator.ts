import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contracts/json.js";
import type { FoundIssue } from "./schema-issues.js";

/*
 * Plain JSON Schema behind the same interface as every other schema: a Standard Schema `validate`.
 * A failing value is checked twice: first stopping early, to decide; then in full, to report everything to the model at once.
 */

// Comparing every pair of items is the one check whose cost is quadratic in what a model sends.
const MAX_UNIQUE_ITEMS = 2_000;
const MAX_NESTED_UNIONS = 20;

const ALTERNATIVES = new Set(["anyOf", "oneOf", "propertyNames"]);

/** Errors that only say that an inner error follows. */
const WRAPPERS = new Set(
  `properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems
   unevaluatedItems $ref $recursiveRef allOf if dependentSchemas`.split(/\s+/),
);

/** Keywords whose name and value say what was expected. */
const LIMITS = new Set(
  `minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems
   minProperties maxProperties`.split(/\s+/),
);

type Lookup = Record<string, Schema | boolean>;

/**
 * Compiles a JSON Schema into a Standard Schema `validate`.
 *
 * The draft follows `dialect`, the schema's `$schema`: 4, 6, 7 or 2019-09; 2020-12 without one. `schema` is copied, not kept.
 *
 * @throws Error that says which `$ref` or pattern cannot be used
 */
export async function compileJsonSchema(
  schema: JsonSchema,
  dialect?: unknown,
): Promise<(value: unknown) => StandardSchemaV1.Result<unknown>> {
  const root: Schema = structuredClone(schema);
  const lookup = dereference(root);
  const parts = Object.values(lookup).filter((part) => typeof part === "object");
  for (const part of parts) assertUsable(part, lookup);
  const hasUniqueItems = parts.some((part) => part.uniqueItems === true);
  const draft = draftOf(dialect);

  return (value) => {
    if (hasUniqueItems && hasLongArray(value)) {
      const message = `Arrays of more than ${MAX_UNIQUE_ITEMS} items cannot be checked for duplicates`;
      return { issues: [{ message }] };
    }
    const quick = validate(value, root, draft, lookup, true);
    if (quick.valid) return { value };
    return { issues: readErrors(allErrors() ?? quick.errors, root, lookup) };

    /** Nothing when there are more errors than fit on the stack the validator joins them on. */
    function allErrors(): OutputUnit[] | undefined {
      try {
        return validate(value, root, draft, lookup, false).errors;
      } catch {
        return undefined;
      }
    }
  };
}

function draftOf(dialect: unknown): "4" | "7" | "2019-09" | "2020-12" {
  if (typeof dialect !== "string") return "2020-12";
  if (dialect.includes("draft-04")) return "4";
  if (/draft-0[67]/.test(dialect)) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

/** The faults that the validator would only discover while checking a call, when it is too late to fix the schema. */
function assertUsable(part: Schema, lookup: Lookup): void {
  const target = part.__absolute_ref__;
  if (target !== undefined && lookup[target] === undefined) throw new Error(`its $ref "${part.$ref}" leads nowhere`);
  const patterns = [part.pattern, ...Object.keys(part.patternProperties ?? {})];
  for (const pattern of patterns) if (typeof pattern === "string") new RegExp(pattern, "u");
}

function hasLongArray(value: unknown): boolean {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next) && next.length > MAX_UNIQUE_ITEMS) return true;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

function readErrors(errors: readonly OutputUnit[], root: Schema, lookup: Lookup, nesting = 0): FoundIssue[] {
  const issues: FoundIssue[] = [];
  for (let at = 0; at < errors.length; at++) {
    const error = errors[at]!;
    if (WRAPPERS.has(error.keyword)) continue;
    if (!ALTERNATIVES.has(error.keyword)) {
      issues.push(readError(error, errors[at - 1], schemaAt(error.keywordLocation, root, lookup)));
      continue;
    }
    const branches = branchesAfter(errors, at);
    at += branches.flat().length;
    const matchesNone = error.keyword === "anyOf" || error.error.includes("(0 matches)");
    const inner = matchesNone && nesting < MAX_NESTED_UNIONS ? branches : [];
    const path = pathOf(error.instanceLocation);
    const relative = inner.map((branch) =>
      readErrors(branch, root, lookup, nesting + 1).map((issue) => ({
        ...issue,
        path: issue.path?.slice(path.length) ?? [],
      })),
    );
    const message = matchesNone ? "invalid: matches no alternative" : error.error;
    issues.push({ path, message, errors: relative });
  }
  return issues;
}

/** The errors of each alternative: they follow the error of the union, and their location begins with its own. */
function branchesAfter(errors: readonly OutputUnit[], at: number): OutputUnit[][] {
  const prefix = `${errors[at]!.keywordLocation}/`;
  const branches = new Map<string, OutputUnit[]>();
  let branch = "0";
  for (let next = at + 1; next < errors.length; next++) {
    const error = errors[next]!;
    // An error of the schema `false` does not say where it is; it belongs to the error before it.
    if (error.keyword !== "false") {
      if (!error.keywordLocation.startsWith(prefix)) break;
      branch = error.keywordLocation.slice(prefix.length).split("/", 1)[0]!;
    }
    const known = branches.get(branch);
    if (known) known.push(error);
    else branches.set(branch, [error]);
  }
  return [...branches.values()];
}

function readError(error: OutputUnit, previous: OutputUnit | undefined, schema: Schema | undefined): FoundIssue {
  const { keyword, error: message } = error;
  const path = pathOf(error.instanceLocation);
  const invalid = { path, message: `invalid ${keyword}` };
  switch (keyword) {
    case "false":
      return readForbidden(path, previous);
    case "required": {
      const key = message.slice(message.indexOf('"') + 1, -'".'.length);
      const expected = expectedBy(schema?.properties?.[key]) ?? { expected: "a value" };
      return { path: [...path, key], message: "required", ...expected };
    }
    case "type":
    case "enum":
    case "const":
      return { ...invalid, ...expectedBy(schema && { [keyword]: schema[keyword] }) };
    default:
      if (!LIMITS.has(keyword) || schema === undefined) return { path, message };
      return { ...invalid, expected: `${keyword} ${schema[keyword]}` };
  }
}

/** Nothing may stand where the schema is `false`: an extra key, or an item too many. */
function readForbidden(path: readonly string[], previous: OutputUnit | undefined): FoundIssue {
  const isItem = path.length === 0 || /items$/i.test(previous?.keyword ?? "");
  if (isItem) return { path, message: "invalid: nothing may be here", expected: "nothing here" };
  return { path: path.slice(0, -1), message: "unrecognized key", code: "unrecognized_keys", keys: path.slice(-1) };
}

/** The allowed values, or else the types, that a schema names. */
function expectedBy(schema: Schema | boolean | undefined): Partial<FoundIssue> | undefined {
  if (typeof schema !== "object") return undefined;
  if (schema.const !== undefined) return { values: [schema.const] };
  if (schema.enum !== undefined) return { values: schema.enum };
  return schema.type === undefined ? undefined : { expected: [schema.type].flat().join(" or ") };
}

function pathOf(location: string): string[] {
  return location.split("/").slice(1).map(decodeToken);
}

/** The schema that holds the failed keyword, followed through references; `undefined` when it cannot be found. */
function schemaAt(keywordLocation: string, root: Schema, lookup: Lookup): Schema | undefined {
  let current: unknown = root;
  for (const token of pathOf(keywordLocation).slice(0, -1)) {
    if (typeof current !== "object" || current === null) return undefined;
    const reference = token === "$ref" ? Reflect.get(current, "__absolute_ref__") : undefined;
    current = typeof reference === "string" ? lookup[reference] : Reflect.get(current, token);
  }
  return typeof current === "object" && current !== null ? (current as Schema) : undefined;
}

function decodeToken(token: string): string {
  return decodeURIComponent(token).replace(/~1/g, "/").replace(/~0/g, "~");
}
