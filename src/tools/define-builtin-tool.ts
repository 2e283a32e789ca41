import type { JsonObject } from "../contracts/json.js";
import type { BaseTool } from "../contracts/tool.js";
import { defineTool, type ToolOptions } from "../engine/tools/define-tool.js";
import { readToolArguments } from "../schema/tool-arguments.js";

/**
 * Makes a built-in tool: as `defineTool`, but arguments it does not have are refused with the nearest one it has, and a
 * number, boolean, array or object that was sent as a string is taken for what it says.
 */
export function defineBuiltinTool<Input = JsonObject>(options: ToolOptions<Input>): BaseTool<Input> {
  const tool = defineTool(options);
  return Object.freeze({
    ...tool,
    parse: (args) => tool.parse!(readToolArguments(tool.name, tool.definition().inputSchema, args)),
  } satisfies BaseTool<Input>);
}
