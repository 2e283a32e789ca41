// Asking the host: through an approver in this process, or by leaving the question in the session.
import type { Answer, PendingRequest } from "../../../contracts/approval.js";
import type { HookOutcome, HookPayloads } from "../../../contracts/hook.js";
import type { JsonValue } from "../../../contracts/json.js";
import { copyJson, equalJson } from "../../../json/copy.js";
import { strongDigest } from "../../../json/digest.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import type { RunState } from "../../run/run-state.js";
import { describeCall } from "../../transcript/describe-call.js";
import type { EarlierQuestion, PendingCall } from "../pending-call.js";
import type { ApproverAnswer } from "./approval.js";
import { signAnswer } from "./sign-answer.js";

/** The question of a call to the host. */
interface Question extends Pick<PendingRequest, "kind" | "reason" | "input" | "suggestions"> {
  /** The rule that asks, as it is written: an answer counts for this rule only. */
  readonly rule?: string;
  /** The data that the tool gets back when it is entered again. */
  readonly state?: JsonValue;
  /** Suspend even if there is an approver. */
  readonly defer?: boolean;
}

/**
 * Resolves with the answer, or with `undefined` once the call is over or suspended. The message is recorded first: a
 * question is about a call that is in the session.
 */
export async function obtainAnswer(call: PendingCall, question: Question): Promise<Answer | undefined> {
  const { run } = call;
  await call.message.whenRecorded(call);
  if (call.isOver) return undefined;
  const within = frameOf(call);
  const digest = strongDigest({
    tool: call.tool?.definition() ?? null,
    input: question.input,
    kind: question.kind,
    reason: question.reason,
    rule: question.rule ?? null,
    ...(within && { within }),
  });
  // An answer counts for the question as it was shown.
  const isSame = ({ request }: EarlierQuestion) => request.digest === digest && equalJson(request.within, within);
  const at = call.earlier?.findIndex(isSame) ?? -1;
  const earlier = at < 0 ? undefined : call.earlier?.splice(at, 1)[0];
  if (earlier?.answer) return unexpired(earlier.request, earlier.answer, run);
  const request = earlier?.request ?? newRequest(call, question, digest, within);
  const fromHook = await answerOfHooks(call, question);
  if (call.isOver) return undefined;
  if (fromHook && question.kind === "approval") {
    const answer = { ...fromHook, id: request.id };
    await remember(run, answer);
    return answer;
  }
  // A call waits with its newest question: an earlier one is recorded again when others came after it.
  if (run.transcript.open?.askedBy(call.call.id).at(-1)?.request.id !== request.id) {
    const { state } = question;
    run.recorder.record({ type: "pending", request, ...(state !== undefined && { state }) });
  }
  run.emit("approval-requested", { request });
  if (fromHook) return answeredBy(call, request, readAnswer(request, fromHook));
  run.hooks.fireNotification(request);
  if (!run.config.approver || question.defer) {
    call.suspend(request);
    return undefined;
  }
  // The question is committed before it is asked: it survives a crash of this process.
  if (!(await run.commit()) || call.isOver) return undefined;
  const given = await call.unlessOver(askApprover(call, request));
  if (!given || call.isOver) return undefined;
  return answeredBy(call, request, unexpired(request, given, run));
}

async function answeredBy(call: PendingCall, request: PendingRequest, given: Answer): Promise<Answer | undefined> {
  const answer = await recordAnswer(call.run, request, given);
  return call.isOver ? undefined : answer;
}

/**
 * Records an answer, reports it, and remembers the rules that come with it. Returns it as hooks have left it. What this
 * process takes for an answer is signed here, so that it is believed after a crash as well.
 */
export async function recordAnswer(run: RunState, request: PendingRequest, given: Answer): Promise<Answer> {
  const { key } = run.config.approvals;
  const answer = request.kind === "approval" ? given : await afterElicitationHooks(run, request, given);
  const kept = key === undefined || answer.signature !== undefined ? answer : signAnswer(request, answer, key);
  run.recorder.record({ type: "answer", answer: kept });
  run.emit("approval-answered", { request, answer });
  await remember(run, unexpired(request, answer, run));
  return answer;
}

async function remember(run: RunState, answer: Answer): Promise<void> {
  await run.remember(answer);
  if ("remember" in answer) run.hooks.fireAdded(answer.remember ?? []);
}

