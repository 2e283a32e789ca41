// The bounds of a whole plan. They are looked at before anything begins; work under way then comes to its end.
import type { Limits } from "../engine/options/limits.js";
import { addSpent, NOTHING_SPENT, type Spent } from "./spent.js";
import type { Work } from "./work.js";

/** A bound that a plan has come to. */
export interface Overrun {
  readonly status: "budget-exceeded" | "deadline";
  readonly why: string;
}

type Bounded = Pick<Work, "limits" | "journal" | "began">;
type Used = Pick<Spent, "usage" | "costUsd">;

/** The first bound that is reached; `more` is not recorded yet. */
export function overrunOf({ limits, journal, began }: Bounded, more: Used = NOTHING_SPENT): Overrun | null {
  const { maxTokens, maxCostUsd, maxTotalAttempts, deadlineMs } = limits;
  const { attempts } = journal.progress;
  const elapsed = Math.ceil(performance.now() - began); // A timer may be early by a part of a millisecond.
  if (deadlineMs !== undefined && elapsed >= deadlineMs) return over("deadline", "deadlineMs", `${deadlineMs} ms`);
  if (maxTotalAttempts !== undefined && attempts >= maxTotalAttempts)
    return over("budget-exceeded", "maxTotalAttempts", `${attempts} attempts`);
  if (maxTokens === undefined && maxCostUsd === undefined) return null;
  const used = addSpent({ ...NOTHING_SPENT, ...journal.progress.used }, { ...NOTHING_SPENT, ...more });
  if (maxTokens !== undefined && tokensOf(used) >= maxTokens)
    return over("budget-exceeded", "maxTokens", `${tokensOf(used)} tokens`);
  if (maxCostUsd === undefined || (used.costUsd !== null && used.costUsd < maxCostUsd)) return null;
  const cost = used.costUsd === null ? "an amount that is not known, since a price is not," : `$${used.costUsd}`;
  return over("budget-exceeded", "maxCostUsd", cost);
}

function over(status: Overrun["status"], limit: string, used: string): Overrun {
  const why = `The plan has used ${used} and has come to limits.${limit}. Raise the limit, and resume the session.`;
  return { status, why };
}

/** The bounds of one more run: what is left of the plan's, and no more than the engine allows each run. */
export function limitsOfRun(work: Bounded & Pick<Work, "parts">, past: Used): Limits {
  const { maxTokens, maxCostUsd, deadlineMs } = work.limits;
  const own = work.parts.config.limits;
  const { usage, costUsd } = work.journal.progress.used;
  const tokens = tokensOf({ usage }) + tokensOf(past);
  return {
    ...(maxTokens !== undefined && { maxTokens: least(own.maxTokens, Math.max(1, maxTokens - tokens)) }),
    ...(maxCostUsd !== undefined && {
      maxCostUsd: least(own.maxCostUsd, Math.max(0, maxCostUsd - (costUsd ?? 0) - (past.costUsd ?? 0))),
    }),
    ...(deadlineMs !== undefined && { deadlineMs: least(own.deadlineMs, timeLeft(work)) }),
  };
}

/** Unit: milliseconds; at least 1. */
export function timeLeft({ limits, began }: Pick<Bounded, "limits" | "began">): number {
  return Math.max(1, (limits.deadlineMs ?? Number.POSITIVE_INFINITY) - (performance.now() - began));
}

function tokensOf({ usage }: Pick<Spent, "usage">): number {
  return usage.inputTokens + usage.outputTokens;
}

function least(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}
