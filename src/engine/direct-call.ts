// One call that the host makes, outside a run: the same pipeline, gate, hooks, approver, claims and record. A call that a
// crash or a question has left open goes on when it is made again: by the answers, and by what the session says was started.
// A registry makes one without an engine: in a minimal run, with no hooks, no model, nobody to ask, and a session that is
// forgotten.
import type { Answer } from "../contracts/approval.js";
import { ConfigurationError, type HarnessError, RunAbortedError, SessionError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { Label } from "../contracts/label.js";
import type { PermissionGate } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { Registry, ToolContext } from "../contracts/tool.js";
import type { ToolCall, ToolResult } from "../contracts/tool-call.js";
import { canonicalJson, copyJson } from "../json/copy.js";
import { quickDigest } from "../json/digest.js";
import { describeThrown } from "../text/describe-thrown.js";
import { Deadlines } from "../time/deadlines.js";
import { followSignal, signalError } from "../time/follow-signal.js";
import { MessageCalls } from "./calls/message-calls.js";
import type { PendingCall } from "./calls/pending-call.js";
import { toolOf } from "./calls/prepare-call.js";
import { errorResult, failureResult, withOutcome, withWorkSoFar } from "./calls/tool-result.js";
import { readEngineOptions } from "./options/read-options.js";
import { reopenTurn, settleStarted } from "./resume.js";
import { ClaimTable } from "./run/claims.js";
import { EventSink, Listeners } from "./run/event-sink.js";
import { Roster } from "./run/roster.js";
import type { RunChildren } from "./run/run-parts.js";
import { RunState } from "./run/run-state.js";
import { messageRecord } from "./transcript/describe-call.js";
import { freeCallId } from "./transcript/message-shape.js";
import type { OpenTurn } from "./transcript/open-turn.js";
import { HOST_AUTHOR, Transcript, waitingQuestions } from "./transcript/transcript.js";

const INTRODUCTION = "The application ran the following tool itself. The call was not yours.";

/** A call that the host makes, and what is to become of a question that nobody in this process answers. */
export interface DirectCall {
  readonly call: ToolCall;
  readonly answers: readonly Answer[];
  readonly suspend: boolean;
  /** It may have been started before, somewhere else. */
  readonly mayHaveRun: boolean;
  /** The label of its input, if that is not the host's own knowledge. */
  readonly label?: Label | undefined;
}

/** Runs one call, of tools that are ready, and records it. The result is that of `run.lastCalls`. */
export async function callTool(run: RunState, made: DirectCall): Promise<void> {
  const { call, answers, suspend } = made;
  const { open } = run.transcript;
  if (open && !isSameCall(run, open, call)) throw openSession(run);
  const calls = open ? await reopenTurn(run, open, answers) : recordCall(run, made);
  run.lastCalls = calls;
  await calls.finish();
  if (suspend) return;
  const advice = "give the engine an approver, or call the tool in a run";
  for (const waiting of calls.calls) if (waiting.pending) refuseUnanswered(waiting, advice);
}

/** Whether the call that is open is the one that is made again. */
function isSameCall({ transcript }: RunState, { calls }: OpenTurn, wanted: ToolCall): boolean {
  const [open] = calls;
  const author = transcript.messages.at(-1);
  if (author?.role !== "assistant" || author.provider !== HOST_AUTHOR.provider || !open) return false;
  const shown = ({ id, name, arguments: args }: ToolCall) => canonicalJson([id, name, args ?? {}]);
  return shown(open) === shown(wanted);
}

function recordCall(run: RunState, made: Pick<DirectCall, "call" | "mayHaveRun" | "label">): MessageCalls {
  const { mayHaveRun, label } = made;
  const call = ownCall(run, made.call);
  run.appendReminder(INTRODUCTION, "reminder");
  const calls = new MessageCalls(run);
  calls.complete(calls.announce(call), call, false);
  const content = Object.freeze([Object.freeze({ type: "tool-call" as const, ...call })]);
  const message = { role: "assistant" as const, content, finishReason: "tool-calls" as const, ...HOST_AUTHOR };
  run.recorder.record(messageRecord(Object.freeze(message), run.registry, label));
  if (mayHaveRun) {
    const [begun] = calls.calls;
    run.recorder.record({ type: "tool-start", toolCallId: call.id, inputDigest: quickDigest(call.arguments) });
    settleStarted(begun!, toolOf(run.registry, call), run.transcript.open!);
  }
  return calls;
}

/** The result of the call that `callTool` has run, with the id its caller knows. */
export function resultOfCall(run: RunState, { id, name }: ToolCall): ToolResult {
  if (run.recorder.failure) throw run.recorder.failure;
  const result = run.lastCalls?.calls[0]?.result;
  if (result) return withIdOf(id, result);
  const pending = waitingQuestions(run.transcript);
  if (pending.length > 0 && !run.lifetime.ending) return waitingResult({ id, name, arguments: {} }, pending);
  const { stopError } = run.lifetime;
  if (stopError instanceof RunAbortedError) return resultOfAbort({ id, name, arguments: {} }, stopError);
  return failureResult({ id, name, arguments: {} }, stopError, 0);
}

function withIdOf(id: string, result: ToolResult): ToolResult {
  return result.toolCallId === id ? result : Object.freeze({ ...result, toolCallId: id });
}

/** The result of a call that was aborted before its turn came; other errors are its caller's. */
export function resultOfAbort({ id, name }: ToolCall, error: unknown): ToolResult {
  if (!(error instanceof RunAbortedError)) throw error;
  const message = `The call was aborted before it had started. ${error.message}`;
  return withOutcome(errorResult({ id, name, arguments: {} }, "aborted", "TOOL_ABORTED", message), false);
}

function openSession(run: RunState): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${run.transcriptId}" has calls without a result. Resume it, or use another session.`,
  });
}

