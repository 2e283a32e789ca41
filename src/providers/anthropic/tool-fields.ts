import type { JsonSchema } from "../../contracts/json.js";
import type { ToolChoice } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { objectSchema } from "../shared/object-schema.js";
import { portableToolName } from "../shared/portable-names.js";
import type { AnthropicBlock, AnthropicMessage } from "./wire.js";

/** The tool that a structured answer is asked for with, where the API has no other way. */
export const OUTPUT_TOOL = "structured_output";

/** The tools as they go over the wire. */
export function wireTools(tools: readonly ToolDefinition[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name: portableToolName(name),
    ...(description !== "" && { description }),
    input_schema: objectSchema(inputSchema),
  }));
}

/** The structured answer as a tool. */
export function wireOutputTool(schema: JsonSchema): object {
  const description = "Gives the final answer. Call it once, when no other tool is needed any more.";
  return { name: OUTPUT_TOOL, description, input_schema: objectSchema(schema) };
}

/** Stand-ins for tools that the messages speak of although the request has none: the API insists on their definitions. */
export function toolsOfHistory(messages: readonly AnthropicMessage[]): object[] {
  const names = new Set<unknown>();
  for (const { content } of messages) for (const block of content) if (isCall(block)) names.add(block.name);
  return [...names].map((name) => ({ name, description: "Not available any more.", input_schema: { type: "object" } }));
}

/** What `tool_choice` says; `undefined` leaves it out. */
export function wireToolChoice(choice: ToolChoice, parallelToolCalls: boolean | undefined): object | undefined {
  if (choice === "none") return { type: "none" };
  const parallel = parallelToolCalls === undefined ? {} : { disable_parallel_tool_use: !parallelToolCalls };
  if (choice === "auto") return parallelToolCalls === undefined ? undefined : { type: "auto", ...parallel };
  if (choice === "required") return { type: "any", ...parallel };
  return { type: "tool", name: portableToolName(choice.name), ...parallel };
}

function isCall({ type }: AnthropicBlock): boolean {
  return type === "tool_use";
}
