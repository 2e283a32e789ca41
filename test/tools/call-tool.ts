import type { JsonValue } from "../../src/contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../src/contracts/tool.js";
import { fakeToolContext } from "../../src/testing/tool/fake-tool-context.js";

/** Parses and runs one call, as an engine would. Answers the output, also as text, and the host's details. */
export async function callTool(tool: BaseTool, args: JsonValue, context: Partial<ToolContext> = {}) {
  const result = await tool.execute(await tool.parse!(args), fakeToolContext(context));
  if (typeof result === "string") return { output: result, text: result, details: undefined };
  if (typeof result !== "object" || result === null || !("output" in result))
    throw new Error(`Tool "${tool.name}" yields progress; callTool is for those that do not.`);
  const { output, details } = result as Extract<ToolOutput, { readonly output: unknown }>;
  return { output, text: typeof output === "string" ? output : "", details };
}
