import { type HarnessError, RunError } from "../contracts/errors.js";
import type { RunResult, RunStatus } from "../contracts/run.js";
import type { RunState } from "./run/run-state.js";
import { openQuestions } from "./transcript/transcript.js";

/** What a run hands back. */
export function resultOf(run: RunState, status: RunStatus): RunResult {
  const { transcript, meter } = run;
  const shared = {
    text: run.answerText,
    messages: () => [...transcript.messages],
    usage: meter.usage,
    costUsd: run.config.prices ? meter.costUsd : null,
    turns: run.turn,
    sessionId: run.transcriptId,
    runId: run.id,
    pending: status === "needs-approval" ? openQuestions(transcript.open) : [],
  };
  const error = errorOf(run, status);
  if (status === "completed") return { ...shared, status, ...(run.output && { output: run.output.value }) };
  if (status === "failed" || status === "output-invalid")
    return { ...shared, status, error: error ?? unexplained(status) };
  return { ...shared, status, ...(error && { error }) };
}

function errorOf(run: RunState, status: RunStatus): HarnessError | undefined {
  if (run.ending?.error) return run.ending.error;
  if (status !== "hook-stopped" || !run.stopAfterTurn) return undefined;
  return new RunError("HOOK_STOPPED", { message: run.stopAfterTurn.reason });
}

function unexplained(status: RunStatus): HarnessError {
  return new RunError("INTERNAL", { message: `The run ended as "${status}" without a reason. Please report this.` });
}
