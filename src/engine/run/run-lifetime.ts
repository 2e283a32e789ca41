import { type HarnessError, RunAbortedError } from "../../contracts/errors.js";
import type { RunStatus } from "../../contracts/run.js";
import type { AbandonedWork } from "./abandoned-work.js";

/** How a run ends. */
export interface Ending {
  readonly status: RunStatus;
  readonly error?: HarnessError | undefined;
}

/** When a run stops: its signal, who is released when it does, and how long it has been going. */
export class RunLifetime {
  /** How the run ends, once something from outside has ended it. */
  ending: Ending | null = null;
  /** How the run has ended; `null` while it is under way. */
  ended: RunStatus | null = null;
  /** What `stop()` interrupts first: the model call, or the calls of its message. Each takes the other's place. */
  underWay: { interrupt(): void } | null = null;
  readonly #startedAt = performance.now();
  readonly #onStop = new Set<() => void>();
  #controller: AbortController | undefined;
  #isDisposed = false;

  constructor(
    private readonly deadlineMs: number | undefined,
    private readonly abandoned: AbandonedWork,
    private readonly parent: RunLifetime | null,
  ) {}

  /** Created when first read; aborts when the run is ended from outside. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.ending) this.#controller.abort(this.stopError);
    }
    return this.#controller.signal;
  }

  /** Ends the run from outside; the first call wins. Everything that waits on behalf of the run is released. */
  stop(status: RunStatus, error?: HarnessError): void {
    if (this.ending) return;
    this.ending = { status, error };
    this.#controller?.abort(this.stopError);
    this.underWay?.interrupt();
    for (const release of [...this.#onStop]) release();
  }

  /** The status the run has been ended with from outside, if it has. A method, since anything may end it meanwhile. */
  endedAs(): RunStatus | null {
    return this.ending?.status ?? null;
  }

  /** Why the run was ended from outside, as an error. */
  get stopError(): HarnessError {
    return this.ending?.error ?? new RunAbortedError(this.ending?.status ?? "it has ended");
  }

  /** Calls `release` when the run is ended from outside, and when it is disposed; returns what takes it back. */
  onStop(release: () => void): () => void {
    this.#onStop.add(release);
    return () => this.#onStop.delete(release);
  }

  /**
   * Resolves with the promise's value, or with `undefined` as soon as the run is ended from outside. What is then left
   * behind is watched under `label`.
   */
  unlessStopped<T>(promise: Promise<T>, label: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.abandoned.watch(promise, label);
        resolve(undefined);
      };
      if (this.ending) return leave();
      const forget = this.onStop(leave);
      promise.then(resolve, reject).finally(forget);
    });
  }

  /** How much of the run's time is over: 1 is all of it. */
  elapsedShare(): number {
    const own = this.deadlineMs === undefined ? 0 : (performance.now() - this.#startedAt) / this.deadlineMs;
    return Math.max(own, this.parent?.elapsedShare() ?? 0);
  }

  /** Whether nobody waits any more for what the run has left behind. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Called when the run is idle: the signal of whatever was left behind aborts. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.abandoned.hasAbandoned) this.#controller?.abort(this.stopError);
    for (const release of [...this.#onStop]) release();
  }
}
