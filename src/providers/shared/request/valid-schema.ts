// The schemas of tools come from anywhere: older drafts of JSON Schema, OpenAPI, written by hand. The Messages API takes
// what is valid by draft 2020-12, OpenAI arrays only whose items are described, and one tool that breaks a rule makes every
// request fail. What has another form in that draft is rewritten; what has none is written into the description.

import type { JsonSchema } from "../../../contracts/json.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { descriptionWith, type OpenSchema } from "./merged-schema.js";
import { KEYWORD_KINDS, typeNamed } from "./schema-keywords.js";

/** Deeper schemas are left as they are. */
const MAX_DEPTH = 100;

/** Tools are the same in every request. */
const KNOWN = new WeakMap<JsonSchema, JsonSchema>();

/** The same schema as draft 2020-12 takes it, without a line about its dialect; itself when there is nothing to change. */
export function validSchema(schema: JsonSchema): JsonSchema {
  let valid = KNOWN.get(schema);
  if (!valid) {
    valid = new Rewriting(schema).whole();
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

class Rewriting {
  /** The places that schemas elsewhere refer to, and the names they have as definitions. */
  readonly #names = new Map<string, string>();
  readonly #moved: Record<string, unknown> = {};

  constructor(private readonly root: JsonSchema) {}

  whole(): JsonSchema {
    const { $schema: dialect, ...rest } = this.root;
    const schema = this.#schema(dialect === undefined ? this.root : rest, 0) as JsonSchema;
    return this.#names.size === 0 ? schema : { ...schema, $defs: { ...(schema.$defs as object), ...this.#moved } };
  }

  #schema(given: unknown, depth: number): unknown {
    if (typeof given === "boolean" || depth > MAX_DEPTH) return given;
    if (!isObject(given)) return typeof given === "string" ? this.#schema({ type: given }, depth) : {};
    const schema: OpenSchema = {};
    const lost: OpenSchema = {};
    for (const [keyword, value] of Object.entries(withOlderForms(given))) {
      if (keyword === "type") takeType(value, schema, lost);
      else if (keyword === "$ref" && typeof value === "string") this.#takeReference(value, schema, lost);
      else this.#take(keyword, value, schema, lost, depth + 1);
    }
    if (includesType(schema.type, "array") && schema.items === undefined) schema.items = {};
    if (Object.keys(lost).length > 0) schema.description = descriptionWith(schema.description, lost);
    return isSame(given, schema) ? given : schema;
  }

  #take(keyword: string, value: unknown, schema: OpenSchema, lost: OpenSchema, depth: number): void {
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind === undefined) schema[keyword] = value;
    else if (kind === "schema") schema[keyword] = this.#schema(value, depth);
    else if (kind === "schemas" && Array.isArray(value) && value.length > 0) {
      schema[keyword] = sameList(
        value,
        value.map((one) => this.#schema(one, depth)),
      );
    } else if (kind === "named" && isObject(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, this.#schema(one, depth)]);
      const named = Object.fromEntries(inner) as OpenSchema;
      schema[keyword] = isSame(value, named) ? value : named;
    } else if (typeof kind === "function" && kind(value)) schema[keyword] = value;
    else if (keyword === "required" && Array.isArray(value)) schema.required = namesIn(value);
    else if (value !== null && !(kind === "named" && isEmpty(value))) lost[keyword] = value;
  }

  /** A reference leads to the whole or to a definition; what it leads to elsewhere becomes one. */
  #takeReference(reference: string, schema: OpenSchema, lost: OpenSchema): void {
    const isOwn = /^#(?:$|[^/]|\/(?:\$defs|definitions)\/[^/]+$)/.test(reference);
    const target = reference.startsWith("#/") ? pointedAt(reference, this.root) : undefined;
    if (isOwn && (!reference.startsWith("#/") || target !== undefined)) schema.$ref = reference;
    else if (target === undefined) lost.$ref = reference;
    else schema.$ref = `#/$defs/${this.#nameOf(reference, target)}`;
  }

  #nameOf(reference: string, target: unknown): string {
    let name = this.#names.get(reference);
    if (name !== undefined) return name;
    const base =
      reference
        .replace(/[^a-zA-Z0-9]+/g, "_")
        .replace(/^_/, "")
        .slice(-40) || "definition";
    const taken = (one: string) =>
      Object.hasOwn(this.#moved, one) || pointedAt(`#/$defs/${one}`, this.root) !== undefined;
    name = base;
    for (let n = 2; taken(name); n++) name = `${base}_${n}`;
    this.#names.set(reference, name);
    this.#moved[name] = {}; // Taken, while what it leads to may refer to itself.
    this.#moved[name] = this.#schema(target, 0);
    return name;
  }
}

/** Tuples, excluded bounds and required properties as older drafts write them, in the words of the newest. */
function withOlderForms(given: Fields): Fields {
  const isTuple = Array.isArray(given.items);
  const flags = ["exclusiveMinimum", "exclusiveMaximum", "required"].filter((name) => typeof given[name] === "boolean");
  const named = requiredByItself(given);
  if (!isTuple && flags.length === 0 && named.length === 0) return given;
  const schema: OpenSchema = { ...given };
  if (isTuple) {
    const { items, additionalItems = {} } = given as { items: readonly unknown[]; additionalItems?: unknown };
    delete schema.additionalItems;
    if (items.length > 0) schema.prefixItems = items;
    schema.items = additionalItems === false ? {} : additionalItems;
    if (additionalItems === false) schema.maxItems ??= items.length;
  }
  for (const name of flags) delete schema[name];
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (given[flag] !== true || typeof given[bound] !== "number") continue;
    schema[flag] = given[bound];
    delete schema[bound];
  }
  if (named.length > 0) schema.required = namesIn([given.required, named].flat());
  return schema;
}

/** Properties that say of themselves that they are required. */
function requiredByItself({ properties }: Fields): string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => (isObject(one) && one.required === true ? [name] : []));
}

function namesIn(list: readonly unknown[]): string[] {
  return [...new Set(list.filter((name) => typeof name === "string"))];
}

function takeType(value: unknown, schema: OpenSchema, lost: OpenSchema): void {
  const said = Array.isArray(value) ? value : [value];
  const types = said.map(typeNamed);
  if (types.includes(null)) lost.type = value;
  else if (!types.includes("any") && types.length > 0) {
    const names = [...new Set(types)];
    const isList = Array.isArray(value) && !(names.length === 1 && said.length > 1);
    schema.type = isList ? sameList(value, names) : names[0];
  }
}

/** Whether values of this type are among those that a schema's `type` allows. */
export function includesType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isSame(given: Fields, schema: Fields): boolean {
  const names = Object.keys(schema);
  return names.length === Object.keys(given).length && names.every((name) => Object.is(given[name], schema[name]));
}

function sameList(given: readonly unknown[], list: readonly unknown[]): readonly unknown[] {
  return list.length === given.length && list.every((one, at) => Object.is(one, given[at])) ? given : list;
}
