import type { Deadlines } from "./deadlines.js";

/** Whose work it is that nobody waits for any more. */
export type AbandonedCode = "TOOL_ABANDONED" | "WORK_ABANDONED";

/**
 * What has been left running: tools that ignore their signal, a provider's cleanup, hooks without an end.
 *
 * Each is given up after `abandonMs`, with a notice that names it. `idle` resolves when nothing is left.
 */
export class Background {
  /** One entry for each work under way. */
  readonly #work = new Set<object>();
  #onIdle: (() => void)[] = [];

  constructor(
    private readonly deadlines: Deadlines,
    private readonly abandonMs: number,
    private readonly notice: (label: string, code: AbandonedCode) => void,
  ) {}

  /** Watches `promise`; it may reject without harm. `onGone` is called once, when it settles or is given up. */
  watch(
    promise: Promise<unknown>,
    label: string,
    onGone: () => void = () => {},
    code: AbandonedCode = "WORK_ABANDONED",
  ): void {
    const work = {};
    const gone = () => {
      if (!this.#work.delete(work)) return;
      this.deadlines.remove(deadline);
      onGone();
      if (this.#work.size === 0) this.#wake();
    };
    const deadline = this.deadlines.add(this.abandonMs, () => {
      this.notice(label, code);
      gone();
    });
    this.#work.add(work);
    promise.then(gone, gone);
  }

  idle(): Promise<void> {
    if (this.#work.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #wake(): void {
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}
