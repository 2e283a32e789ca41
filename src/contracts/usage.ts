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
 * Why a model response ended. The loop never depends on it to decide whether calls are run. `pause`: the server wants the
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
