import type { ProviderAdapter } from "../../contracts/provider.js";
import { checkOptions } from "../../json/check-options.js";
import { Deadlines } from "../../time/deadlines.js";
import type { RunSetup } from "../run/run-setup.js";
import { LinkedControllers } from "./model-request.js";
import {
  isRetrying,
  markForRun,
  markRetrying,
  modelCardOf,
  RETRY_TABLE,
  type RetryOptions,
  type RetrySettings,
  retrySettings,
} from "./retry.js";
import { RetryingStream } from "./retrying-stream.js";

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
  const renamed = { retries: "maxRetries", maxAttempts: "maxRetries" };
  const settings = checkOptions("withRetry()", options, RETRY_TABLE, { renamed });
  return repeating(provider, settings, new LinkedControllers(false), new Deadlines(true));
}

/**
 * `withRetry` for one run, unless its provider has a retry layer. A model call needs no timer and no listener of its own: the
 * layer has the run's deadlines and its signal.
 */
export function retryingProvider(
  provider: ProviderAdapter,
  { config, limits, deadlines }: Pick<RunSetup, "config" | "limits" | "deadlines">,
): ProviderAdapter {
  if (isRetrying(provider)) return provider;
  const isUsual = limits === config.limits;
  const settings = isUsual ? config.retrySettings : retrySettings(config.retry, limits, config.runtime);
  return markForRun(repeating(provider, settings, new LinkedControllers(true), deadlines));
}

/** A provider whose streams are tried again. */
function repeating(
  provider: ProviderAdapter,
  settings: RetrySettings,
  controllers: LinkedControllers,
  deadlines: Deadlines,
): ProviderAdapter {
  return markRetrying({
    ...modelCardOf(provider),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => new RetryingStream(provider, request, settings, controllers, deadlines),
    }),
  });
}
