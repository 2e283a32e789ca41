const RUN = 1_024;

/**
 * Sorts while items arrive, a run at a time, and merges the runs while they are taken: no single step takes long, however
 * many items there are, and what is never taken is never merged.
 */
export class SortedRuns<T> {
  readonly #runs: T[][] = [];
  #current: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  add(item: T): void {
    if (this.#current.push(item) === RUN) this.#endRun();
  }

  /** Everything that was added, in order. */
  sorted(): Iterable<T> {
    if (this.#current.length > 0) this.#endRun();
    return this.#mergeOf(0, this.#runs.length);
  }

  #endRun(): void {
    this.#runs.push(this.#current.sort(this.compare));
    this.#current = [];
  }

  #mergeOf(from: number, to: number): Iterable<T> {
    if (to - from <= 1) return this.#runs[from] ?? [];
    const middle = (from + to) >> 1;
    return this.#merge(this.#mergeOf(from, middle), this.#mergeOf(middle, to));
  }

  *#merge(left: Iterable<T>, right: Iterable<T>): Generator<T> {
    const [lefts, rights] = [left[Symbol.iterator](), right[Symbol.iterator]()];
    let [a, b] = [lefts.next(), rights.next()];
    while (!a.done && !b.done) {
      if (this.compare(a.value, b.value) <= 0) {
        yield a.value;
        a = lefts.next();
      } else {
        yield b.value;
        b = rights.next();
      }
    }
    for (; !a.done; a = lefts.next()) yield a.value;
    for (; !b.done; b = rights.next()) yield b.value;
  }
}
