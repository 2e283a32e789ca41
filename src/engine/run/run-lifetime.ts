import { type HarnessError, RunAbortedError, RunError, SessionError } from "../../contracts/errors.js";
import type { CompletedOutcome, RunResult, RunStatus } from "../../contracts/run.js";
import type { Deadline, Deadlines } from "../../time/deadlines.js";
import type { AbandonedWork } from "./abandoned-work.js";
import { RunSuspendedError } from "./run-suspended.js";

/** A part of the host was waited for in vain; what it was asked for may still come. */
export class StuckError extends SessionError {
  static override readonly name: string = "SessionError";
  constructor(message: string) {
    super("SESSION_READ", { message, retryable: true });
  }
}

/** The end of a run. */
export interface Ending {
  readonly status: RunStatus;
  readonly error?: HarnessError | undefined;
}

/** The end of a run: its signal, who is released when it comes, and how long it has been going. */
export class RunLifetime {
  /** The end of the run, once something from outside has ended it. */
  ending: Ending | null = null;
  /** The run's final status; `null` while it is under way. */
  ended: RunStatus | null = null;
  /** The work that `stop()` interrupts first: the model call, or the calls of its message. Each takes the other's place. */
  underWay: { interrupt(): void } | null = null;
  /** Lets go of the last thing that a run does which has been ended, when it is ended once more. */
  atLast: (() => void) | null = null;
  readonly #onStop = new Set<() => void>();
  /** Signals that follow the run. */
  #onAbort: Set<(reason: unknown) => void> | undefined;
  #controller: AbortController | undefined;
  #isDisposed = false;

  constructor(
    private readonly limits: () => { readonly deadlineMs?: number | undefined },
    private readonly deadlines: Deadlines,
    private readonly abandoned: AbandonedWork,
    private readonly parent: RunLifetime | null,
    private readonly startedAt: number,
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
    if (this.ending || this.ended) {
      this.atLast?.();
      return;
    }
    this.ending = { status, error };
    this.#abort();
    this.underWay?.interrupt();
    for (const release of [...this.#onStop]) release();
  }

  /** The reason why the run was ended from outside, as an error. */
  get stopError(): HarnessError {
    return this.ending?.error ?? new RunAbortedError(this.ending?.status ?? "it has ended");
  }

  /** Whether calls without a result keep having none, for whoever resumes the session. */
  get leavesCallsOpen(): boolean {
    return this.ending?.error instanceof RunSuspendedError;
  }

  /** Calls `abort` when this run's signal aborts, at once if it has; returns what takes it back. */
  onAbort(abort: (reason: unknown) => void): () => void {
    if (this.ending) {
      abort(this.stopError);
      return () => {};
    }
    this.#onAbort ??= new Set();
    this.#onAbort.add(abort);
    return () => this.#onAbort?.delete(abort);
  }

  #abort(): void {
    const reason = this.stopError;
    this.#controller?.abort(reason);
    if (this.#onAbort) for (const abort of [...this.#onAbort]) abort(reason);
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
  unlessStopped<T>(waited: T | Promise<T>, label: string): Promise<T | undefined> {
    const promise = Promise.resolve(waited);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.abandoned.watch(promise, label);
        resolve(undefined);
      };
      if (this.ending) return leave();
      const forget = this.onStop(leave);
      promise.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /**
   * Settles as the promise does. It is given up `patienceMs` after the run was ended, or after now with `isLast`, which no abort comes
   * after: a notice names it by `label`, and this rejects with a `StuckError`.
   */
  unlessStuck<T>(waited: T | Promise<T>, label: string, patienceMs: number, isLast = false): Promise<T> {
    return new Promise((resolve, reject) => {
      let deadline: Deadline | undefined;
      let isSettled = false;
      const giveUp = () => {
        this.abandoned.report(label);
        reject(new StuckError(`${label} did not answer within ${patienceMs} ms.`));
      };
      const watch = () => {
        if (!isSettled) deadline ??= this.deadlines.add(patienceMs, giveUp);
      };
      const forget = this.onStop(watch);
      const settle = () => {
        isSettled = true;
        forget();
        if (deadline) this.deadlines.remove(deadline);
      };
      Promise.resolve(waited).then(
        (value) => {
          settle();
          resolve(value);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
      // Work that is done at once, as in a store in memory, needs no timer.
      if (this.ending || isLast) queueMicrotask(watch);
    });
  }

  /** The share of the run's time that is over: 1 is all of it. */
  elapsedShare(): number {
    const { deadlineMs } = this.limits();
    const own = deadlineMs === undefined ? 0 : (performance.now() - this.startedAt) / deadlineMs;
    return Math.max(own, this.parent?.elapsedShare() ?? 0);
  }

  /** Whether nobody waits any more for what the run has left behind. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Called when the run is idle, or its parent is: the signal of whatever was left behind aborts, and nobody waits for it. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.abandoned.hasAbandoned) this.#abort();
    for (const release of [...this.#onStop]) release();
    this.abandoned.dispose();
  }
}

/** The result with its `orThrow`. Not enumerable: copies and logs show what happened, not how to ask. */
export function withOrThrow(result: Omit<RunResult, "orThrow">): RunResult {
  return Object.defineProperty(result, "orThrow", { value: orThrow }) as RunResult;
}

function orThrow(this: RunResult): CompletedOutcome {
  if (this.status === "completed") return this;
  if (this.error) throw this.error;
  const { status, pending, sessionId } = this;
  const open =
    pending.length > 0 ? ` ${pending.length} questions are open; answer them with resume("${sessionId}").` : "";
  throw new RunError("RUN_INCOMPLETE", { message: `The run ended as "${status}".${open}`, details: { status } });
}
