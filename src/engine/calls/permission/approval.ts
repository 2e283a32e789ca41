// Approvers answer questions in the engine's own process.
import type { Answer, PendingRequest } from "../../../contracts/approval.js";
import type { BaseTool } from "../../../contracts/tool.js";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** An approver's answer; the engine adds the request's id. */
export type ApproverAnswer = WithoutId<Answer>;

/**
 * Answers approvals, questions and elicitations in this process. Called once for each request; other calls of the
 * turn go on meanwhile. Throwing, or an answer that is not understood, means deny.
 */
export type Approver = (
  request: PendingRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApproverAnswer> | ApproverAnswer;

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
