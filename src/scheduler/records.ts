// The custom entries of a scheduler's session. Everything it knows follows from them, so that a later process goes on
// exactly where this one ends.
import type { PendingRequest } from "../contracts/approval.js";
import type { Usage } from "../contracts/usage.js";
import type { PlannedTask } from "./plan/plan.js";
import type { Spent } from "./spent.js";

export const PLAN_ENTRY = "scheduler/plan";
export const TASK_ENTRY = "scheduler/task";
export const REPORT_ENTRY = "scheduler/report";

export type PlanRecord =
  /** The first entry of a scheduler. */
  | { readonly v: 1; readonly kind: "goal"; readonly goal: string }
  | { readonly v: 1; readonly kind: "skill"; readonly skill: string | null }
  /** A valid plan, and what making it has used. */
  | {
      readonly v: 1;
      readonly kind: "proposed";
      readonly number: number;
      readonly tasks: readonly PlannedTask[];
      readonly usage: Usage;
      readonly costUsd: number | null;
    }
  /** The plan counts from here on: as it was proposed, or as the host has changed it. */
  | { readonly v: 1; readonly kind: "approved"; readonly number: number; readonly tasks?: readonly PlannedTask[] }
  | { readonly v: 1; readonly kind: "refused"; readonly number: number; readonly reason: string };

export type TaskRecord =
  | { readonly v: 1; readonly kind: "started"; readonly task: string; readonly attempt: number }
  /** It has left questions for the host. What it has used until then is counted again with its result. */
  | {
      readonly v: 1;
      readonly kind: "waiting";
      readonly task: string;
      readonly attempt: number;
      readonly requests: readonly PendingRequest[];
      readonly soFar: Pick<Spent, "usage" | "costUsd">;
    }
  /** `isFinal`: it is not tried again under this plan. `isCutOff`: it did not fail by itself. */
  | {
      readonly v: 1;
      readonly kind: "failed";
      readonly task: string;
      readonly attempt: number;
      readonly reason: string;
      readonly isFinal: boolean;
      readonly isCutOff?: true;
      /** Digest of its call, when what became of that is not known. */
      readonly unknownCall?: string;
      readonly spent: Spent;
    }
  /** Its result was verified. */
  | {
      readonly v: 1;
      readonly kind: "done";
      readonly task: string;
      readonly attempt: number;
      readonly output: string;
      readonly reason: string;
      readonly evidence: readonly string[];
      readonly facts: readonly string[];
      readonly spent: Spent;
    };
