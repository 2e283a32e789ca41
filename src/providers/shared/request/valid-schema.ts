// The schemas of tools come from anywhere: older drafts of JSON Schema, OpenAPI, written by hand. The Messages API takes
// those that are valid by draft 2020-12, OpenAI arrays only whose items are described, and one tool that breaks a rule makes
// every request fail. Keywords with another form in that draft are rewritten; the rest is written into the description.
// Source: the meta-schema of the draft, https://json-schema.org/draft/2020-12/schema (read 2026-11).
import type { JsonSchema } from "../../../contracts/json.js";
import { isObject } from "../../../json/is-object.js";
import type { OpenSchema } from "./merged-schema.js";
import {
  inDialect,
  type KeywordTable,
  type Rule,
  type SchemaDialect,
  type SchemaNode,
  type SourceSchema,
} from "./schema-dialect.js";

/** Tools are the same in every request. */
const KNOWN = new WeakMap<JsonSchema, JsonSchema>();

/** The same schema as draft 2020-12 takes it, without a line about its dialect; itself when there is nothing to change. */
export function validSchema(schema: JsonSchema): JsonSchema {
  let valid = KNOWN.get(schema);
  if (!valid) {
    valid = rewritten(schema);
    if (JSON.stringify(valid) === JSON.stringify(schema)) valid = schema;
    KNOWN.set(schema, valid);
  }
  return valid;
}

/** The value that a pointer such as `#/$defs/node` leads to; `undefined` for none. */
export function pointedAt(pointer: string, root: unknown): unknown {
  let target = root;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("%24", "$").replaceAll("~1", "/").replaceAll("~0", "~");
    target =
      typeof target === "object" && target !== null && Object.hasOwn(target, name)
        ? Reflect.get(target, name)
        : undefined;
  }
  return target;
}

/** Whether values of this type are among those that a schema's `type` allows. */
export function includesType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

/** Keywords with plain values, in lines with spaces between them, and the values that they take. */
const CHECKS: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ["title description pattern format $comment contentEncoding contentMediaType $dynamicRef", isText],
  ["uniqueItems deprecated readOnly writeOnly", (value) => typeof value === "boolean"],
  ["minimum maximum exclusiveMinimum exclusiveMaximum", isNumber],
  ["minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", isCount],
  ["multipleOf", (value) => isNumber(value) && (value as number) > 0],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["examples", Array.isArray],
  ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isNames)],
];

const RULES: Readonly<Record<string, Rule>> = {
  type: (node, value) => takeType(node, value),
  required: (node, value) => Array.isArray(value) && node.put("required", isNames(value) ? value : namesIn(value)),
  ...Object.fromEntries(
    CHECKS.flatMap(([keywords, accepts]) => {
      const rule: Rule = (node, value, keyword) => accepts(value) && node.put(keyword, value);
      return keywords.split(" ").map((keyword) => [keyword, rule]);
    }),
  ),
};

const TABLE = {
  keep: "default const",
  silent: "$schema",
  any: "items additionalProperties contains not if then else propertyNames contentSchema unevaluatedItems unevaluatedProperties",
  list: "anyOf oneOf allOf prefixItems",
  named: "properties patternProperties $defs definitions dependentSchemas",
} satisfies KeywordTable;

/** Keywords whose absent value some write as `null`, or, where schemas have names, as an empty list. */
const NULLABLE: ReadonlySet<string> = new Set(
  [TABLE.any, TABLE.list, TABLE.named, ...CHECKS.map(([keywords]) => keywords), "type required $ref"]
    .join(" ")
    .split(" "),
);
const NAMED: ReadonlySet<string> = new Set(TABLE.named.split(" "));

