import type { PendingRequest } from "./approval.js";
import type { HarnessError } from "./errors.js";
import type { Message } from "./message.js";
import type { Usage } from "./usage.js";

/** Why a run ended. */
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

/** What follows a turn: why there is another one, or the status the run ends with. */
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
  readonly sessionId: string;
  readonly runId: string;
  /** What the session waits for; empty unless `needs-approval`. */
  readonly pending: readonly PendingRequest[];
}

/** How a run ended, discriminated by `status`. `output` is the validated structured answer, when one was asked for. */
export type RunResult<T = unknown> = RunOutcome &
  (
    | { readonly status: "completed"; readonly output?: T; readonly error?: undefined }
    | { readonly status: "failed" | "output-invalid"; readonly output?: undefined; readonly error: HarnessError }
    | {
        readonly status: Exclude<RunStatus, "completed" | "failed" | "output-invalid">;
        readonly output?: undefined;
        readonly error?: HarnessError;
      }
  );
