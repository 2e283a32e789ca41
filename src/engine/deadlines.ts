/** Something that happens unless it is removed in time. */
export interface Deadline {
  readonly at: number;
  readonly expire: () => void;
}

/**
 * All deadlines of a run behind one timer.
 *
 * A timer is set only for the earliest deadline and is left alone when that one is removed, so a call that ends in
 * time costs two set operations. `clear()` leaves no timer behind.
 */
export class Deadlines {
  readonly #active = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** Calls `expire` once, `ms` from now. */
  add(ms: number, expire: () => void): Deadline {
    const deadline = { at: performance.now() + ms, expire };
    this.#active.add(deadline);
    if (deadline.at < this.#timerAt) this.#arm(deadline.at);
    return deadline;
  }

  remove(deadline: Deadline): void {
    this.#active.delete(deadline);
  }

  clear(): void {
    this.#active.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = at;
    // Longer delays than 2^31 - 1 ms would fire at once; #fire arms again for what is left.
    const delay = Math.min(Math.max(0, Math.ceil(at - performance.now())), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.#fire(), delay);
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let earliest = Number.POSITIVE_INFINITY;
    for (const deadline of [...this.#active]) {
      if (deadline.at <= now) {
        this.#active.delete(deadline);
        deadline.expire();
      } else if (deadline.at < earliest) earliest = deadline.at;
    }
    if (earliest < this.#timerAt) this.#arm(earliest);
  }
}
