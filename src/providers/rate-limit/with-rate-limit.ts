import type { ProviderAdapter } from "../../contracts/provider.js";
import { checkOptions, numberFrom, type OptionTable } from "../../json/check-options.js";
import { decorateProvider } from "../decorate.js";
import { LimitedStream } from "./limited-stream.js";
import { RateQueue } from "./rate-queue.js";

/** The limits of a provider. An omitted one is not limited. */
export interface RateLimits {
  /** Requests that begin within any 60 seconds. */
  readonly requestsPerMinute?: number | undefined;
  /** Input and output of the requests that begin within any 60 seconds: estimated at first, corrected by what was used. */
  readonly tokensPerMinute?: number | undefined;
  /** Requests that are under way at once. */
  readonly concurrent?: number | undefined;
}

const OPTIONS = {
  requestsPerMinute: numberFrom(1, "requests"),
  tokensPerMinute: numberFrom(1, "tokens"),
  concurrent: numberFrom(1, "requests"),
} satisfies OptionTable<RateLimits>;

/**
 * Keeps requests to a provider below its limits: they wait for their turn, first come, first served.
 *
 * The limits are those of the returned provider, shared by all its users: give the same one to all engines that share an account.
 * When the server answers `RATE_LIMITED` and says when to come back, all requests wait until then, for two
 * minutes at most: after a refusal for longer each is sent, and refused, by itself. Aborting a request that
 * waits ends its wait at once. A request larger than `tokensPerMinute` goes alone. Put it inside of `withRetry`, which the
 * engine adds: `withFallback([withRateLimit(a, …), withRateLimit(b, …)])`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function withRateLimit(provider: ProviderAdapter, limits: RateLimits): ProviderAdapter {
  checkOptions("withRateLimit()", limits, OPTIONS);
  const queue = new RateQueue(limits);
  return decorateProvider(provider, (request) => ({
    [Symbol.asyncIterator]: () => new LimitedStream(provider, request, queue),
  }));
}
