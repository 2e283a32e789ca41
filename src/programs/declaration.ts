// A tool as a program sees it: one line of TypeScript, made of its schemas.
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { ToolDefinition } from "../contracts/tool-call.js";
import { isObject } from "../json/is-object.js";
import { clip } from "../text/cut.js";
import { asOneLine } from "../text/one-line.js";

const MAX_TEXT_CHARS = 200;
/** The limit of the input's type, and of the result's. */
const MAX_TYPE_CHARS = 600;
const MAX_CHOICES = 30;
const MAX_DEPTH = 6;
/** The result type of a tool that declares none: its text, or its data if it returns data. */
const UNDECLARED = "string | object";
/** References inside references. */
const MAX_REFERENCES = 4;

/** `name` is the one under which programs find the tool. */
export function declarationOf(name: string, { description, inputSchema, outputSchema }: ToolDefinition): string {
  const text = clip(asOneLine(description), MAX_TEXT_CHARS).replaceAll("*/", "* /");
  const input = isEmptyObject(inputSchema) ? "" : `input: ${typeText(inputSchema, "object")}`;
  const result = outputSchema === undefined ? UNDECLARED : typeText(outputSchema, "unknown");
  return `/** ${text} */ ${name}(${input}): Promise<${result}>`;
}

/** The type that a schema describes, or `otherwise` where that is too long. */
function typeText(schema: unknown, otherwise: string): string {
  const text = typeOf(schema, { root: schema, depth: 0, references: 0 });
  return text.length <= MAX_TYPE_CHARS ? text : `${otherwise} /* see describeTool() */`;
}

interface Place {
  readonly root: unknown;
  readonly depth: number;
  readonly references: number;
}

function typeOf(schema: unknown, place: Place): string {
  if (schema === false) return "never";
  if (!isObject(schema) || place.depth > MAX_DEPTH) return "unknown";
  const at = { ...place, depth: place.depth + 1 };
  const { $ref, const: only, enum: choices, type, items } = schema as JsonObject;
  if (typeof $ref === "string") {
    if (place.references >= MAX_REFERENCES) return "unknown";
    return typeOf(referred(place.root, $ref), { ...at, references: place.references + 1 });
  }
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) {
    const shown = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice));
    return [...shown, ...(choices.length > MAX_CHOICES ? ["string"] : [])].join(" | ");
  }
  const either = (schema as JsonObject).anyOf ?? (schema as JsonObject).oneOf;
  if (Array.isArray(either)) return union(either.map((each) => typeOf(each, at)));
  const { allOf } = schema as JsonObject;
  if (Array.isArray(allOf)) return [...new Set(allOf.map((each) => typeOf(each, at)))].join(" & ");
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each as JsonValue }, at)));
  if (type === "array" || (type === undefined && items !== undefined)) return arrayOf(schema as JsonObject, at);
  if (type === "object" || "properties" in schema) return objectOf(schema as JsonObject, at);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

function arrayOf({ items, prefixItems }: JsonObject, at: Place): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((each) => typeOf(each, at)).join(", ")}]`;
  const item = items === undefined ? "unknown" : typeOf(items, at);
  return / [|&] /.test(item) && !/^[{[]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties, required, additionalProperties }: JsonObject, at: Place): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, schema]) => `${propertyName(name)}${needed.has(name) ? "" : "?"}: ${typeOf(schema, at)}`,
  );
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  return isObject(additionalProperties) ? `Record<string, ${typeOf(additionalProperties, at)}>` : "object";
}

function referred(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").filter(Boolean);
  return steps.reduce<unknown>((from, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(from) && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
  }, root);
}

const union = (types: readonly string[]) => [...new Set(types)].join(" | ");

const propertyName = (name: string) => (isIdentifier(name) ? name : JSON.stringify(name));

export const isIdentifier = (name: string) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);

function isEmptyObject(schema: unknown): boolean {
  return (
    typeOf(schema, { root: schema, depth: 0, references: 0 }) === "object" &&
    !("additionalProperties" in Object(schema) && Reflect.get(Object(schema), "additionalProperties") === true)
  );
}
