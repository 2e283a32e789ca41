import { type HarnessError, RunError } from "../../contracts/errors.js";
import type { CompletedOutcome, IncompleteReason, RunResult, RunStatus } from "../../contracts/run.js";
import { waitingQuestions } from "../transcript/transcript.js";
import type { RunState } from "./run-state.js";

/** The reason why a final answer is not whole; ends the sentence "The final answer …". */
export const HOW_INCOMPLETE: { readonly [Reason in IncompleteReason]: string } = {
  length: "was cut off by the output limit",
  "content-filter": "was cut off by the provider's content filter",
  error: "was cut off by an error of the provider",
  pause: "was still paused by the provider after every continuation",
  other: "ended for a reason that is not known, and may not be whole",
};

/** The result of a run. */
export function resultOfRun(run: RunState, status: RunStatus): RunResult {
  const { transcript, meter, answer } = run;
  const error = errorOf(run, status);
  const finishReason = transcript.lastAssistant?.finishReason ?? "stop";
  const result = {
    text: answer.text,
    messages: () => [...transcript.messages],
    usage: meter.usage,
    costUsd: meter.hasPrices ? meter.costUsd : null,
    turns: run.turn,
    sessionId: run.transcriptId,
    runId: run.id,
    pending: waitingQuestions(transcript),
    ...(Object.hasOwn(HOW_INCOMPLETE, finishReason) && { finishReason }),
    status,
    ...(status === "completed" && answer.output && { output: answer.output.value }),
    ...(error && { error }),
  };
  return withOrThrow(result as unknown as RunResult);
}

function errorOf(run: RunState, status: RunStatus): HarnessError | undefined {
  if (status === "completed") return undefined;
  if (run.lifetime.ending?.error) return run.lifetime.ending.error;
  if (status === "failed" || status === "output-invalid") return unexplained(status);
  if (status !== "hook-stopped" || !run.stopAfterTurn) return undefined;
  return hookStopped(run.stopAfterTurn);
}

export function hookStopped({ reason }: { readonly reason: string }): RunError {
  return new RunError("HOOK_STOPPED", { message: reason });
}

function unexplained(status: RunStatus): HarnessError {
  return new RunError("INTERNAL", { message: `The run ended as "${status}" without a reason. Please report this.` });
}

/** The result with its `orThrow`. Not enumerable: copies and logs show what happened, not how to ask. */
export function withOrThrow(result: Omit<RunResult, "orThrow">): RunResult {
  return Object.defineProperty(result, "orThrow", { value: orThrow }) as RunResult;
}

function orThrow(this: RunResult): CompletedOutcome {
  if (this.status === "completed") return this;
  if (this.error) throw this.error;
  const { status, pending, sessionId } = this;
  const open =
    pending.length > 0 ? ` ${pending.length} questions are open; answer them with resume("${sessionId}").` : "";
  throw new RunError("RUN_INCOMPLETE", { message: `The run ended as "${status}".${open}`, details: { status } });
}