function rewritten(root: JsonSchema): JsonSchema {
  /** The definitions made of places that references lead to, and their names. */
  const moved: OpenSchema = {};
  const names = new Map<string, string>();

  /** A reference leads to the whole or to a definition; its target elsewhere becomes a definition. */
  const takeReference: Rule = (node, value) => {
    if (typeof value !== "string") return false;
    const isOwn = /^#(?:$|[^/]|\/(?:\$defs|definitions)\/[^/]+$)/.test(value);
    const target = value.startsWith("#/") ? pointedAt(value, root) : undefined;
    if (isOwn && (!value.startsWith("#/") || target !== undefined)) return node.put("$ref", value);
    return target !== undefined && node.put("$ref", `#/$defs/${nameOf(value, target)}`);
  };

  function nameOf(reference: string, target: unknown): string {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const words = reference.replace(/[^a-zA-Z0-9]+/g, "_").replace(/^_/, "");
    const base = words.slice(-40) || "definition";
    const isTaken = (one: string) => Object.hasOwn(moved, one) || pointedAt(`#/$defs/${one}`, root) !== undefined;
    let name = base;
    for (let n = 2; isTaken(name); n++) name = `${base}_${n}`;
    names.set(reference, name);
    moved[name] = {}; // Taken, while its target may refer to itself.
    moved[name] = inDialect(dialect, target).schema;
    return name;
  }

  const dialect: SchemaDialect = {
    read,
    table: { ...TABLE, rules: { ...RULES, $ref: takeReference } },
    keepsOthers: true,
    finish: ({ schema }) => {
      if (includesType(schema.type, "array")) schema.items ??= {};
    },
  };
  const { schema } = inDialect(dialect, root);
  return names.size === 0 ? schema : ({ ...schema, $defs: { ...(schema.$defs as object), ...moved } } as JsonSchema);
}

/** The keywords of the newest draft for tuples, excluded bounds and required properties of older ones. */
function read(given: unknown): SourceSchema | boolean {
  if (typeof given === "boolean") return given;
  if (!isObject(given)) return typeof given === "string" ? { type: given } : {};
  const isSaid = ([keyword, value]: [string, unknown]) =>
    value === null ? !NULLABLE.has(keyword) : !(NAMED.has(keyword) && Array.isArray(value) && value.length === 0);
  const schema: OpenSchema = Object.fromEntries(Object.entries(given).filter(isSaid));
  if (Array.isArray(schema.items)) {
    const { items, additionalItems = {} } = schema as { items: readonly unknown[]; additionalItems?: unknown };
    delete schema.additionalItems;
    if (items.length > 0) schema.prefixItems = items;
    schema.items = additionalItems === false ? {} : additionalItems;
    if (additionalItems === false) schema.maxItems ??= items.length;
  }
  takeFlag(schema, "exclusiveMinimum", "minimum");
  takeFlag(schema, "exclusiveMaximum", "maximum");
  if (typeof schema.required === "boolean") delete schema.required;
  const named = requiredByItself(schema);
  if (named.length > 0) schema.required = namesIn([schema.required, named].flat());
  return schema;
}

/** Draft 4 says with a flag that a bound is excluded. */
function takeFlag(schema: OpenSchema, flag: string, bound: string): void {
  if (typeof schema[flag] !== "boolean") return;
  if (schema[flag] && isNumber(schema[bound])) {
    schema[flag] = schema[bound];
    delete schema[bound];
  } else delete schema[flag];
}

/** Properties that say of themselves that they are required. */
function requiredByItself({ properties }: SourceSchema): string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => (isObject(one) && one.required === true ? [name] : []));
}

function namesIn(list: readonly unknown[]): string[] {
  return [...new Set(list.filter((name) => typeof name === "string"))];
}

/** Names of types in other languages and older dialects; `any` has no name of its own. */
const TYPES: ReadonlyMap<string, string> = new Map(
  [
    "string string str text",
    "integer integer int long",
    "number number float double decimal",
    "boolean boolean bool",
    "array array list tuple",
    "object object dict map",
    "null null none",
    "any any",
  ].flatMap((line) => {
    const [type = "", ...names] = line.split(" ");
    return names.map((name): [string, string] => [name, type]);
  }),
);

function takeType(node: SchemaNode, value: unknown): boolean {
  const said = [value].flat();
  const types = said.map((name) => (typeof name === "string" ? TYPES.get(name.toLowerCase()) : undefined));
  if (types.includes(undefined)) return false;
  if (types.includes("any") || types.length === 0) return true;
  const names = [...new Set(types)];
  const isList = Array.isArray(value) && !(names.length === 1 && said.length > 1);
  return node.put("type", isList ? names : names[0]);
}
