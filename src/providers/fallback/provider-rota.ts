import type { ProviderAdapter } from "../../contracts/provider.js";

/** The order of several providers. Shared by all requests: a failure of one request counts for the others. */
export class ProviderRota {
  /** The time at which each may be asked again, by the clock of `performance.now()`. */
  readonly #restsUntil: number[];

  constructor(
    readonly providers: readonly ProviderAdapter[],
    private readonly restMs: number,
  ) {
    this.#restsUntil = providers.map(() => 0);
  }

  /**
   * The provider to ask, among those not tried yet for this request: the first that does not rest, else the one that has
   * rested longest. `undefined` when all were tried.
   */
  next(tried: ReadonlySet<number>): number | undefined {
    const now = performance.now();
    let best: number | undefined;
    for (let at = 0; at < this.providers.length; at++) {
      if (tried.has(at)) continue;
      const until = this.#restsUntil[at]!;
      if (until <= now) return at;
      if (best === undefined || until < this.#restsUntil[best]!) best = at;
    }
    return best;
  }

  hasFailed(at: number, retryAfterMs: number): void {
    this.#restsUntil[at] = performance.now() + Math.max(this.restMs, retryAfterMs);
  }

  hasAnswered(at: number): void {
    this.#restsUntil[at] = 0;
  }
}
