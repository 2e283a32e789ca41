import type { Usage } from "../../contracts/usage.js";

/** A count of tokens as a server says it; `undefined` for any other value. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Counts of one answer that are parts of its input or output. */
interface PartialCounts {
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly reasoning?: number | undefined;
}

/** Usage from its counts, none of which is more than its whole; `undefined` without input, since no request is of 0 tokens. */
export function countedUsage(
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  { cacheRead, cacheWrite, reasoning }: PartialCounts,
): Usage | undefined {
  if (!inputTokens || outputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens,
    ...(cacheRead !== undefined && { cacheReadTokens: Math.min(cacheRead, inputTokens) }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: Math.min(cacheWrite, inputTokens) }),
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}
