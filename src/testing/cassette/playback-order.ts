// Plays what came from outside in the order in which it came: what the engine does between two things then comes out the
// same. What came in one turn of the event loop comes in one again.
import type { Moment } from "./cassette-lines.js";

/** The time an item may hold up what came after it, when nobody asks for it this time. Unit: milliseconds. */
const PATIENCE_MS = 100;

/** The order of a cassette, and how far its replay is. */
export class PlaybackOrder {
  readonly #moments: readonly Moment[];
  readonly #waiting = new Map<number, () => void>();
  #at = 0;
  #tick = -1;
  #isReleasing = false;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(moments: readonly Moment[]) {
    this.#moments = [...moments].sort((a, b) => a.n - b.n);
  }

  /** The time of the moment that came last. */
  get now(): number {
    return this.#moments[this.#at - 1]?.at ?? 0;
  }

  /** Whether it is this moment's turn now, in the turn of the event loop that is under way; it then counts as come. */
  isNow({ n }: Moment): boolean {
    const next = this.#moments[this.#at];
    if (this.#isReleasing || next?.n !== n || next.tick !== this.#tick) return false;
    this.#at++;
    return true;
  }

  /** Resolves when it is this moment's turn. */
  turn({ n }: Moment): Promise<void> {
    const next = this.#moments[this.#at];
    if (!next || n < next.n) return Promise.resolve(); // It was passed over.
    return new Promise((resolve) => {
      this.#waiting.set(n, resolve);
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#isReleasing || this.#waiting.size === 0) return;
    const next = this.#moments[this.#at];
    const release = next && this.#waiting.get(next.n);
    if (!next || !release) {
      this.#patience ??= setTimeout(() => this.#passOver(), PATIENCE_MS);
      return;
    }
    this.#clearPatience();
    const come = () => {
      this.#waiting.delete(next.n);
      this.#at++;
      this.#tick = next.tick;
      this.#isReleasing = false;
      release();
      this.#advance();
    };
    if (next.tick === this.#tick) come();
    else {
      this.#isReleasing = true;
      setImmediate(come);
    }
  }

  /** Goes on with the earliest that somebody waits for. */
  #passOver(): void {
    this.#clearPatience();
    const earliest = Math.min(...this.#waiting.keys());
    while (this.#at < this.#moments.length && this.#moments[this.#at]!.n < earliest) this.#at++;
    this.#advance();
  }

  #clearPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }
}
