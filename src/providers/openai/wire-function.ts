import type { JsonSchema } from "../../contracts/json.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { objectSchema } from "../shared/request/object-schema.js";
import type { OpenAISettings } from "./options.js";
import { toStrictSchema } from "./strict-schema.js";

/** One of our tools as OpenAI describes functions. What stands behind its schema is the vendor's own. */
export function wireFunction(
  { name, description, inputSchema }: ToolDefinition,
  options: OpenAISettings["toolOptions"],
  parameters: { readonly parameters?: JsonSchema; readonly strict?: false },
  callers?: readonly string[],
): object {
  const { strict, deferLoading } = Object.hasOwn(options, name) ? options[name]! : {};
  return {
    name,
    description,
    ...(strict ? { parameters: toStrictSchema(objectSchema(inputSchema)).schema, strict } : parameters),
    ...(deferLoading && { defer_loading: true }),
    ...(callers && { allowed_callers: callers }),
  };
}

/** The schemas of the strict tools among those of a request, by name. */
export function strictSchemas(
  tools: readonly ToolDefinition[],
  options: OpenAISettings["toolOptions"],
): ReadonlyMap<string, JsonSchema> {
  const strict = tools.filter(({ name }) => Object.hasOwn(options, name) && options[name]!.strict);
  return new Map(strict.map(({ name, inputSchema }) => [name, inputSchema]));
}
