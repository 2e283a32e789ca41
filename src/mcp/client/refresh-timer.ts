/** A server may say as often as it likes that its list has changed: it is read at most once a second. Unit: milliseconds. */
const PAUSE_MS = 1_000;

/** Runs a piece of work when asked to: one at a time, with a pause between, and once more for what was asked meanwhile. */
export class RefreshTimer {
  readonly #work: () => Promise<void>;
  #isWorking = false;
  #isWanted = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  request(): void {
    this.#isWanted = true;
    if (!this.#isWorking && this.#timer === undefined) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    if (this.#isStopped || !this.#isWanted) return;
    this.#isWanted = false;
    this.#isWorking = true;
    await this.#work();
    this.#isWorking = false;
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#run(), PAUSE_MS);
  }
}
