import type { ProviderAdapter } from "../../contracts/provider.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  type WithDefaults,
} from "../../json/check-options.js";

/** The repetition of failed model calls. Units: milliseconds, bytes. */
export interface RetryOptions {
  /** Attempts after the first. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** The first wait; it doubles with each attempt. Default: 1_000. */
  readonly baseMs?: number | undefined;
  /** The longest wait of our own. Default: 30_000. */
  readonly maxMs?: number | undefined;
  /** A server that asks for a longer wait than this makes the call fail at once. Default: 120_000. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Share of a wait that is random, so that many clients do not come back together: 0 to 1. Default: 0.25. */
  readonly jitter?: number | undefined;
  /** Silence allowed before the first event. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number | undefined;
  /** Silence allowed between events. Default: 60_000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Text and arguments of one response. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** For jitter; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export const RETRY_TABLE = {
  maxRetries: byDefault(3, numberFrom(0, "attempts")),
  baseMs: byDefault(1_000, numberFrom(0, "milliseconds", undefined, true)),
  maxMs: byDefault(30_000, numberFrom(0, "milliseconds", undefined, true)),
  maxRetryAfterMs: byDefault(120_000, numberFrom(0, "milliseconds", undefined, true)),
  jitter: byDefault(0.25, numberFrom(0, "share of a wait", 1, true)),
  firstTokenTimeoutMs: byDefault(120_000, numberFrom(0, "milliseconds", undefined, true)),
  idleTimeoutMs: byDefault(60_000, numberFrom(0, "milliseconds", undefined, true)),
  maxResponseBytes: byDefault(64 * 1024 * 1024, numberFrom(0, "bytes")),
  random: byDefault(Math.random, FUNCTION),
} satisfies OptionTable<RetryOptions>;

export type RetrySettings = WithDefaults<RetryOptions, typeof RETRY_TABLE>;

/** The retries of a run's model calls: as the host says, within the run's limits. @throws ConfigurationError `OPTION_INVALID` */
export function retrySettings(
  retry: RetryOptions | false,
  { firstTokenTimeoutMs, idleTimeoutMs, maxResponseBytes }: RetryOptions,
  { random }: RetryOptions,
): RetrySettings {
  const own = retry === false ? { maxRetries: 0 } : retry;
  const limits = { firstTokenTimeoutMs, idleTimeoutMs, maxResponseBytes, random };
  return checkOptions("AgentEngine", { ...limits, ...own }, RETRY_TABLE);
}

const RETRYING = Symbol.for("loopwright.retrying");

/** Whether a provider repeats failed calls itself, so that no second layer is put around it. */
export function isRetrying(provider: ProviderAdapter): boolean {
  return RETRYING in provider;
}

/** The retry layers of runs. */
const OF_RUNS = new WeakSet<ProviderAdapter>();

export function markForRun(layer: ProviderAdapter): ProviderAdapter {
  OF_RUNS.add(layer);
  return layer;
}

/** Whether this is the retry layer of a run, which takes an `OwnedRequest`. */
export function isRetryingForRun(provider: ProviderAdapter): boolean {
  return OF_RUNS.has(provider);
}

/** Marks a decorator whose parts repeat failed calls themselves. */
export function markRetrying<P extends ProviderAdapter>(provider: P): P {
  return Object.defineProperty(provider, RETRYING, { value: true });
}

/** An adapter's description of its model: all of the adapter but the stream. */
export function modelCardOf(provider: ProviderAdapter): Omit<ProviderAdapter, "stream"> {
  const { id, model, contextWindow, maxOutputTokens, prices, serverTools, programs, compacts, unknown } = provider;
  return {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices && { prices }),
    ...(serverTools && { serverTools }),
    ...(programs !== undefined && { programs }),
    ...(compacts && { compacts }),
    ...(unknown !== undefined && { unknown }),
  };
}
