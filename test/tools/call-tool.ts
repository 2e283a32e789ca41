import type { JsonValue } from "../../src/contracts/json.js";
import type { BaseTool, ToolContext } from "../../src/contracts/tool.js";
import { fakeToolContext } from "../../src/testing/fake-tool-context.js";

/** Parses and runs one call, as an engine would. Answers the output and the host's details. */
export async function callTool(tool: BaseTool, args: JsonValue, context: ToolContext = fakeToolContext()) {
  const result = await tool.execute(await tool.parse!(args), context);
  if (typeof result === "string") return { output: result, text: result };
  if (!("output" in result))
    throw new Error(`Tool "${tool.name}" yields progress; this helper is for those that do not.`);
  const text = typeof result.output === "string" ? result.output : "";
  return { ...result, text };
}
