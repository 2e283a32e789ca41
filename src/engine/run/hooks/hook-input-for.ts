import type { HookInput, HookPayloads } from "../../../contracts/hook.js";
import type { BaseTool } from "../../../contracts/tool.js";

/**
 * Whether a hook is asked about a call of this tool, or one of the calls at `PostToolBatch` is one; its `toolInput` then has the
 * type of the tool's input. A schema that changes values on the way is not applied: the input is as the model sent it.
 *
 * @example run: (input) => isHookInputFor(input, deleteFile) && isKept(input.toolInput.path) ? { decision: "block" } : {}
 */
export function isHookInputFor<Input, Given extends HookInput | HookPayloads["PostToolBatch"]["toolCalls"][number]>(
  input: Given,
  tool: BaseTool<Input>,
): input is Extract<Given, { readonly toolInput: unknown }> & { readonly toolInput: Input } {
  return "toolName" in input && input.toolName === tool.name;
}
