// How often each user may ask: a bucket that holds a minute's requests and fills evenly.

/** Users who have not asked for a minute are forgotten once there are more than this. */
const MAX_USERS = 10_000;
const MINUTE_MS = 60_000;

export class RequestRate {
  readonly #used = new Map<string, { used: number; at: number }>();

  constructor(private readonly perMinute: number) {}

  /** Counts a request. The time until the user may send it, 0 for now. Unit: milliseconds. */
  waitFor(user: string, now = performance.now()): number {
    const { used, at } = this.#used.get(user) ?? { used: 0, at: now };
    const perMs = this.perMinute / MINUTE_MS;
    const left = Math.max(0, used - (now - at) * perMs);
    if (left + 1 > this.perMinute) return Math.ceil((left + 1 - this.perMinute) / perMs);
    this.#used.delete(user);
    this.#used.set(user, { used: left + 1, at: now });
    this.#forget(now);
    return 0;
  }

  /** Those who asked longest ago are first. */
  #forget(now: number): void {
    for (const [user, { at }] of this.#used) {
      if (this.#used.size <= MAX_USERS || now - at < MINUTE_MS) return;
      this.#used.delete(user);
    }
  }
}