/** The call has left its question in the session and goes on once it is made again with the answer. */
function waitingResult(call: ToolCall, pending: readonly { readonly reason: string }[]): ToolResult {
  const details = { pending: pending as unknown as JsonValue };
  return Object.freeze(errorResult(call, "denied", "PERMISSION_ASK", pending[0]!.reason, { details }));
}

/** The session's own copy, under an id that is free there. */
function ownCall({ transcript }: RunState, { id, name, arguments: args, malformed }: ToolCall): ToolCall {
  const free = freeCallId(id, (taken) => transcript.callIds.has(taken), transcript.callIdSuffixes);
  try {
    const own = { id: free, name, arguments: copyJson(args ?? {}, true) };
    return Object.freeze(malformed === undefined ? own : { ...own, malformed });
  } catch (error) {
    const problem = `(arguments that cannot be used: ${describeThrown(error)})`;
    return Object.freeze({ id: free, name, arguments: {}, malformed: problem });
  }
}

/** A call outside a run cannot wait for an answer that comes later. */
function refuseUnanswered(call: PendingCall, advice: string): void {
  const { kind, reason } = call.pending!;
  const message = `${reason} There is nobody to ask: ${advice}.`;
  const code = kind === "approval" ? "PERMISSION_ASK" : "TOOL_FAILED";
  call.settle(withWorkSoFar(errorResult(call.call, "denied", code, message), call.soFar));
}

// ── without an engine ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Runs one call of a registry. Rejects for no failure of the call; ends at once when the context's signal aborts. */
export async function runBareCall(registry: Registry, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  let own: ToolCall;
  try {
    await registry.ready?.();
    own = { ...call, arguments: copyJson(call.arguments ?? {}, true) };
  } catch (error) {
    return failureResult(call, error, 0);
  }
  const run = bareRun(registry, context);
  const { signal } = context;
  const leaveSignal = followSignal(signal, () => {
    run.stop("aborted", (signalError(signal) ?? new Error("The call was aborted.")) as HarnessError);
  });
  const calls = recordCall(run, { call: own, mayHaveRun: false });
  await calls.finish();
  const [made] = calls.calls;
  if (made!.pending) refuseUnanswered(made!, "run the tool through an engine");
  leaveSignal();
  run.dispose();
  return withIdOf(call.id, made!.result!);
}

const NO_MODEL: ProviderAdapter = {
  id: "none",
  model: "none",
  stream: () => {
    throw new ConfigurationError("OPTION_MISSING", { message: "A call without an engine has no model." });
  },
};

const NO_CHILDREN: RunChildren<RunState> = { spawn: noChildren, inBackground: noChildren, calls: noChildren };

function noChildren(): never {
  throw new ConfigurationError("OPTION_MISSING", { message: "A call without an engine has no sub-agents of its own." });
}

const TOOLS_OWN_OPINION: PermissionGate = {
  async decide({ tool, input, agentPath = [], sessionId = "" }) {
    const own = typeof tool === "string" ? undefined : await tool.checkPermission?.(input, { agentPath, sessionId });
    if (own?.behavior !== "deny" && own?.behavior !== "ask") return { behavior: "allow" };
    return { behavior: own.behavior, ...(own.reason !== undefined && { reason: own.reason }) };
  },
};

function bareRun(registry: Registry, caller: ToolContext): RunState {
  const { runId, sessionId, transcriptId, agentPath, rootCall, app, artifacts } = caller;
  const config = { ...readEngineOptions({ provider: NO_MODEL, permissions: TOOLS_OWN_OPINION }), artifacts };
  return new RunState({
    config,
    limits: config.limits,
    runId,
    sessionId,
    transcriptId,
    agentPath,
    rootCall,
    app,
    mode: undefined,
    provider: NO_MODEL,
    registry,
    output: null,
    transcript: new Transcript(),
    claims: () => new ClaimTable(),
    deadlines: new Deadlines(),
    sink: new EventSink(new Listeners(), null),
    askedAt: performance.now(),
    parent: null,
    children: NO_CHILDREN,
    caller,
    roster: () => new Roster(),
  });
}
