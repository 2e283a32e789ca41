import type { JsonSchema } from "../../../contracts/json.js";
import { isRecord } from "../is-record.js";

type Schema = { readonly [keyword: string]: unknown };

/**
 * A tool's schema with `type: "object"` at its root, which every vendor insists on, and without a choice there, which
 * some refuse. Alternatives become one object: its properties are those of all of them, and required is what all of them
 * require. The schema itself when it is an object already.
 */
export function objectSchema(schema: JsonSchema): JsonSchema {
  const root = resolved(schema, schema);
  if (root.type === "object" && !isChoice(root)) return root;
  const { anyOf, oneOf, allOf, ...rest } = root;
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? [alternatives(list, schema)] : []));
  const parts = Array.isArray(allOf) ? allOf.map((part) => branch(part, schema)) : [];
  if (choices.length === 0 && parts.length === 0) return root.type === "object" ? root : { ...root, type: "object" };
  return { ...rest, type: "object", ...merged([rest, ...parts, ...choices]) };
}

/** A root that only refers to a definition is that definition; the definitions stay with it. */
export function resolved(schema: Schema, root: Schema = schema): Schema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return schema;
  let target: unknown = root;
  for (const name of $ref.slice(2).split("/")) {
    target = isRecord(target) ? target[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isRecord(target) && target.$ref === undefined ? { ...rest, ...target } : schema;
}

function branch(schema: unknown, root: Schema): Schema {
  const own = isRecord(schema) ? resolved(schema, root) : {};
  return isChoice(own) ? objectSchema(own) : own;
}

function isChoice({ anyOf, oneOf, allOf }: Schema): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf) || Array.isArray(allOf);
}

/** What holds whichever alternative is taken. */
function alternatives(list: readonly unknown[], root: Schema): Schema {
  const branches = list.map((item) => branch(item, root));
  const properties: Record<string, unknown> = {};
  for (const { properties: own } of branches) {
    if (!isRecord(own)) continue;
    for (const [name, value] of Object.entries(own)) {
      properties[name] = Object.hasOwn(properties, name) ? eitherOf(properties[name], value) : value;
    }
  }
  const [first = [], ...others] = branches.map(({ required }) => (Array.isArray(required) ? required : []));
  return { properties, required: first.filter((name) => others.every((names) => names.includes(name))) };
}

function eitherOf(a: unknown, b: unknown): unknown {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const known = isRecord(a) && Array.isArray(a.anyOf) && Object.keys(a).length === 1 ? a.anyOf : [a];
  return { anyOf: [...known, b] };
}

/** Properties and required names of everything that has to hold at once. */
function merged(parts: readonly Schema[]): Schema {
  const properties: Record<string, unknown> = {};
  const required = new Set<unknown>();
  for (const part of parts) {
    if (isRecord(part.properties)) Object.assign(properties, part.properties);
    if (Array.isArray(part.required)) for (const name of part.required) required.add(name);
  }
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  };
}
