// The wait before a stream that has ended is asked for again. A server may say so itself; what it says is bounded, or one that ends
// every stream at once would have its client ask without a pause.

/** The streams that may be asked for again within `WINDOW_MS` as soon as the server likes. */
const FREE = 20;
const WINDOW_MS = 60_000;
/** The pause of further ones. Unit: milliseconds. */
const PAUSE_MS = 1_000;
const LONGEST_MS = 30_000;

/** Asks for streams again, not too often. */
export class StreamPace {
  readonly #timers = new Set<NodeJS.Timeout>();
  #times: number[] = [];

  /** Calls `open` after the time the server wants, or the one it gets. Returns what takes this back. */
  later(open: () => void, wantedMs: number): () => void {
    const now = performance.now();
    this.#times = [...this.#times.filter((time) => now - time < WINDOW_MS), now];
    const leastMs = this.#times.length > FREE ? PAUSE_MS : 0;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        open();
      },
      Math.min(Math.max(wantedMs, leastMs), LONGEST_MS),
    );
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
