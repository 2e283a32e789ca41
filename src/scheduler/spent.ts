import type { Usage } from "../contracts/usage.js";
import { addUsage, NO_USAGE } from "../engine/run/usage-meter.js";

/** The usage of a piece of work, and the files it has touched. */
export interface Spent {
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** Unit: milliseconds. */
  readonly durationMs: number;
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

export const NOTHING_SPENT: Spent = Object.freeze({
  usage: NO_USAGE,
  costUsd: 0,
  durationMs: 0,
  tools: Object.freeze([]),
  files: Object.freeze([]),
});

/** Both together; each tool and file once. */
export function addSpent(a: Spent, b: Spent): Spent {
  return {
    usage: addUsage(a.usage, b.usage),
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    durationMs: a.durationMs + b.durationMs,
    tools: union(a.tools, b.tools),
    files: union(a.files, b.files),
  };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
