import type { PendingRequest } from "../../contracts/approval.js";
import type { Usage } from "../../contracts/usage.js";
import type { Criterion } from "../plan/plan.js";

/**
 * The state of a task.
 *
 * `pending`: it waits for others, or for a place. `verifying`: it has a result, which is being checked. `retrying`: it has
 * failed and is tried again. `needs-approval`: it waits for the host. `skipped`: a task it needs has failed.
 */
export type TaskState =
  | "pending"
  | "running"
  | "verifying"
  | "retrying"
  | "needs-approval"
  | "done"
  | "failed"
  | "skipped";

/** The outcome of one task. */
export interface TaskReport {
  readonly id: string;
  readonly title: string;
  readonly status: TaskState;
  /** The number of its attempts. Attempt n is the session `${sessionId}.${id}.${n}`. */
  readonly attempts: number;
  readonly tool?: string | undefined;
  readonly subagent?: string | undefined;
  readonly dependsOn: readonly string[];
  readonly criterion: Criterion;
  /** Its result, at most 20,000 characters of it; `null` while it has none that was accepted. */
  readonly output: string | null;
  /** The reason why it is where it is: what its check found, or what went wrong. */
  readonly reason: string | null;
  /** The evidence of its check: quotes, exit codes, files. */
  readonly evidence: readonly string[];
  /** Names of the tools it has used. */
  readonly tools: readonly string[];
  /** Files it has changed, as far as tools say so. */
  readonly files: readonly string[];
  readonly facts: readonly string[];
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** Time at work, all attempts together. Unit: milliseconds. */
  readonly durationMs: number;
}

/** A plan that was given up for a new one, and why. */
export interface ReplanReport {
  /** The tasks that had failed. */
  readonly failed: readonly { readonly id: string; readonly title: string; readonly reason: string }[];
}

/** The content of a report, as it is kept in the session. */
export interface ReportData {
  /**
   * `needs-approval`: what is left waits for the host, see `pending`; resume with the answers. `budget-exceeded` and
   * `deadline`: a limit of the plan was reached; resume under a higher one.
   */
  readonly status: "done" | "failed" | "aborted" | "needs-approval" | "budget-exceeded" | "deadline";
  readonly goal: string;
  readonly sessionId: string;
  /** The merged result; of a goal that was not reached, what was and why the rest was not. */
  readonly summary: string;
  /** The tasks of the newest plan, in its order. */
  readonly tasks: readonly TaskReport[];
  readonly replans: readonly ReplanReport[];
  /** The name of the skill the plan was made with. */
  readonly skill: string | null;
  /** Files the tasks have changed, as far as tools say so. */
  readonly files: readonly string[];
  /** Facts that the tasks have found, each checked by a criterion or said by an agent whose result was. */
  readonly facts: readonly string[];
  /** Questions that wait for the host. */
  readonly pending: readonly PendingRequest[];
  /** The usage of all model calls: planner, agents, judges, and those of earlier processes. */
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** From the start of the run to this report; of a resumed one, since it was resumed. Unit: milliseconds. */
  readonly durationMs: number;
}
