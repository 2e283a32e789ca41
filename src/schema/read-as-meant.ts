/*
 * Values that a model wrote in another form than the schema wants, read for what they say.
 *
 * A text is taken as a number, a boolean, an array or an object only where the schema wants such a value, takes no text,
 * and the text is exactly that; `null` for a property that may be left out and cannot be null is left out. Whatever the
 * schema may take as it is stays as it is.
 */
import type { JsonObject, JsonSchema, JsonValue } from "../contracts/json.js";
import { isObject } from "../json/is-object.js";

/** Deeper parts of a value are left as they are. */
const MAX_DEPTH = 64;

/** The value as the schema means it; the same value where nothing had to be read. */
export function readAsMeant(value: JsonValue, schema: JsonSchema): JsonValue {
  return readValue(value, schema, { root: schema, depth: 0 });
}

interface Place {
  /** The schema where references start. */
  readonly root: JsonSchema;
  readonly depth: number;
}

function readValue(sent: JsonValue, schema: unknown, place: Place): JsonValue {
  if (place.depth > MAX_DEPTH) return sent;
  const choices = choicesOf(schema, place);
  const value = takesKind(choices, kindOf(sent)) ? sent : readText(sent, choices);
  // Only the one choice of the value's kind is followed.
  const fitting = choices?.filter((choice) => takesKind([choice], kindOf(value))) ?? [];
  const [choice] = fitting;
  if (choice === undefined || fitting.length > 1) return value;
  const inner = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    // Older dialects list the schemas of a tuple in `items` itself.
    const { prefixItems = choice.items, items } = choice;
    const schemaAt = (index: number) => (Array.isArray(prefixItems) ? prefixItems[index] : undefined) ?? items;
    return value.map((item: JsonValue, index) => readValue(item, schemaAt(index), inner));
  }
  return isObject(value) ? readObject(value, choice, inner) : value;
}

function readObject(value: JsonObject, schema: JsonSchema, place: Place): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const read = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    if (!Object.hasOwn(properties, name)) return [[name, readValue(item, schema.additionalProperties, place)]];
    // Providers that must name every argument give null for an optional one that is left out.
    const isLeftOut =
      item === null && !required.includes(name) && !takesKind(choicesOf(properties[name], place), "null");
    return isLeftOut ? [] : [[name, readValue(item, properties[name], place)]];
  });
  return Object.fromEntries(read);
}

/** The schemas of which a value has to match one, without alternatives of their own; `undefined` when that is not known. */
function choicesOf(schema: unknown, place: Place, depth = 0): readonly JsonSchema[] | undefined {
  if (!isObject(schema) || depth > MAX_DEPTH || "allOf" in schema || "not" in schema) return undefined;
  if (typeof schema.$ref === "string") return choicesOf(referred(place.root, schema.$ref), place, depth + 1);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(alternatives)) return [schema];
  if ("properties" in schema) return undefined;
  const choices = alternatives.map((each) => choicesOf(each, place, depth + 1));
  return choices.includes(undefined) ? undefined : choices.flatMap((each) => each ?? []);
}

function referred(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split("/").filter(Boolean)) {
    const key = decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as Kind);
}

/** Whether one of the choices may take such a value. What is not known may. */
function takesKind(choices: readonly JsonSchema[] | undefined, kind: Kind): boolean {
  return choices === undefined || choices.some((schema) => kindsOf(schema)?.includes(kind) ?? true);
}

/** The kinds of value a schema takes; `undefined` for any. */
function kindsOf(schema: JsonSchema): readonly Kind[] | undefined {
  const { type, enum: values } = schema;
  if ("const" in schema) return [kindOf(schema.const)];
  if (Array.isArray(values)) return values.map(kindOf);
  const types = Array.isArray(type) ? type : typeof type === "string" ? [type] : undefined;
  return types?.map((each) => (each === "integer" ? "number" : (each as Kind)));
}

function readText(value: JsonValue, choices: readonly JsonSchema[] | undefined): JsonValue {
  if (typeof value !== "string") return value;
  const takes = (kind: Kind) => takesKind(choices, kind);
  const lower = value.trim().toLowerCase();
  if (takes("number") && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(lower)) return Number(lower);
  if (takes("boolean") && (lower === "true" || lower === "false")) return lower === "true";
  if (!/^[[{]/.test(lower)) return value;
  try {
    const parsed: JsonValue = JSON.parse(value);
    return takes(kindOf(parsed)) ? parsed : value;
  } catch {
    return value;
  }
}
