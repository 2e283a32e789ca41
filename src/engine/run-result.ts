import { type HarnessError, RunError } from "../contracts/errors.js";
import type { RunResult, RunStatus } from "../contracts/run.js";
import type { RunState } from "./run/run-state.js";
import { waitingQuestions } from "./transcript/transcript.js";

/** What a run returns. */
export function resultOfRun(run: RunState, status: RunStatus): RunResult {
  const { transcript, meter, answer } = run;
  const shared = {
    text: answer.text,
    messages: () => [...transcript.messages],
    usage: meter.usage,
    costUsd: meter.hasPrices ? meter.costUsd : null,
    turns: run.turn,
    sessionId: run.transcriptId,
    runId: run.id,
    pending: status === "needs-approval" ? waitingQuestions(transcript) : [],
  };
  const error = errorOf(run, status);
  if (status === "completed") return { ...shared, status, ...(answer.output && { output: answer.output.value }) };
  if (status === "failed" || status === "output-invalid")
    return { ...shared, status, error: error ?? unexplained(status) };
  return { ...shared, status, ...(error && { error }) };
}

function errorOf(run: RunState, status: RunStatus): HarnessError | undefined {
  if (run.lifetime.ending?.error) return run.lifetime.ending.error;
  if (status !== "hook-stopped" || !run.stopAfterTurn) return undefined;
  return new RunError("HOOK_STOPPED", { message: run.stopAfterTurn.reason });
}

function unexplained(status: RunStatus): HarnessError {
  return new RunError("INTERNAL", { message: `The run ended as "${status}" without a reason. Please report this.` });
}
