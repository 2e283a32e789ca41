import type { JsonSchema } from "../../../contracts/json.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { descriptionWith } from "./merged-schema.js";
import { pointedAt, validSchema } from "./valid-schema.js";

/** Longest choice that is repeated in words. Unit: characters. */
const MAX_CHOICE_CHARS = 4_000;

/**
 * A tool's schema with `type: "object"` and properties at its root, which every vendor insists on, and without a choice
 * there, which some refuse. Alternatives become one object: its properties are those of all of them, and required is what
 * all of them require; the choice itself is in the description. The schema itself when it is an object already.
 */
export function objectSchema(schema: JsonSchema): JsonSchema {
  return asObject(validSchema(schema));
}

function asObject(schema: JsonSchema): JsonSchema {
  const root = resolved(schema);
  if (!isChoice(root)) {
    const isWhole = root.type === "object" && isObject(root.properties);
    return isWhole ? root : { ...root, type: "object", properties: root.properties ?? {} };
  }
  const { anyOf, oneOf, allOf, ...rest } = root;
  const choices = [anyOf, oneOf].filter(Array.isArray);
  const parts = Array.isArray(allOf) ? allOf.map((part) => branch(part, schema)) : [];
  const merges = [rest, ...parts, ...choices.map((list) => alternatives(list, schema))];
  const description = choices.length > 0 && describedChoice(rest.description, { anyOf, oneOf });
  return { ...rest, type: "object", properties: {}, ...merged(merges), ...(description && { description }) };
}

/** The description of a choice: the merged object does not say which properties belong together. */
function describedChoice(description: unknown, choice: Fields): string | undefined {
  const brief = (one: unknown): unknown => {
    const { title: _, description: __, type: ___, ...rest } = isObject(one) ? one : {};
    return rest;
  };
  const said = Object.entries(choice).flatMap(([keyword, list]) =>
    Array.isArray(list) ? [[keyword, list.map(brief)]] : [],
  );
  const lost = Object.fromEntries(said) as Record<string, unknown>;
  return JSON.stringify(lost).length > MAX_CHOICE_CHARS ? undefined : descriptionWith(description, lost);
}

/** A root that only refers to a definition is that definition; the definitions stay with it. */
export function resolved(schema: Fields, root: Fields = schema): Fields {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return schema;
  const target = pointedAt($ref, root);
  if (!isObject(target) || target.$ref !== undefined) return schema;
  const definitions = isObject(rest.$defs) && isObject(target.$defs) && { $defs: { ...target.$defs, ...rest.$defs } };
  return { ...rest, ...target, ...definitions };
}

function branch(schema: unknown, root: Fields): Fields {
  const own = isObject(schema) ? resolved(schema, root) : {};
  return isChoice(own) ? asObject(own) : own;
}

function isChoice({ anyOf, oneOf, allOf }: Fields): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf) || Array.isArray(allOf);
}

/** The properties of all alternatives, and the names that each of them requires. */
function alternatives(list: readonly unknown[], root: Fields): Fields {
  const branches = list.map((item) => branch(item, root));
  const properties: Record<string, unknown> = {};
  for (const { properties: own } of branches) {
    if (!isObject(own)) continue;
    for (const [name, value] of Object.entries(own)) {
      properties[name] = Object.hasOwn(properties, name) ? eitherOf(properties[name], value) : value;
    }
  }
  const [first = [], ...others] = branches.map(({ required }) => (Array.isArray(required) ? required : []));
  return { properties, required: first.filter((name) => others.every((names) => names.includes(name))) };
}

function eitherOf(a: unknown, b: unknown): unknown {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const known = isObject(a) && Array.isArray(a.anyOf) && Object.keys(a).length === 1 ? a.anyOf : [a];
  return { anyOf: [...known, b] };
}

/** Properties and required names of everything that has to hold at once. */
function merged(parts: readonly Fields[]): Fields {
  const properties: Record<string, unknown> = {};
  const required = new Set<unknown>();
  for (const part of parts) {
    if (isObject(part.properties)) Object.assign(properties, part.properties);
    if (Array.isArray(part.required)) for (const name of part.required) required.add(name);
  }
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  };
}
