// The ends of a call that are no success: a refusal by its pipeline, an abort, a timeout.
import { type ErrorCode, type HarnessError, ToolError } from "../../contracts/errors.js";
import type { ToolResult, ToolStatus } from "../../contracts/tool-call.js";
import type { PendingCall } from "./pending-call.js";
import { fireToolHook, hasHook } from "./tool-hooks.js";
import { errorResult } from "./tool-result.js";

/** Thrown by a stage; carries the result the call gets. */
export class CallRefused extends Error {
  readonly #result: ToolResult;

  constructor(result: ToolResult) {
    super("refused");
    this.#result = result;
  }

  /** Unlike `instanceof`, this runs no code of what was thrown. */
  static resultOf(thrown: unknown): ToolResult | undefined {
    return typeof thrown === "object" && thrown !== null && #result in thrown ? thrown.#result : undefined;
  }
}

/** @throws CallRefused */
export function refuseCall(
  call: PendingCall,
  status: Exclude<ToolStatus, "success">,
  code: ErrorCode,
  message: string,
): never {
  throw new CallRefused(errorResult(call.call, status, code, message));
}

/** Runs the hooks for a denied call, then ends it. @throws CallRefused */
export async function denyCall(call: PendingCall, reason: string): Promise<never> {
  if (hasHook(call, "PermissionDenied")) {
    await call.unlessOver(fireToolHook(call, "PermissionDenied", { ...call.hookPayload, reason }));
  }
  return refuseCall(call, "denied", "PERMISSION_DENIED", reason);
}

/** Settles the call as `aborted`; its tool's signal aborts. */
export function abortCall(call: PendingCall, reason: HarnessError): void {
  const durationMs = call.startedAt > 0 ? Math.max(0, call.run.config.runtime.now() - call.startedAt) : 0;
  const when = call.wasEntered ? "while it was running; its work may be half done" : "before it had started";
  const message = `The call was aborted ${when}. ${reason.message}`;
  call.interrupt(errorResult(call.call, "aborted", "TOOL_ABORTED", message, { durationMs }), reason);
}

/** Gives the call up: whatever it still does is ignored. */
export function timeOut(call: PendingCall, timeoutMs: number, durationMs: number): void {
  const { name } = call.target;
  const message = `Tool "${name}" did not end within ${timeoutMs} ms and was abandoned. Its work may be half done: check before you repeat it.`;
  const details = { timeoutMs };
  const error = new ToolError("TOOL_TIMEOUT", { message, details });
  call.interrupt(errorResult(call.call, "timeout", "TOOL_TIMEOUT", message, { details, durationMs }), error);
}
