import { RunError } from "../../contracts/errors.js";
import type { CompletedOutcome, RunResult } from "../../contracts/run.js";

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
