import { setImmediate as nextTurn } from "node:timers/promises";
import { unlessAborted } from "../../time/unless-aborted.js";

const SLICE_MS = 8;

/** Lets a long synchronous loop share the event loop: call `pause()` in each step when `due()` says so. */
export class TimeSlices {
  #startedAt = performance.now();

  /** @throws the signal's reason when it has already aborted */
  constructor(private readonly signal: AbortSignal) {
    signal.throwIfAborted();
  }

  /** Whether the slice is used up. Cheap enough for every step. */
  due(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS;
  }

  /** Lets others run. @throws the signal's reason once it has aborted */
  async pause(): Promise<void> {
    await nextTurn();
    this.signal.throwIfAborted();
    this.#startedAt = performance.now();
  }

  /** Waits for a step of work. @throws what it throws, or the signal's reason as soon as it has aborted */
  async waitFor<T>(work: T | Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return unlessAborted(Promise.resolve(work), this.signal);
  }
}
