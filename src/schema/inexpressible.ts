/*
 * Parts of a zod schema that no JSON can satisfy, such as `z.date()`: a tool with one could never be called. Found by the
 * structure of the definitions of zod 4, zod mini and zod 3.
 */

/** The schema to write instead, by the name of the type in zod 4. */
const INSTEAD: Readonly<Record<string, string>> = {
  date: "Write z.iso.datetime() or another string, or z.coerce.date(), in its place",
  bigint: "Write z.number(), a string, or z.coerce.bigint(), in its place",
  map: "Write z.record(), or an array of pairs, in its place",
  set: "Write z.array() in its place",
  symbol: "Write z.enum() or z.string() in its place",
  function: "Write what the function would answer, or the name of one, in its place",
  nan: "Write z.null() or z.string() in its place",
};

interface Definition {
  readonly [member: string]: unknown;
}

/** @throws Error that names the first place of a type that JSON does not have, and what to write instead */
export function assertExpressible(schema: object): void {
  const found = findInexpressible(schema, "", new Set());
  if (!found) return;
  const { path, type } = found;
  const where = path === "" ? "it" : `its field "${path}"`;
  throw new TypeError(`${where} is a ${type}, which no JSON of a model can be. ${INSTEAD[type]}.`);
}

interface Found {
  readonly path: string;
  readonly type: string;
}

function findInexpressible(schema: unknown, path: string, seen: Set<unknown>): Found | undefined {
  const definition = definitionOf(schema);
  if (!definition || seen.has(schema)) return undefined;
  seen.add(schema);
  const type = typeOf(definition);
  if (Object.hasOwn(INSTEAD, type)) return definition.coerce === true ? undefined : { path, type };
  const search = (inner: unknown, at = path) => findInexpressible(inner, at, seen);
  if (type === "union") {
    const found = optionsOf(definition.options).map((option) => search(option));
    // One choice that can be sent is enough.
    return found.every((each) => each !== undefined) ? found[0] : undefined;
  }
  for (const [inner, step] of partsOf(type, definition)) {
    const found = search(inner, step === "" ? path : path === "" ? step.replace(/^\./, "") : `${path}${step}`);
    if (found) return found;
  }
  return undefined;
}

/** The schemas that what is sent has to match, with the step that leads to each. */
function partsOf(type: string, definition: Definition): readonly (readonly [unknown, string])[] {
  switch (type) {
    case "object":
      return Object.entries(Object(called(definition.shape))).map(([name, inner]) => [inner, `.${name}`]);
    case "array":
      return [[definition.element ?? definition.type, "[]"]];
    case "tuple":
      return [...optionsOf(definition.items).map((item, at) => [item, `[${at}]`] as const), [definition.rest, "[]"]];
    case "record":
      return [[definition.valueType, "[…]"]];
    case "intersection":
      return [
        [definition.left, ""],
        [definition.right, ""],
      ];
    case "lazy":
      return [[called(definition.getter), ""]];
    case "pipe":
    case "pipeline":
      // A value made by a function is no longer JSON.
      return typeOf(definitionOf(definition.in) ?? {}) === "transform" ? [] : [[definition.in, ""]];
    case "effects": {
      const { type: effect } = Object(definition.effect) as { type?: unknown };
      return effect === "preprocess" ? [] : [[definition.schema, ""]];
    }
    case "branded":
      return [[definition.type, ""]];
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
      return [[definition.innerType, ""]];
    default:
      return [];
  }
}

function definitionOf(schema: unknown): Definition | undefined {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return undefined;
  const core: unknown = Reflect.get(schema, "_zod");
  const definition: unknown = core ? Reflect.get(Object(core), "def") : Reflect.get(schema, "_def");
  return typeof definition === "object" && definition !== null ? (definition as Definition) : undefined;
}

/** As zod 4 names it: `ZodBigInt` of zod 3 is `bigint`. */
function typeOf({ typeName, type }: Definition): string {
  if (typeof typeName !== "string") return typeof type === "string" ? type : "";
  const name = typeName.replace(/^Zod/, "").toLowerCase();
  return name === "discriminatedunion" ? "union" : name;
}

function optionsOf(options: unknown): readonly unknown[] {
  return Array.isArray(options) ? options : options instanceof Map ? [...options.values()] : [];
}

/** A getter may stand before what it gets: then the schema's own converter finds out later. */
function called(value: unknown): unknown {
  if (typeof value !== "function") return value;
  try {
    return value();
  } catch {
    return undefined;
  }
}
