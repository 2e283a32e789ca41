// Asking the host: through an approver in this process, or by leaving the question in the session.
import type { HookPayloads } from "../contracts/hook.js";
import type { Answer, PendingRequest } from "../contracts/session.js";
import type { Question } from "./call-host.js";
import type { CallRun } from "./call-run.js";
import { strongDigest } from "./digest.js";
import type { RunState } from "./run-state.js";
import { isSigned, signAnswer } from "./signature.js";
import { describeThrown } from "./tool-result.js";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** What an approver answers; the engine adds the request's id. */
export type ApproverAnswer = WithoutId<Answer>;

/**
 * Answers approvals, questions and elicitations in this process. Called once for each request; other calls of the
 * turn go on meanwhile. Throwing, or an answer that is not understood, means deny.
 */
export type Approver = (
  request: PendingRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApproverAnswer> | ApproverAnswer;

/** Resolves with the answer, or with `undefined` once the call is over or waits for one. */
export async function askHost(run: RunState, call: CallRun, question: Question): Promise<Answer | undefined> {
  const digest = strongDigest({
    tool: call.tool?.definition() ?? null,
    input: question.input,
    kind: question.kind,
    reason: question.reason,
    rule: question.rule ?? null,
  });
  const at = call.earlier?.findIndex(({ request }) => request.digest === digest) ?? -1;
  const earlier = at < 0 ? undefined : call.earlier?.splice(at, 1)[0];
  if (earlier?.answer) {
    if (isSigned(earlier.request, earlier.answer, run.config.approvals.key)) {
      return unexpired(earlier.request, earlier.answer, run);
    }
    tellUnsigned(run, earlier.request);
  }
  const request = earlier?.request ?? newRequest(run, call, question, digest);
  const fromHook = await answerOfHook(run, call, question);
  if (call.over) return undefined;
  if (fromHook) {
    await run.remember(fromHook);
    return fromHook;
  }
  if (!earlier) {
    const { state } = question;
    run.recorder.record({ type: "pending", request, ...(state !== undefined && { state }) });
  }
  run.emit("approval-requested", { request });
  run.notifyHost(question.reason);
  if (!run.config.approver || question.defer) {
    call.suspend(request);
    return undefined;
  }
  // The question is kept before it is asked: it survives a crash of this process.
  if (!(await run.commit()) || call.over) return undefined;
  const given = await call.unlessOver(askApprover(run, call, request));
  if (!given || call.over) return undefined;
  const answer = unexpired(request, given, run);
  run.recorder.record({ type: "answer", answer: signed(run, request, answer) });
  await takeAnswer(run, request, answer);
  return call.over ? undefined : answer;
}

/** What an answer brings about beside letting the call go on. */
export async function takeAnswer(run: RunState, request: PendingRequest, answer: Answer): Promise<void> {
  await run.remember(unexpired(request, answer, run));
  if (request.kind === "approval") return;
  const [action, content] = "value" in answer ? (["accept", answer.value] as const) : (["decline", null] as const);
  await run.fire("ElicitationResult", { toolUseId: request.toolCallId, action, content });
}

function newRequest(run: RunState, call: CallRun, question: Question, digest: string): PendingRequest {
  const { expiresAfterMs } = run.config.approvals;
  return Object.freeze({
    v: 1,
    id: run.config.runtime.newId(),
    kind: question.kind,
    sessionId: run.transcriptId,
    agentPath: run.agentPath,
    toolCallId: call.call.id,
    tool: call.call.name,
    input: question.input,
    digest,
    reason: question.reason,
    suggestions: question.suggestions,
    ...(expiresAfterMs !== undefined && { expiresAt: run.config.runtime.now() + expiresAfterMs }),
  });
}

/** What this process's approver says is signed here, so that it is believed after a crash as well. */
export function signed(run: RunState, request: PendingRequest, answer: Answer): Answer {
  const { key } = run.config.approvals;
  return key === undefined ? answer : signAnswer(request, answer, key);
}

/** An answer that nobody with the key has given is as good as none. */
export function tellUnsigned(run: RunState, request: PendingRequest): void {
  run.notice("ANSWER_IGNORED", `The answer to "${request.id}" was not signed with the host's key; it was ignored.`);
}

async function askApprover(run: RunState, call: CallRun, request: PendingRequest): Promise<Answer> {
  try {
    return readAnswer(request, await run.config.approver!(request, { signal: call.signal }));
  } catch (error) {
    return { id: request.id, decision: "deny", reason: `The approver failed: ${describeThrown(error)}` };
  }
}

function readAnswer(request: PendingRequest, answer: ApproverAnswer | undefined): Answer {
  const { id } = request;
  if (typeof answer === "object" && answer !== null) {
    if ("decision" in answer && (answer.decision === "allow" || answer.decision === "deny")) return { ...answer, id };
    if ("value" in answer && answer.value !== undefined && request.kind !== "approval") return { ...answer, id };
  }
  return { id, decision: "deny", reason: "The approver gave an answer that is not understood." };
}

function unexpired(request: PendingRequest, answer: Answer, run: RunState): Answer {
  if (request.expiresAt === undefined || run.config.runtime.now() <= request.expiresAt) return answer;
  const { id, by } = answer;
  return { id, ...(by !== undefined && { by }), decision: "deny", reason: "The approval had expired by now." };
}

async function answerOfHook(run: RunState, call: CallRun, question: Question): Promise<Answer | undefined> {
  const about = { toolName: call.call.name, toolInput: call.args, toolUseId: call.call.id };
  if (question.kind === "elicitation") {
    await run.fire("Elicitation", {
      message: question.reason,
      toolUseId: call.call.id,
      requestedSchema: question.input,
    });
    return undefined;
  }
  if (question.kind !== "approval" || question.state !== undefined) return undefined;
  const payload: HookPayloads["PermissionRequest"] = {
    ...about,
    reason: question.reason,
    permissionSuggestions: question.suggestions,
  };
  const outcome = await run.fire("PermissionRequest", payload, call.call.name);
  const { permission, permissionReason: reason, updatedInput, updatedPermissions: remember = [] } = outcome ?? {};
  if (permission !== "allow" && permission !== "deny") return undefined;
  return {
    id: "",
    by: "a hook",
    decision: permission,
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(remember.length > 0 && { remember }),
  };
}
