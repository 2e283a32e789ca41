import { type Deadlines, type UnorderedItem, UnorderedSet } from "../../time/deadlines.js";

/** Whether it is a tool or something else that nobody waits for any more. */
export type AbandonedCode = "TOOL_ABANDONED" | "WORK_ABANDONED";

interface Watched extends UnorderedItem {
  readonly gone: () => void;
}

interface Ending extends UnorderedItem {
  readonly label: () => string;
}

/**
 * Work that was left running: tools that ignore their signal, a provider's cleanup, hooks without an end.
 *
 * Each is given up after `abandonMs`, with a notice that names it. `idle` resolves when nothing is left.
 */
export class AbandonedWork {
  /** One entry for each piece of work under way. */
  readonly #work = new UnorderedSet<Watched>();
  /** Work that is expected to end by itself; its time starts once somebody waits for idle. */
  readonly #ending = new UnorderedSet<Ending>();
  /** Whether something did not end and was given up. */
  hasAbandoned = false;
  #onIdle: (() => void)[] = [];

  constructor(
    private readonly deadlines: Deadlines,
    private readonly abandonMs: () => number,
    private readonly notice: (label: string, code: AbandonedCode) => void,
  ) {}

  /** Watches `promise`; it may reject without harm. `onGone` is called once, when it settles or is given up. */
  watch(
    promise: Promise<unknown>,
    label: string,
    onGone: () => void = () => {},
    code: AbandonedCode = "WORK_ABANDONED",
  ): void {
    const gone = () => {
      if (!this.#work.delete(work)) return;
      this.deadlines.remove(deadline);
      onGone();
      this.#wakeIfIdle();
    };
    const deadline = this.deadlines.add(this.abandonMs(), () => {
      this.#abandon(label, code);
      gone();
    });
    const work: Watched = { place: 0, gone };
    this.#work.add(work);
    promise.then(gone, gone);
  }

  /** Like `watch`, for work that nearly always ends at once, as the cleanup of every stream does. */
  follow(promise: Promise<unknown>, label: () => string): void {
    const work: Ending = { place: 0, label };
    const gone = () => {
      if (this.#ending.delete(work)) this.#wakeIfIdle();
    };
    this.#ending.add(work);
    promise.then(gone, gone);
  }

  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    for (const work of this.#ending.items()) this.#limit(work);
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #limit(work: Ending): void {
    this.deadlines.add(this.abandonMs(), () => {
      if (!this.#ending.delete(work)) return;
      this.#abandon(work.label(), "WORK_ABANDONED");
      this.#wakeIfIdle();
    });
  }

  /** Gives up what is left without a notice: the run is over, and no timer of its own will do it. */
  dispose(): void {
    for (const { gone } of this.#work.items()) gone();
    for (const work of this.#ending.items()) this.#ending.delete(work);
    this.#wakeIfIdle();
  }

  /** Reports what has been given up elsewhere. */
  report(label: string): void {
    this.#abandon(label, "WORK_ABANDONED");
  }

  #abandon(label: string, code: AbandonedCode): void {
    this.hasAbandoned = true;
    this.notice(label, code);
  }

  #isIdle(): boolean {
    return this.#work.size === 0 && this.#ending.size === 0;
  }

  #wakeIfIdle(): void {
    if (!this.#isIdle()) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}

/**
 * The time that an ended run waits for its session to open, so that its prompt is on record. A write gets at least as long, also where
 * `abandonMs` is less. Unit: milliseconds.
 */
export const OPENING_PATIENCE_MS = 250;

/** The wait for a write, or an unlock. Unit: milliseconds. */
export function patienceOf({ abandonMs }: { readonly abandonMs: number }): number {
  return Math.max(abandonMs, OPENING_PATIENCE_MS);
}
