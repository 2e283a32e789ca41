import type { JsonSchema } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { isObject } from "../../json/is-object.js";
import { PassingReader } from "../shared/http/passing-reader.js";
import type { EventReader } from "../shared/http/response-stream.js";
import type { SourceSchema } from "../shared/request/schema-dialect.js";
import { pointedAt } from "../shared/request/valid-schema.js";

/**
 * A reader of an answer in strict mode. There, a property that is optional in the host's schema comes as `null`; it is
 * taken out again, so that the answer fits the schema it was asked for. The answer's text comes as one piece at its end.
 */
export class StrictAnswerReader extends PassingReader {
  #text = "";

  constructor(
    inner: EventReader,
    private readonly schema: JsonSchema,
  ) {
    super(inner);
  }

  protected take(event: ProviderEvent): void {
    if (event.type === "text-delta") {
      this.#text += event.text;
      return;
    }
    if (event.type === "message-end" && this.#text !== "") {
      this.events.push({ type: "text-delta", text: withoutOptionalNulls(this.#text, this.schema) });
    }
    this.events.push(event);
  }
}

/** The same for the arguments of strict tools, which come as one piece at the end of their call. `schemas` are those tools' own. */
export class StrictCallsReader extends PassingReader {
  readonly #open = new Map<number, JsonSchema>();

  constructor(
    inner: EventReader,
    private readonly schemas: ReadonlyMap<string, JsonSchema>,
  ) {
    super(inner);
  }

  protected take(event: ProviderEvent): void {
    if (event.type === "tool-call-start") {
      const schema = this.schemas.get(event.name);
      if (schema) this.#open.set(event.index, schema);
    }
    const schema = "index" in event ? this.#open.get(event.index) : undefined;
    if (!schema || event.type === "tool-call-start") this.events.push(event);
    else if (event.type === "tool-call-end") this.#end(event, schema);
  }

  #end({ type, index, call }: Extract<ProviderEvent, { type: "tool-call-end" }>, schema: JsonSchema): void {
    const json = call.malformed ?? withoutOptionalNulls(JSON.stringify(call.arguments), schema);
    this.events.push({ type: "tool-call-delta", index, json });
    const isWhole = call.malformed === undefined;
    this.events.push({ type, index, call: isWhole ? { ...call, arguments: JSON.parse(json) } : call });
  }
}

function withoutOptionalNulls(text: string, schema: JsonSchema): string {
  try {
    return JSON.stringify(clean(JSON.parse(text), schema, schema, 0));
  } catch {
    return text; // A refusal, or an answer that was cut off.
  }
}

/** Deeper values are left as they are: nothing is as deep, except what is meant to do harm. */
const MAX_DEPTH = 200;

function clean(value: unknown, schema: unknown, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  const schemas = branchesOf(schema, root, 0);
  if (Array.isArray(value)) {
    const items = schemas.find(({ items }) => isObject(items))?.items;
    return value.map((item) => clean(item, items, root, depth + 1));
  }
  const cleaned: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const owner = schemas.find(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
    const property = isObject(owner?.properties) ? owner.properties[name] : undefined;
    const isRequired = Array.isArray(owner?.required) && owner.required.includes(name);
    if (item === null && owner && !isRequired && !takesNull(property, root)) continue;
    cleaned[name] = clean(item, property, root, depth + 1);
  }
  return cleaned;
}

/** The schemas that a value may follow: references resolved, alternatives and parts side by side. */
function branchesOf(schema: unknown, root: JsonSchema, depth: number): SourceSchema[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  if (typeof schema.$ref === "string") {
    return schema.$ref.startsWith("#") ? branchesOf(pointedAt(schema.$ref, root), root, depth + 1) : [];
  }
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [schema, ...inner.flatMap((one) => branchesOf(one, root, depth + 1))];
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  return branchesOf(schema, root, 0).some(
    ({ type, enum: values }) =>
      type === "null" ||
      (Array.isArray(type) && type.includes("null")) ||
      (Array.isArray(values) && values.includes(null)),
  );
}
