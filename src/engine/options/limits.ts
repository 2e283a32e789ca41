import type { PriceLookup } from "../../contracts/provider.js";
import { invalidOption, requireObject } from "../../json/check-options.js";

/** What bounds a run. `maxTokens`, `maxCostUsd` and `deadlineMs` span its sub-agents, too. */
export interface Limits {
  /** Model calls of one run or resume. Default: 50. */
  readonly maxTurns?: number;
  /** Time in a tool's `execute`. Unit: milliseconds. Default: 60_000. A tool's own `timeoutMs` wins. */
  readonly toolTimeoutMs?: number;
  /** Tools that run at once. Default: 10. `0`: no limit. */
  readonly maxConcurrentTools?: number;
  /** Input and output tokens of all model calls. Default: none. */
  readonly maxTokens?: number;
  /** Unit: US dollars. Default: none. Needs `prices`, of the engine or of the provider. */
  readonly maxCostUsd?: number;
  /** Time of the whole run. Unit: milliseconds. Default: none. */
  readonly deadlineMs?: number;
  /** Asked of the provider for each response. Unit: tokens. Default: the provider's own. */
  readonly maxOutputTokens?: number;
  /** How long something that ignores its abort is waited for; in a sub-agent a tenth less. Unit: milliseconds. Default: 5_000. */
  readonly abandonMs?: number;
  /** How often `Stop` hooks may ask for another turn in one run. Default: 5. */
  readonly maxStopContinuations?: number;
  /** How often a structured answer that does not fit its schema is asked for again. Default: 2. */
  readonly maxOutputRetries?: number;
  /** Silence allowed before a model's first event. Unit: milliseconds. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number;
  /** Silence allowed between a model's events. Unit: milliseconds. Default: 60_000. */
  readonly idleTimeoutMs?: number;
  /** Size of one model response. Unit: bytes. Default: 64 MiB. */
  readonly maxResponseBytes?: number;
}

type LimitName =
  | "maxTurns"
  | "toolTimeoutMs"
  | "maxConcurrentTools"
  | "abandonMs"
  | "maxStopContinuations"
  | "maxOutputRetries";
export type ResolvedLimits = Limits & { readonly [K in LimitName]: number };

export const DEFAULT_LIMITS: { readonly [K in LimitName]: number } = {
  maxTurns: 50,
  toolTimeoutMs: 60_000,
  maxConcurrentTools: 10,
  abandonMs: 5_000,
  maxStopContinuations: 5,
  maxOutputRetries: 2,
};

/** For each limit, whether it must be whole and the smallest value that makes sense. */
const LIMIT_RULES: { readonly [K in keyof Limits]-?: { readonly whole: boolean; readonly least: number } } = {
  maxTurns: { whole: true, least: 1 },
  toolTimeoutMs: { whole: false, least: 1 },
  maxConcurrentTools: { whole: true, least: 0 },
  maxTokens: { whole: true, least: 1 },
  maxCostUsd: { whole: false, least: 0 },
  deadlineMs: { whole: false, least: 1 },
  maxOutputTokens: { whole: true, least: 1 },
  abandonMs: { whole: false, least: 0 },
  maxStopContinuations: { whole: true, least: 0 },
  maxOutputRetries: { whole: true, least: 0 },
  firstTokenTimeoutMs: { whole: false, least: 1 },
  idleTimeoutMs: { whole: false, least: 1 },
  maxResponseBytes: { whole: true, least: 1 },
};

/** `limits` over `base`. @throws ConfigurationError `OPTION_INVALID` */
export function readLimits(limits: Limits | undefined, base: ResolvedLimits): ResolvedLimits {
  if (limits === undefined) return base;
  requireObject("limits", limits, "an object");
  const merged: Record<string, number | undefined> = { ...base };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(LIMIT_RULES, name)) {
      throw invalidOption(`limits.${name}`, value, `one of ${Object.keys(LIMIT_RULES).join(", ")}`);
    }
    if (value === undefined) continue;
    const { whole, least } = LIMIT_RULES[name as keyof Limits];
    const isRight =
      typeof value === "number" && value >= least && Number.isFinite(value) && (!whole || Number.isInteger(value));
    if (!isRight)
      throw invalidOption(`limits.${name}`, value, `${whole ? "a whole number" : "a number"} of at least ${least}`);
    merged[name] = value;
  }
  return merged as unknown as ResolvedLimits;
}

export function checkCostLimit(limits: Limits, prices: PriceLookup | undefined): void {
  if (limits.maxCostUsd === undefined || prices) return;
  throw invalidOption(
    "limits.maxCostUsd",
    limits.maxCostUsd,
    "a `prices` option beside it, or a provider that knows its prices: without them no cost is known",
  );
}
