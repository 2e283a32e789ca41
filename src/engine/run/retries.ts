import type { Transition } from "../../contracts/run.js";

/** Why a run takes one more turn than the model asked for. */
export type RetryReason = Extract<
  Transition,
  "stop-hook" | "output-retry" | "overflow-recovery" | "output-limit-continuation" | "empty-response-retry"
>;

/** Counts how often a run has tried again, by reason. Each reason has a bound of its own. */
export class Retries {
  readonly #used: { [Reason in RetryReason]: number } = {
    "stop-hook": 0,
    "output-retry": 0,
    "overflow-recovery": 0,
    "output-limit-continuation": 0,
    "empty-response-retry": 0,
  };

  constructor(private readonly limits: { readonly [Reason in RetryReason]: number }) {}

  /** Takes one more try. `false`: no try is left. */
  take(reason: RetryReason): boolean {
    if (this.#used[reason] >= this.limits[reason]) return false;
    this.#used[reason]++;
    return true;
  }

  used(reason: RetryReason): number {
    return this.#used[reason];
  }

  limit(reason: RetryReason): number {
    return this.limits[reason];
  }

  /** A try has worked: the next failure starts counting from 0. */
  reset(reason: RetryReason): void {
    this.#used[reason] = 0;
  }
}
