import { followSignal } from "../time/follow-signal.js";

/** More at once wait: a run of many calls does not become a crowd of processes. */
const MAX_RUNNING = 32;
/** The most hooks that wait; beyond it the oldest are given up. */
const MAX_WAITING = 1_000;

type Work = (ended: AbortSignal) => Promise<unknown>;

/** Hooks that were started and are not waited for. They end with `close`. */
export class BackgroundHooks {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #waiting: Work[] = [];

  start(work: Work): void {
    if (this.#closing.signal.aborted) return;
    this.#waiting.push(work);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#startNext();
  }

  /** Takes over what is under way already, and answers whether there was room for it; `end` is called by `close`. */
  adopt(running: Promise<unknown>, end: () => void): boolean {
    if (this.#running.size >= MAX_RUNNING) return false;
    const leave = followSignal(this.#closing.signal, end);
    const left = running
      .catch(() => {})
      .then(() => {
        leave();
        this.#running.delete(left);
        this.#startNext();
      });
    this.#running.add(left);
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the settings were closed"));
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #startNext(): void {
    const work = this.#running.size < MAX_RUNNING ? this.#waiting.shift() : undefined;
    if (!work) return;
    // Its failure is not reported: it was started without waiting for a result.
    // Each has a signal of its own: on one that all share, so many listeners would look like a leak.
    const own = new AbortController();
    const { signal } = this.#closing;
    const leave = followSignal(signal, () => own.abort(signal.reason));
    const running = work(own.signal).catch(() => {});
    this.#running.add(running);
    void running.then(() => {
      leave();
      this.#running.delete(running);
      this.#startNext();
    });
  }
}
