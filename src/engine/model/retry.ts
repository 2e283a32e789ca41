import type { ProviderAdapter } from "../../contracts/provider.js";
import { invalidOption } from "../../json/check-options.js";
import { Deadlines } from "../../time/deadlines.js";
import { LinkedControllers } from "./attempt-signals.js";
import { RetryingStream } from "./retrying-stream.js";

/** When and how failed model calls are repeated. Units: milliseconds, bytes. */
export interface RetryOptions {
  /** Attempts after the first. Default: 3. */
  readonly maxRetries?: number;
  /** The first wait; it doubles with each attempt. Default: 1_000. */
  readonly baseMs?: number;
  /** The longest wait of our own. Default: 30_000. */
  readonly maxMs?: number;
  /** A server that asks for a longer wait than this makes the call fail at once. Default: 120_000. */
  readonly maxRetryAfterMs?: number;
  /** Share of a wait that is random, so that many clients do not come back together: 0 to 1. Default: 0.25. */
  readonly jitter?: number;
  /** Silence allowed before the first event. Default: 120_000. */
  readonly firstTokenTimeoutMs?: number;
  /** Silence allowed between events. Default: 60_000. */
  readonly idleTimeoutMs?: number;
  /** Text and arguments of one response. Default: 64 MiB. */
  readonly maxResponseBytes?: number;
  /** For jitter; default `Math.random`. */
  readonly random?: () => number;
}

/** Retry options with every default filled in. */
export type RetrySettings = Required<RetryOptions>;

const DEFAULTS = {
  maxRetries: 3,
  baseMs: 1_000,
  maxMs: 30_000,
  maxRetryAfterMs: 120_000,
  jitter: 0.25,
  firstTokenTimeoutMs: 120_000,
  idleTimeoutMs: 60_000,
  maxResponseBytes: 64 * 1024 * 1024,
  random: Math.random,
} satisfies RetrySettings;

const RETRYING = Symbol.for("loopwright.retrying");

/** Whether a provider repeats failed calls itself, so that no second layer is put around it. */
export function isRetrying(provider: ProviderAdapter): boolean {
  return RETRYING in provider;
}

/** Marks a decorator whose parts repeat failed calls themselves. */
export function markRetrying<P extends ProviderAdapter>(provider: P): P {
  return Object.defineProperty(provider, RETRYING, { value: true });
}

/**
 * Repeats failed model calls: those whose error says `retryable`, and streams that stall, break off or end without
 * `message-end`. Each repetition is announced with a `restart` event that voids what came before; the wait honours
 * `retryAfterMs`.
 *
 * Also bounds silence and size of a response. Rejects with the last error when the attempts are used up.
 * Aborting the request ends a wait at once.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function withRetry(provider: ProviderAdapter, options: RetryOptions = {}): ProviderAdapter {
  return decorate(provider, readRetryOptions(options), new LinkedControllers(false), new Deadlines(true));
}

/** `withRetry` for one run, on its deadlines and its signal: a model call needs no timer and no listener of its own. */
export function repeating(provider: ProviderAdapter, settings: RetrySettings, deadlines: Deadlines): ProviderAdapter {
  return decorate(provider, settings, new LinkedControllers(true), deadlines);
}

function decorate(
  provider: ProviderAdapter,
  settings: RetrySettings,
  controllers: LinkedControllers,
  deadlines: Deadlines,
): ProviderAdapter {
  const { id, model, contextWindow, maxOutputTokens, prices } = provider;
  return markRetrying({
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices && { prices }),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => new RetryingStream(provider, request, settings, controllers, deadlines),
    }),
  });
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function readRetryOptions(options: RetryOptions): RetrySettings {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name))
      throw invalidOption(`retry.${name}`, value, `one of ${Object.keys(DEFAULTS).join(", ")}`);
    if (value === undefined) continue;
    if (name === "random" ? typeof value !== "function" : !(typeof value === "number" && value >= 0)) {
      throw invalidOption(`retry.${name}`, value, name === "random" ? "a function" : "a number of at least 0");
    }
  }
  if (options.jitter !== undefined && options.jitter > 1)
    throw invalidOption("retry.jitter", options.jitter, "at most 1");
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...given };
}
