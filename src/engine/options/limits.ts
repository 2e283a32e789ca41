import type { PriceLookup } from "../../contracts/provider.js";
import { numberFrom, type OptionTable, optionError } from "../../json/check-options.js";

/** What bounds a run. `maxTokens`, `maxCostUsd` and `deadlineMs` span its sub-agents, too. */
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
  /** How long something that ignores its abort is waited for; in a sub-agent a tenth less. Unit: milliseconds. Default: 5_000. */
  readonly abandonMs?: number | undefined;
  /** How often `Stop` hooks may ask for another turn in one run. Default: 5. */
  readonly maxStopContinuations?: number | undefined;
  /** How often a structured answer that does not fit its schema is asked for again. Default: 2. */
  readonly maxOutputRetries?: number | undefined;
  /** Silence allowed before a model's first event. Unit: milliseconds. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number | undefined;
  /** Silence allowed between a model's events. Unit: milliseconds. Default: 60_000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Size of one model response. Unit: bytes. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
}

type LimitName = "maxTurns" | "maxConcurrentTools" | "abandonMs" | "maxStopContinuations" | "maxOutputRetries";
export type ResolvedLimits = Limits & { readonly [K in LimitName]: number };

export const DEFAULT_LIMITS: { readonly [K in LimitName]: number } = {
  maxTurns: 50,
  maxConcurrentTools: 10,
  abandonMs: 5_000,
  maxStopContinuations: 5,
  maxOutputRetries: 2,
};

export const LIMITS_TABLE = {
  maxTurns: numberFrom(1, "turns"),
  toolTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  maxConcurrentTools: numberFrom(0, "tools"),
  maxTokens: numberFrom(1, "tokens"),
  maxCostUsd: numberFrom(0, "US dollars", undefined, true),
  deadlineMs: numberFrom(1, "milliseconds", undefined, true),
  maxOutputTokens: numberFrom(1, "tokens"),
  abandonMs: numberFrom(0, "milliseconds", undefined, true),
  maxStopContinuations: numberFrom(0, "times"),
  maxOutputRetries: numberFrom(0, "times"),
  firstTokenTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  idleTimeoutMs: numberFrom(1, "milliseconds", undefined, true),
  maxResponseBytes: numberFrom(1, "bytes"),
} satisfies OptionTable<Limits>;

/** Checked `limits` over `base`. */
export function readLimits(limits: Limits | undefined, base: ResolvedLimits): ResolvedLimits {
  if (limits === undefined) return base;
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}

/** @throws ConfigurationError `OPTION_INVALID` for a cost limit where no cost is known */
export function checkCostLimit(limits: Limits, prices: PriceLookup | undefined): void {
  if (limits.maxCostUsd === undefined || prices) return;
  throw optionError(
    "AgentEngine",
    "limits.maxCostUsd",
    limits.maxCostUsd,
    "a `prices` option beside it, or a provider that knows its prices: without them no cost is known",
  );
}
