import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contracts/json.js";
import { clip } from "../text/cut.js";
import { describeValue, quoteShort } from "../text/describe-value.js";
import { nearestNames } from "../text/nearest-names.js";

const MAX_ISSUES = 10;
const MAX_TEXT_CHARS = 200;
const MAX_CHOICES = 20;
const MAX_NESTED_UNIONS = 20;

/** One thing that is wrong with a value; every string is bounded. */
export interface SchemaIssue {
  /** Where, such as `edits[0].old_text`; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
  /** The value that is there, such as `number 3` or `nothing (missing)`. */
  readonly received: string;
  /** The schema library's own words. */
  readonly message: string;
}

/**
 * A value that does not match its schema. The message has one line per issue, written for a model. With the JSON `schema`, a
 * key that it does not have is named with the nearest one that it has.
 *
 * Internal: the caller of `parse` turns it into an error with a code.
 */
export class SchemaIssues extends Error {
  readonly issues: readonly SchemaIssue[];

  constructor(value: unknown, found: readonly FoundIssue[], schema?: JsonSchema) {
    const read = found.slice(0, MAX_ISSUES).flatMap((issue) => resolveUnion(issue));
    const shown = read.slice(0, MAX_ISSUES).map((issue) => toIssue(value, issue, schema));
    const more = found.length - Math.min(found.length, MAX_ISSUES) + read.length - shown.length;
    super([...shown.map((entry) => entry.line), ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
    this.name = "SchemaIssues";
    this.issues = shown.map((entry) => entry.issue);
  }
}

/** A Standard Schema issue, with what zod, valibot, ArkType and our own JSON Schema validator add to it. */
export interface FoundIssue extends StandardSchemaV1.Issue {
  readonly code?: string;
  readonly expected?: unknown;
  /** The only values allowed here. */
  readonly values?: readonly unknown[];
  readonly options?: unknown;
  /** With code `unrecognized_keys`: the keys that should not be there. */
  readonly keys?: readonly string[];
  /** One list per alternative of a union, with paths relative to the union (zod 4). */
  readonly errors?: unknown;
  /** The same with absolute paths (zod 3). */
  readonly unionErrors?: readonly { readonly issues: readonly FoundIssue[] }[];
}

/**
 * Replaces "matches no alternative" by what is wrong inside the nearest alternative, or by the list of what was expected.
 *
 * The nearest one accepts the kind of value that came and has the fewest issues. Deeply nested unions stay unresolved.
 */
function resolveUnion(issue: FoundIssue, nesting = 0): FoundIssue[] {
  const branches = nesting < MAX_NESTED_UNIONS ? branchesOf(issue) : [];
  if (branches.length === 0) return [issue];
  const resolve = (inner: FoundIssue) => resolveUnion(inner, nesting + 1);
  const depth = keysOf(issue).length;
  const failsAtRoot = (inner: FoundIssue) => keysOf(inner).length === depth && inner.code !== "unrecognized_keys";
  const inside = branches.filter((branch) => !branch.some(failsAtRoot)).sort((a, b) => a.length - b.length);
  if (inside[0] !== undefined) return inside[0].flatMap(resolve);
  const expected = branches.flatMap((branch) => branch.filter(failsAtRoot).flatMap(resolve).map(expectation));
  const known = [...new Set(expected.filter((text) => text !== undefined))];
  return [{ ...issue, errors: [], unionErrors: [], ...(known.length > 0 && { expected: known.join(" or ") }) }];
}

function branchesOf(issue: FoundIssue): FoundIssue[][] {
  if (issue.unionErrors !== undefined) return issue.unionErrors.map((error) => [...error.issues]);
  if (!Array.isArray(issue.errors)) return [];
  const prefix = keysOf(issue);
  return issue.errors
    .filter((branch) => Array.isArray(branch))
    .map((branch: FoundIssue[]) => branch.map((inner) => ({ ...inner, path: [...prefix, ...keysOf(inner)] })));
}

function toIssue(value: unknown, found: FoundIssue, schema?: JsonSchema): { issue: SchemaIssue; line: string } {
  const { path, target } = locate(value, keysOf(found));
  const message = clip(String(found.message).replace(/\.$/, ""), MAX_TEXT_CHARS);
  const known = expectation(found);
  const received = found.code === "unrecognized_keys" ? listKeys(found, schema) : describeValue(target);
  const issue = { path, expected: known ?? message, received, message };
  return { issue, line: `- ${title(path)}: ${wording(issue, known)}` };
}

function title(path: string): string {
  if (path === "") return "the whole value";
  return path.includes('"') ? path : `"${path}"`;
}

/** A message the author of the schema wrote stays in front; a library's default one adds nothing. */
function wording({ message, received }: SchemaIssue, expected: string | undefined): string {
  if (expected === undefined) return `${message}, got ${received}`;
  const isDefault = /expected|invalid|required|unrecognized/i.test(message);
  return isDefault ? `expected ${expected}, got ${received}` : `${message} (expected ${expected}, got ${received})`;
}

function expectation(issue: FoundIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return "no unknown keys";
  const choices = issue.values ?? issue.options;
  if (Array.isArray(choices) && choices.length > 0) return listChoices(choices);
  if (issue.code === "invalid_literal") return literal(issue.expected);
  return typeof issue.expected === "string" ? clip(issue.expected, MAX_TEXT_CHARS) : undefined;
}

function listChoices(choices: readonly unknown[]): string {
  const listed = choices.slice(0, MAX_CHOICES).map(literal).join(" | ");
  return clip(choices.length > MAX_CHOICES ? `${listed} | …` : listed, MAX_TEXT_CHARS);
}

function listKeys(issue: FoundIssue, schema: JsonSchema | undefined): string {
  const { keys = [] } = issue;
  const known = knownKeys(schema, keysOf(issue));
  const named = keys.slice(0, MAX_CHOICES).map((key) => {
    const [nearest] = nearestNames(
      key,
      known.filter((name) => name !== key),
      1,
    );
    return nearest === undefined ? quoteShort(key) : `${quoteShort(key)} (did you mean ${quoteShort(nearest)}?)`;
  });
  return clip(`${named.join(", ")}${keys.length > MAX_CHOICES ? ", …" : ""}`, MAX_TEXT_CHARS);
}

/** The keys that the object at `path` may have, as far as the schema lists them. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const key of path) at = typeof key === "number" ? member(at, "items") : member(member(at, "properties"), key);
  return Object.keys(Object(member(at, "properties")));
}

function member(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function literal(value: unknown): string {
  if (typeof value === "string") return quoteShort(value);
  return typeof value === "object" ? clip(JSON.stringify(value), MAX_TEXT_CHARS) : String(value);
}

function keysOf(issue: FoundIssue): readonly PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

/** Walks own properties only, so that a path through `__proto__` or `constructor` finds nothing. */
function locate(value: unknown, keys: readonly PropertyKey[]): { path: string; target: unknown } {
  let path = "";
  let target = value;
  for (const key of keys) {
    path += Array.isArray(target) || typeof key === "number" ? `[${String(key)}]` : property(String(key), path === "");
    target = member(target, key);
    if (path.length > MAX_TEXT_CHARS * 2) path = clip(path, MAX_TEXT_CHARS * 2);
  }
  return { path: clip(path, MAX_TEXT_CHARS), target };
}

function property(key: string, first: boolean): string {
  if (!/^[\w$-]{1,60}$/.test(key)) return `[${quoteShort(key)}]`;
  return first ? key : `.${key}`;
}
