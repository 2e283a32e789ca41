import type { PendingRequest } from "../../contracts/approval.js";
import type { BaseTool } from "../../contracts/tool.js";

/**
 * Whether a question is about a call of this tool; its `input` then has the type of the tool's input. A schema that
 * changes values on the way is not applied: the input is as the model sent it.
 *
 * @example approver: (request) => isRequestFor(request, deleteFile) ? ask(request.input.path) : DENY
 */
export function isRequestFor<Input>(
  request: PendingRequest,
  tool: BaseTool<Input>,
): request is PendingRequest & { readonly input: Input } {
  return request.kind === "approval" && request.tool === tool.name;
}
