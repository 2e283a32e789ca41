import type { ProviderAdapter } from "../../contracts/provider.js";
import { checkOptions } from "../../json/check-options.js";
import { Deadlines } from "../../time/deadlines.js";
import { loadLoop, loopOrNull } from "../loading/load-loop.js";
import { LinkedControllers } from "./attempt-signals.js";
import { decorate, RETRY_TABLE, type RetryOptions, readRetryOptions } from "./retry.js";
import type { PullIterator, RetryingStream } from "./retrying-stream.js";

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
  checkOptions("withRetry()", options, RETRY_TABLE, { renamed: { retries: "maxRetries", maxAttempts: "maxRetries" } });
  return decorate(
    provider,
    readRetryOptions(options),
    new LinkedControllers(false),
    new Deadlines(true),
    () => loopOrNull()?.RetryingStream ?? LateStream,
  );
}

/** A response that is read before the code of runs is loaded. */
class LateStream implements PullIterator {
  readonly #make: () => Promise<RetryingStream>;
  #stream: Promise<RetryingStream> | undefined;

  constructor(...parts: ConstructorParameters<typeof RetryingStream>) {
    this.#make = async () => new (await loadLoop()).RetryingStream(...parts);
  }

  async next() {
    return (await this.#loaded()).next();
  }

  async return() {
    return (await this.#loaded()).return();
  }

  pull(...then: Parameters<PullIterator["pull"]>): void {
    this.#loaded().then((stream) => stream.pull(...then), then[1]);
  }

  #loaded(): Promise<RetryingStream> {
    this.#stream ??= this.#make();
    return this.#stream;
  }
}
