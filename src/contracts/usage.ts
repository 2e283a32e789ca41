/** Tokens of one model call, as the provider counted them. `inputTokens` includes what was read from a cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens`, read from a prompt cache. */
  readonly cacheReadTokens?: number;
  /** Part of `inputTokens`, written to a prompt cache. */
  readonly cacheWriteTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
  /** Present when the provider sent no numbers and they were estimated. */
  readonly estimated?: true;
}

/**
 * The reason why a model response ended. The loop never depends on it to decide whether calls are run. `pause`: the server wants the
 * message back as it is, to go on with it. `other`: for a reason that the adapter does not know.
 */
export type FinishReason =
  | "stop"
  | "tool-calls"
  | "length"
  | "content-filter"
  | "error"
  | "aborted"
  | "pause"
  | "other";

/** A user's consumption: tokens of model calls, input and output, and their price in US dollars. Calls without a price count as 0. */
export interface UsageSum {
  readonly tokens: number;
  readonly costUsd: number;
}

/** A span of time that is counted on its own. Unit: milliseconds since the epoch; `until` is the first one after it. */
export interface UsagePeriod {
  readonly from: number;
  readonly until: number;
}

/** Counts what users have used in each period, over many runs and for all processes that share it. */
export interface UsageStore {
  /** Adds to a user's sum, all or nothing, and resolves with the new one. Additions at the same time all count. */
  add(user: string, period: UsagePeriod, used: UsageSum): Promise<UsageSum>;
  /** The sum so far; zeros for one that nothing was added to. */
  read(user: string, period: UsagePeriod): Promise<UsageSum>;
}
