// Asking the host about a plan. What nobody in this process answers becomes a question in the session, bound to a call that is
// open there, as every other question is.
import type { Answer, PendingRequest } from "../../contracts/approval.js";
import { PermissionError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { SessionRecord } from "../../contracts/session.js";
import { isSigned } from "../../engine/calls/permission/sign-answer.js";
import { freeCallId } from "../../engine/transcript/message-shape.js";
import { openQuestions } from "../../engine/transcript/open-turn.js";
import { HOST_AUTHOR } from "../../engine/transcript/transcript.js";
import { copyJson } from "../../json/copy.js";
import { strongDigest } from "../../json/digest.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { APPROVAL, isTooLate, withinTime } from "../host-part.js";
import { PLAN_ENTRY, type PlanRecord } from "../records.js";
import type { Work } from "../work.js";
import { invalidPlan, planRules } from "./decompose.js";
import type { Plan, PlannedTask } from "./plan.js";
import { readPlan } from "./read-plan.js";

/** The name under which plans are asked about. */
export const PLAN_TOOL = "scheduler_plan";
const INTRODUCTION = "The application asked its user about the following plan. The call was not yours.";

/** The decision about a plan. */
type Decided =
  | { readonly kind: "approved"; readonly plan: Plan; readonly isChanged: boolean }
  | { readonly kind: "refused"; readonly reason: string };

export type Approval = Decided | { readonly kind: "waiting"; readonly request: PendingRequest };

/** @throws RunError `PLAN_INVALID` for a changed plan that is not valid */
export async function approvePlan(work: Work, number: number, plan: Plan): Promise<Approval> {
  const asked = openQuestions(work.journal.transcript.open).find(({ tool }) => tool === PLAN_TOOL);
  if (asked) return answerFromHost(work, number, plan, asked);
  const { approvePlan: decide } = work.options;
  if (!decide) {
    const approval = { kind: "approved", plan, isChanged: false } as const;
    await work.journal.record(recordOf(number, approval));
    return approval;
  }
  let said: unknown;
  try {
    const timeoutMs = work.limits.approvalTimeoutMs ?? null;
    said = await withinTime(work, APPROVAL, ({ signal }) => decide(plan, { number, signal }), timeoutMs);
  } catch (cause) {
    work.signal.throwIfAborted();
    if (isTooLate(cause)) return ask(work, number, plan);
    throw refusedPlan(`approvePlan() failed: ${describeThrown(cause)}`);
  }
  if (said === "ask") return ask(work, number, plan);
  const approval = await readDecision(work, plan, said);
  await work.journal.record(recordOf(number, approval));
  return approval;
}

async function ask(work: Work, number: number, plan: Plan): Promise<Approval> {
  const request = await leaveQuestion(work, number, plan);
  work.events.emit("approval-requested", { request, taskId: null });
  const { approver } = work.parts.config;
  if (!approver) return { kind: "waiting", request };
  let given: Answer;
  try {
    const said = await withinTime(work, "approver", ({ signal }) => approver(request, { signal }), null);
    given = { ...said, id: request.id };
  } catch (error) {
    work.signal.throwIfAborted();
    given = { id: request.id, decision: "deny", reason: `The approver failed: ${describeThrown(error)}` };
  }
  return takeAnswer(work, number, plan, request, given);
}

/** In the session: a call of the host that is open until the question is answered. */
async function leaveQuestion({ id, parts, journal }: Work, number: number, plan: Plan): Promise<PendingRequest> {
  const { runtime, approvals } = parts.config;
  const input = copyJson(plan);
  // A run in this session may have denied an earlier question about the same plan.
  const toolCallId = freeCallId(`plan-${number}`, (taken) => journal.transcript.callIds.has(taken));
  const request: PendingRequest = Object.freeze({
    v: 1,
    id: runtime.newId(),
    kind: "question",
    sessionId: id,
    agentPath: [],
    toolCallId,
    tool: PLAN_TOOL,
    input,
    digest: strongDigest([PLAN_TOOL, input]),
    reason: `Approve this plan of ${plan.tasks.length} tasks?`,
    suggestions: [],
    ...(approvals.expiresAfterMs !== undefined && { expiresAt: runtime.now() + approvals.expiresAfterMs }),
  });
  const content = [{ type: "tool-call" as const, id: toolCallId, name: PLAN_TOOL, arguments: input }];
  const message = { role: "assistant" as const, content, finishReason: "tool-calls" as const, ...HOST_AUTHOR };
  const introduction = { role: "user" as const, content: [{ type: "text" as const, text: INTRODUCTION }] };
  await journal.record(
    { type: "message", message: { ...introduction, origin: "reminder" } },
    { type: "message", message },
    { type: "pending", request, state: null },
  );
  return request;
}

async function answerFromHost(work: Work, number: number, plan: Plan, request: PendingRequest): Promise<Approval> {
  const answer = work.answers.find(({ id }) => id === request.id);
  if (!answer || !isSigned(request, answer, work.parts.config.approvals.key)) return { kind: "waiting", request };
  return takeAnswer(work, number, plan, request, answer);
}

/** The answer, and what follows from it, are kept together or not at all. */
async function takeAnswer(
  work: Work,
  number: number,
  plan: Plan,
  request: PendingRequest,
  given: Answer,
): Promise<Approval> {
  const answer = copyJson(given, true) as unknown as Answer;
  const isLate = request.expiresAt !== undefined && work.parts.config.runtime.now() > request.expiresAt;
  const approval: Decided = isLate
    ? { kind: "refused", reason: "The answer came too late." }
    : await readAnswer(work, plan, answer);
  const output = approval.kind === "approved" ? "The plan was approved." : "The plan was not approved.";
  const result = { toolCallId: request.toolCallId, name: PLAN_TOOL, output, durationMs: 0 };
  const status = approval.kind === "approved" ? "success" : "denied";
  const error = status === "denied" && { details: { code: "PERMISSION_DENIED" } };
  await work.journal.record(
    { type: "answer", answer },
    { type: "tool-result", result: { ...result, isError: status === "denied", status, ...error } },
    recordOf(number, approval),
  );
  return approval;
}

/** A decision, or a value: what `approvePlan` may return, or a reason against the plan in words. */
async function readAnswer(work: Work, plan: Plan, answer: Answer): Promise<Decided> {
  if ("value" in answer) return readDecision(work, plan, answer.value);
  const { decision, reason, updatedInput } = answer;
  if (decision !== "allow") return { kind: "refused", reason: reason ?? "The host did not approve it." };
  return updatedInput === undefined ? { kind: "approved", plan, isChanged: false } : changed(work, updatedInput);
}

const YES: ReadonlySet<unknown> = new Set([true, "allow", "yes", "approve"]);
const NO: ReadonlySet<unknown> = new Set([false, "deny", "no"]);

async function readDecision(work: Work, plan: Plan, said: unknown): Promise<Decided> {
  if (YES.has(said)) return { kind: "approved", plan, isChanged: false };
  if (typeof said === "object" && said !== null) return changed(work, said);
  if (said === undefined || said === null) {
    return {
      kind: "refused",
      reason: 'approvePlan() returned nothing; it has to return true, false, "ask" or a plan.',
    };
  }
  const isWords = typeof said === "string" && !NO.has(said) && said.trim() !== "";
  return { kind: "refused", reason: isWords ? said : "The host did not approve it." };
}

/** @throws RunError `PLAN_INVALID` */
async function changed(work: Work, said: object | JsonValue): Promise<Decided> {
  const { plan, issues } = await readPlan(said, planRules(work));
  if (!plan) throw invalidPlan(issues);
  return { kind: "approved", plan, isChanged: true };
}

function recordOf(number: number, approval: Decided): SessionRecord {
  const tasks = approval.kind === "approved" && approval.isChanged ? { tasks: approval.plan.tasks } : {};
  const record: PlanRecord =
    approval.kind === "approved"
      ? { v: 1, kind: "approved", number, ...tasks }
      : { v: 1, kind: "refused", number, reason: approval.reason };
  return { type: "custom", name: PLAN_ENTRY, data: record as unknown as JsonValue };
}

/** The plan that an earlier process has proposed. */
export function proposedPlan(goal: string, tasks: readonly PlannedTask[]): Plan {
  return Object.freeze({ goal, tasks });
}

export function refusedPlan(reason: string): PermissionError {
  return new PermissionError("PERMISSION_DENIED", { message: `The plan was not approved: ${reason}` });
}
