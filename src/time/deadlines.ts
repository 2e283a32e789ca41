/** Something that knows its place in the set that holds it. */
export interface UnorderedItem {
  place: number;
}

/**
 * A set without an order, whose items know their place in it.
 *
 * A `Set` allocates a new table nearly every time its last item leaves it, and most sets of an engine hold one item at a
 * time, for a moment. An item is in one set at most.
 */
export class UnorderedSet<T extends UnorderedItem> {
  /**
   * Its length is what it once held: an array that is popped to its end gives its memory back, to ask for it again. It begins
   * with one place, since an empty array that grows takes memory for seventeen.
   */
  readonly #items: (T | undefined)[] = [undefined];
  #size = 0;

  add(item: T): void {
    item.place = this.#size++;
    this.#items[item.place] = item;
  }

  /** `false`: it was not in the set. */
  delete(item: T): boolean {
    const { place } = item;
    if (this.#items[place] !== item) return false;
    const last = this.#items[--this.#size]!;
    this.#items[place] = last;
    last.place = place;
    this.#items[this.#size] = undefined;
    return true;
  }

  get size(): number {
    return this.#size;
  }

  /** The items as they are now. */
  items(): T[] {
    return this.#items.slice(0, this.#size) as T[];
  }

  clear(): void {
    this.#items.length = 0;
    this.#size = 0;
  }
}

/** The longest a timer can wait; one set for longer would fire at once. Unit: milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Something that happens unless it is removed in time. */
export interface Deadline extends UnorderedItem {
  readonly at: number;
  readonly expire: () => void;
}

/**
 * All deadlines of a run behind one timer.
 *
 * A timer is set only for the earliest deadline and is left alone when that one is removed, so a call that ends in
 * time costs next to nothing. `clear()` leaves no timer behind.
 */
export class Deadlines {
  readonly #active = new UnorderedSet<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** `isTidy`: the timer goes with the last deadline, for an owner that never calls `clear()`. */
  constructor(private readonly isTidy = false) {}

  /** Calls `expire` once, `ms` from now. */
  add(ms: number, expire: () => void): Deadline {
    const deadline = { place: 0, at: performance.now() + ms, expire };
    this.#active.add(deadline);
    if (deadline.at < this.#timerAt) this.#arm(deadline.at);
    return deadline;
  }

  remove(deadline: Deadline): void {
    this.#active.delete(deadline);
    if (this.isTidy && this.#active.size === 0) this.clear();
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
    // #fire arms again for what is left.
    const delay = Math.min(Math.max(0, Math.ceil(at - performance.now())), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#fire(), delay);
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const due = this.#active.items().filter(({ at }) => at <= now);
    for (const deadline of due.sort((a, b) => a.at - b.at)) if (this.#active.delete(deadline)) deadline.expire();
    const earliest = this.#active.items().reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    if (earliest < this.#timerAt) this.#arm(earliest);
  }
}
