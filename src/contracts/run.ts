import type { PendingRequest } from "./approval.js";
import type { HarnessError } from "./errors.js";
import type { Message } from "./message.js";
import type { FinishReason, Usage } from "./usage.js";

/** The reason why a run ended. */
export type RunStatus =
  | "completed"
  | "needs-approval"
  | "max-turns"
  | "budget-exceeded"
  | "deadline"
  | "hook-stopped"
  | "aborted"
  | "output-invalid"
  | "failed";

/** Statuses after which nothing is left to do. */
export const FINISHED: ReadonlySet<RunStatus> = new Set<RunStatus>(["completed", "hook-stopped", "output-invalid"]);
/** A sub-agent that has used its turns was given them once. */
export const FINISHED_CHILD: ReadonlySet<RunStatus> = new Set<RunStatus>([...FINISHED, "max-turns"]);

/** The sequel of a turn: the reason for another one, or the status the run ends with. */
export type Transition =
  | "next-turn"
  | "stop-hook"
  | "output-retry"
  | "overflow-recovery"
  | "output-limit-continuation"
  | "token-budget-continuation"
  | "empty-response-retry"
  | "steering"
  | "follow-up"
  | RunStatus;

/** Finish reasons of a message that is not whole. */
export type IncompleteReason = Extract<FinishReason, "length" | "content-filter" | "error" | "pause" | "other">;

interface RunOutcome {
  /** The final answer's text; what there was of it when the run ended early. */
  readonly text: string;
  /** The whole transcript of the session, oldest first. */
  messages(): readonly Message[];
  /** Summed over this run and its sub-agents. */
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** Model calls of this agent in this run. */
  readonly turns: number;
  /** The id that `engine.resume` and the next `run` take. */
  readonly sessionId: string;
  readonly runId: string;
  /** The reason why the newest message of the model is not whole; absent when it is. */
  readonly finishReason?: IncompleteReason | undefined;
  /** Every open question of the session; never empty with `needs-approval`. */
  readonly pending: readonly PendingRequest[];
}

/** The end of a run, discriminated by `status`. `output` is the validated structured answer, when one was asked for. */
export type RunResult<T = unknown> = (CompletedOutcome<T> | FailedOutcome | UnfinishedOutcome) & {
  /**
   * This result, if the run has completed. Otherwise throws its `error`, or `RUN_INCOMPLETE` for a run without one, such
   * as one that needs an approval.
   */
  orThrow(): CompletedOutcome<T>;
};

/** A run that has come to its own end. */
export interface CompletedOutcome<T = unknown> extends RunOutcome {
  readonly status: "completed";
  /** Present when the run was given an `output` schema. */
  readonly output: T;
  readonly error?: undefined;
}

export interface FailedOutcome extends RunOutcome {
  readonly status: "failed" | "output-invalid";
  readonly output?: undefined;
  readonly error: HarnessError;
}

export interface UnfinishedOutcome extends RunOutcome {
  readonly status: Exclude<RunStatus, "completed" | "failed" | "output-invalid">;
  readonly output?: undefined;
  readonly error?: HarnessError | undefined;
}
