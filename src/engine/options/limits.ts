import { byDefault, numberFrom, type OptionTable, type WithDefaults } from "../../json/check-options.js";

/** The bounds of a run. `maxTokens`, `maxCostUsd` and `deadlineMs` span its sub-agents, too. */
export interface Limits {
  /** Model calls of one run or resume. Default: 50. */
  readonly maxTurns?: number | undefined;
  /**
   * Time in a tool's `execute`. Unit: milliseconds. Default: 60_000, or the tool's own `timeoutMs`. Once it is set, no tool
   * gets more, except those that wait without a limit for a person or another agent (`timeoutMs: null`).
   */
  readonly toolTimeoutMs?: number | undefined;
  /** Tools that run at once. Default: 10. `0`: no limit. */
  readonly maxConcurrentTools?: number | undefined;
  /** Input and output tokens of all model calls. Default: none. */
  readonly maxTokens?: number | undefined;
  /** Unit: US dollars. Default: none. Needs `prices`, of the engine or of the provider. */
  readonly maxCostUsd?: number | undefined;
  /** Time of the whole run. Unit: milliseconds. Default: none. */
  readonly deadlineMs?: number | undefined;
  /** Asked of the provider for each response. Unit: tokens. Default: the provider's own. */
  readonly maxOutputTokens?: number | undefined;
  /** The wait for work that ignores its abort; in a sub-agent a tenth less. Unit: milliseconds. Default: 5_000. */
  readonly abandonMs?: number | undefined;
  /** The times that `Stop` hooks may ask for another turn in one run. Default: 5. */
  readonly maxStopContinuations?: number | undefined;
  /** The times that a structured answer that does not fit its schema is asked for again. Default: 2. */
  readonly maxOutputRetries?: number | undefined;
  /** Silence allowed before a model's first event. Unit: milliseconds. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number | undefined;
  /** Silence allowed between a model's events. Unit: milliseconds. Default: 60_000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Size of one model response. Unit: bytes. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
}

export const LIMITS_TABLE = {
  maxTurns: byDefault(50, numberFrom(1, "turns")),
  toolTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  maxConcurrentTools: byDefault(10, numberFrom(0, "tools")),
  maxTokens: numberFrom(1, "tokens"),
  maxCostUsd: numberFrom(0, "US dollars", undefined, true),
  deadlineMs: numberFrom(1, "milliseconds", undefined, true),
  maxOutputTokens: numberFrom(1, "tokens"),
  abandonMs: byDefault(5_000, numberFrom(0, "milliseconds", undefined, true)),
  maxStopContinuations: byDefault(5, numberFrom(0, "times")),
  maxOutputRetries: byDefault(2, numberFrom(0, "times")),
  firstTokenTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  idleTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  maxResponseBytes: numberFrom(1, "bytes"),
} satisfies OptionTable<Limits>;

export type ResolvedLimits = WithDefaults<Limits, typeof LIMITS_TABLE>;
