import type { HarnessError } from "../../contracts/errors.js";
import type { PendingCall } from "./pending-call.js";
import { errorResult } from "./tool-result.js";

/** Settles the call as `aborted`; its tool's signal aborts. */
export function abortCall(call: PendingCall, reason: HarnessError): void {
  const durationMs = call.startedAt > 0 ? Math.max(0, call.environment.now() - call.startedAt) : 0;
  const when = call.wasEntered ? "while it was running; its work may be half done" : "before it had started";
  const message = `The call was aborted ${when}. ${reason.message}`;
  call.interrupt(errorResult(call.call, "aborted", "TOOL_ABORTED", message, { durationMs }), reason);
}
