// A run from the moment it is asked for. The code of runs may still be loading then: what the host does to the run meanwhile
// waits here, and is done to it first of all.
import { type HarnessError, RunAbortedError } from "../contracts/errors.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import type { Usage } from "../contracts/usage.js";
import { abortReason, followSignal } from "../time/follow-signal.js";
import type { Queue } from "./run/inbox.js";
import type { Ending } from "./run/run-lifetime.js";
import type { RunState } from "./run/run-state.js";

/** How far a run is. A snapshot: read it again for newer values. */
export interface RunProgress {
  readonly status: RunStatus | "running";
  readonly turn: number;
  /** What followed the last turn. */
  readonly transition: Transition;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

/** Before its first model call. */
export const NO_PROGRESS: RunProgress = Object.freeze({
  status: "running",
  turn: 0,
  transition: "next-turn",
  usage: Object.freeze({ inputTokens: 0, outputTokens: 0 }),
  costUsd: 0,
});

/** A run as the engine holds it. */
export class RunHandle {
  /** Settles when the run has ended. */
  result!: Promise<RunResult>;
  /** Resolves when nothing the run started is left. */
  idle!: Promise<void>;
  #run: RunState | null = null;
  #ending: Ending | null = null;
  readonly #said: (readonly [text: string, queue: Queue])[] = [];

  constructor(
    readonly id: string,
    readonly sessionId: string,
  ) {}

  /** The run; `null` until its code is loaded. */
  get runOrNull(): RunState | null {
    return this.#run;
  }

  /** The run, which has begun. */
  get run(): RunState {
    return this.#run!;
  }

  /** The run exists: what waited for that is done now. */
  begin(run: RunState): RunState {
    this.#run = run;
    for (const [text, queue] of this.#said) run.inbox.add(text, queue);
    if (this.#ending) run.stop(this.#ending.status, this.#ending.error);
    return run;
  }

  /** Ends the run from outside; the first call wins. */
  stop(status: RunStatus, error?: HarnessError): void {
    if (this.#run) this.#run.stop(status, error);
    else this.#ending ??= { status, error };
  }

  /** Aborts the run for a reason that follows "The run was aborted:". */
  abort(reason: string): void {
    this.stop("aborted", new RunAbortedError(reason));
  }

  /** Aborts the run when a signal of the host does. Returns what ends this. */
  follow(signal: AbortSignal): () => void {
    return followSignal(signal, () => this.abort(abortReason(signal)));
  }

  /** Sends the model a message. `false`: the run has ended, and it was not taken. */
  say(text: string, queue: Queue): boolean {
    const isOver = this.#run ? this.#run.lifetime.ended || this.#run.lifetime.ending : this.#ending;
    if (typeof text !== "string" || text === "" || isOver) return false;
    if (this.#run) this.#run.inbox.add(text, queue);
    else this.#said.push([text, queue]);
    return true;
  }

  get progress(): RunProgress {
    if (!this.#run) return NO_PROGRESS;
    const { turn, transition, lifetime, meter } = this.#run;
    return { status: lifetime.ended ?? "running", turn, transition, usage: meter.usage, costUsd: meter.costUsd };
  }
}
