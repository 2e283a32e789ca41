import type { ProviderAdapter } from "../../contracts/provider.js";
import { checkOptions } from "../../json/check-options.js";
import { Deadlines } from "../../time/deadlines.js";
import { LinkedControllers } from "./attempt-signals.js";
import { markRetrying, RETRY_TABLE, type RetryOptions, type RetrySettings } from "./retry.js";
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

/** A provider whose streams are tried again. */
export function repeating(
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