/** ElicitationResult hooks may refuse the answer to a tool's question, or replace it. */
async function afterElicitationHooks(run: RunState, request: PendingRequest, given: Answer): Promise<Answer> {
  const [action, content] = "value" in given ? (["accept", given.value] as const) : (["decline", null] as const);
  const outcome = await run.hooks.fire("ElicitationResult", { toolUseId: request.toolCallId, action, content });
  const said = elicitationAnswer(outcome);
  return said ? readAnswer(request, said) : given;
}

/** The hooks' answer to a tool's question; `undefined`: none. */
function elicitationAnswer(outcome: HookOutcome | null): ApproverAnswer | undefined {
  const { permission, permissionReason: reason, updatedInput } = outcome ?? {};
  if (permission === "deny") return { by: "a hook", decision: "deny", ...(reason !== undefined && { reason }) };
  if (permission !== "allow" || updatedInput === undefined) return undefined;
  return { by: "a hook", value: updatedInput };
}

function newRequest(
  { run, call, target, tool, args }: PendingCall,
  question: Question,
  digest: string,
  within: PendingRequest["within"],
): PendingRequest {
  const description = describeCall(tool, args);
  const { expiresAfterMs } = run.config.approvals;
  return Object.freeze({
    v: 1,
    id: run.config.runtime.newId(),
    kind: question.kind,
    sessionId: run.sessionId,
    agentPath: run.agentPath,
    toolCallId: call.id,
    tool: target.name,
    ...(within && { within }),
    input: question.input,
    ...(description && { description }),
    digest,
    reason: question.reason,
    suggestions: question.suggestions,
    ...(expiresAfterMs !== undefined && { expiresAt: run.config.runtime.now() + expiresAfterMs }),
  });
}

/** The call that a call is part of, where a tool makes it. */
function frameOf({ run, call }: PendingCall): PendingRequest["within"] {
  const { nested } = run.setup;
  return nested && { ...nested.caller, call: nested.numberOf(call.id) };
}

async function askApprover({ run, signal }: PendingCall, request: PendingRequest): Promise<Answer> {
  try {
    const given: unknown = await run.config.approver!(request, { signal });
    // A signature is for answers from elsewhere; this engine has not made one that came along.
    const { signature: _signature, ...answer } = readAnswer(request, given);
    return answer;
  } catch (error) {
    return { id: request.id, decision: "deny", reason: `The approver failed: ${describeThrown(error)}` };
  }
}

/** The engine's own copy of an answer. One that is not understood, or could not be kept, denies. */
export function readAnswer({ id, kind }: PendingRequest, given: unknown): Answer {
  try {
    const answer = Object.freeze({ ...(copyJson(given, true) as object), id });
    if (isAnswer(answer, kind)) return answer;
  } catch {
    // It is not JSON.
  }
  const needed = kind === "approval" ? 'a decision, "allow" or "deny"' : "a value, or the decision to deny";
  return { id, decision: "deny", reason: `The answer was not understood: it needs ${needed}.` };
}

function isAnswer(answer: object, kind: PendingRequest["kind"]): answer is Answer {
  const { by, reason, remember, decision, value } = answer as { readonly [field: string]: unknown };
  if (![by, reason].every((value) => value === undefined || typeof value === "string")) return false;
  if (remember !== undefined && !Array.isArray(remember)) return false;
  if (decision !== undefined) return decision === "allow" || decision === "deny";
  return value !== undefined && kind !== "approval";
}

function unexpired(request: PendingRequest, answer: Answer, run: RunState): Answer {
  if (request.expiresAt === undefined || run.config.runtime.now() <= request.expiresAt) return answer;
  const { id, by } = answer;
  return { id, ...(by !== undefined && { by }), decision: "deny", reason: "The approval has expired." };
}

async function answerOfHooks(call: PendingCall, question: Question): Promise<ApproverAnswer | undefined> {
  const { run } = call;
  if (question.kind === "elicitation") {
    const about = { message: question.reason, toolUseId: call.call.id, requestedSchema: question.input };
    return elicitationAnswer(await run.hooks.fire("Elicitation", about));
  }
  if (question.kind !== "approval" || question.state !== undefined) return undefined;
  const payload: HookPayloads["PermissionRequest"] = {
    ...call.hookPayload,
    reason: question.reason,
    permissionSuggestions: question.suggestions,
  };
  const outcome = await run.hooks.fire("PermissionRequest", payload, call.target.name);
  const { permission, permissionReason: reason, updatedInput, updatedPermissions: remember = [] } = outcome ?? {};
  if (permission !== "allow" && permission !== "deny") return undefined;
  return {
    by: "a hook",
    decision: permission,
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(remember.length > 0 && { remember }),
  };
}
