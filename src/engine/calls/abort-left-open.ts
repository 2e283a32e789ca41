import type { RunState } from "../run/run-state.js";
import { openQuestions } from "../transcript/transcript.js";
import { errorResult, unknownResult } from "./tool-result.js";

/**
 * Records a result for each call that an earlier run has left open, when this run ends before it could go on with them.
 *
 * While the host is still to answer one of them, all stay open.
 */
export function abortLeftOpen(run: RunState): void {
  const { open } = run.transcript;
  if (!open || openQuestions(open).length > 0) return;
  const message = `The call was aborted before it had started. ${run.lifetime.stopError.message}`;
  for (const [index, call] of open.calls.entries()) {
    if (open.results[index]) continue;
    const result = open.wasStarted(call.id)
      ? unknownResult(call)
      : errorResult(call, "aborted", "TOOL_ABORTED", message);
    run.recorder.record({ type: "tool-result", result });
  }
  for (const { text, origin } of open.held) run.appendReminder(text, origin);
}
