/**
 * The limit of tools of a run that are at work at once. First come, first served.
 *
 * Counted by hand: a queue with a promise for each job costs more than the rest of a call's way through the engine,
 * and nearly every call finds a slot free.
 */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Calls `granted` when a slot is taken on the caller's behalf. Returns what leaves the queue. */
  wait(granted: () => void): () => void {
    this.#waiting.push(granted);
    return () => {
      const at = this.#waiting.indexOf(granted);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Gives one slot back. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
