// The budget of a session while it is open: what all its runs have used counts, those of earlier days included.
import type { Limits } from "../../engine/options/limits.js";
import { UsageError } from "../exit-codes.js";

/** Both may be given; what is absent has no bound. Units: US dollars, input and output tokens. */
export interface SessionBudget {
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
}

/** Used so far. `costUsd` is `null` where a part of it is not known. */
interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

/** Reads `5`, `$2.50`, `200k` or `1.5m`. @throws UsageError that says what would be right */
export function readBudget(text: string): SessionBudget {
  const [, dollars, number, unit] =
    /^(?:\$?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)([km])(?: ?tokens)?)$/i.exec(text.trim()) ?? [];
  const maxCostUsd = Number(dollars);
  if (maxCostUsd > 0) return { maxCostUsd };
  const maxTokens = Math.round(Number(number) * (unit?.toLowerCase() === "m" ? 1_000_000 : 1_000));
  if (maxTokens > 0) return { maxTokens };
  throw new UsageError(
    `A budget is an amount of dollars, such as 2.50, or of tokens in thousands or millions, such as 200k or 1.5m; "${text}" is neither.`,
  );
}

/** The limits of a session's next run. @throws UsageError when there is nothing left, or what was used is not known */
export function limitsWithin({ maxCostUsd, maxTokens }: SessionBudget, spent: Spent, limits: Limits): Limits {
  const tokens = spent.inputTokens + spent.outputTokens;
  if (maxTokens !== undefined && tokens >= maxTokens) throw usedUp(`${tokens} of ${maxTokens} tokens`);
  if (maxCostUsd === undefined) {
    return maxTokens === undefined ? limits : { ...limits, maxTokens: least(limits.maxTokens, maxTokens - tokens) };
  }
  const { costUsd } = spent;
  if (costUsd === null) {
    throw new UsageError(
      "The budget of this session cannot be kept, since the price of a model that it has used is not known. Limit tokens instead: /budget 200k.",
    );
  }
  if (costUsd >= maxCostUsd) throw usedUp(`$${costUsd.toFixed(2)} of $${maxCostUsd.toFixed(2)}`);
  return { ...limits, maxCostUsd: least(limits.maxCostUsd, maxCostUsd - costUsd) };
}

const least = (own = Number.POSITIVE_INFINITY, left: number): number => Math.min(own, left);

function usedUp(how: string): UsageError {
  return new UsageError(
    `The budget of this session is used up: ${how}. Raise it with /budget, or begin another: /new.`,
  );
}
