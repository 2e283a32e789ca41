import type { Answer, PendingRequest } from "../../../contracts/approval.js";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** What an approver returns; the engine adds the request's id. */
export type ApproverAnswer = WithoutId<Answer>;

/**
 * Answers approvals, questions and elicitations in this process. Called once for each request; other calls of the
 * turn go on meanwhile. Throwing, or an answer that is not understood, means deny.
 */
export type Approver = (
  request: PendingRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApproverAnswer> | ApproverAnswer;
