// One call that the host makes, outside a run: the same pipeline, gate, hooks, approver, claims and record.
import { RunAbortedError, SessionError } from "../../contracts/errors.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { RunState } from "../run/run-state.js";
import { freeCallId } from "../transcript/call-id.js";
import { HOST_AUTHOR } from "../transcript/transcript.js";
import { MessageCalls } from "./message-calls.js";
import type { PendingCall } from "./pending-call.js";
import { errorResult, failureResult } from "./tool-result.js";

const INTRODUCTION = "The application ran the following tool itself. The call was not yours.";

/** Runs one call, of tools that are ready, and records it. The result is that of `run.lastCalls`. */
export async function callTool(run: RunState, wanted: ToolCall): Promise<void> {
  refuseOpenSession(run);
  const call = ownCall(run, wanted);
  run.appendReminder(INTRODUCTION, "reminder");
  const calls = new MessageCalls(run);
  run.lastCalls = calls;
  calls.complete(calls.announce(call), call, false);
  const content = Object.freeze([Object.freeze({ type: "tool-call" as const, ...call })]);
  const message = { role: "assistant" as const, content, finishReason: "tool-calls" as const, ...HOST_AUTHOR };
  run.recorder.record({ type: "message", message: Object.freeze(message) });
  await calls.finish();
  for (const open of calls.calls) if (open.pending) refuseUnanswered(open);
}

/** The result of the call that `callTool` has run, with the id its caller knows. */
export function resultOfCall(run: RunState, { id, name }: ToolCall): ToolResult {
  if (run.recorder.failure) throw run.recorder.failure;
  const result = run.lastCalls?.calls[0]?.result;
  if (result) return result.toolCallId === id ? result : Object.freeze({ ...result, toolCallId: id });
  const { stopError } = run.lifetime;
  if (stopError instanceof RunAbortedError) return resultOfAbort({ id, name, arguments: {} }, stopError);
  return failureResult({ id, name, arguments: {} }, stopError, 0);
}

/** The result of a call that was aborted before its turn came; other errors are its caller's. */
export function resultOfAbort({ id, name }: ToolCall, error: unknown): ToolResult {
  if (!(error instanceof RunAbortedError)) throw error;
  const message = `The call was aborted before it had started. ${error.message}`;
  return errorResult({ id, name, arguments: {} }, "aborted", "TOOL_ABORTED", message);
}

function refuseOpenSession(run: RunState): void {
  if (!run.transcript.open) return;
  throw new SessionError("SESSION_BUSY", {
    message: `Session "${run.transcriptId}" has calls without a result. Resume it, or use another session.`,
  });
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
function refuseUnanswered(call: PendingCall): void {
  const { kind, reason } = call.pending!;
  const message = `${reason} There is nobody to ask: give the engine an approver, or call the tool in a run.`;
  call.settle(errorResult(call.call, "denied", kind === "approval" ? "PERMISSION_ASK" : "TOOL_FAILED", message));
}
