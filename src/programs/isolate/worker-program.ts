// A program in a worker thread. Idea: there are as many workers as cores. A program whose calls take their time gives its place to
// one that waits for it, and starts again when they are done: it gets the answers it had got, so it comes to where it was.
import type { Worker } from "node:worker_threads";
import { ConcurrencyLimit } from "../../engine/run/claims.js";
import { followSignal } from "../../time/follow-signal.js";
import type { IsolateLimits, ProgramAnswer, ProgramStart, ProgramStep, RunningProgram } from "./isolate.js";
import type { WorkerReport, WorkerRequest } from "./worker-thread.js";

/** The time after which a worker is ended whose engine was due to stop the program. Unit: milliseconds. */
const GRACE_MS = 400;
/** Unit: milliseconds. */
const START_MS = 120_000;

/** The places for workers. */
export class WorkerPlaces {
  readonly #limit: ConcurrencyLimit;
  /** Programs that have a place and wait for their calls; the longest first. */
  readonly #idle = new Set<WorkerProgram>();
  #waiting = 0;

  constructor(count: number) {
    this.#limit = new ConcurrencyLimit(count);
  }

  /** Resolves when there is a place. Rejects when the signal aborts before. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#limit.tryTake()) return;
    this.#waiting++;
    const granted = new Promise<void>((resolve, reject) => {
      const leaveQueue = this.#limit.wait(() => {
        unfollow();
        resolve();
      });
      const unfollow = followSignal(signal, () => {
        leaveQueue();
        reject(signal.reason);
      });
    });
    this.#makeRoom();
    await granted.finally(() => this.#waiting--);
  }

  release(): void {
    this.#limit.release();
  }

  /** The program has a place and waits for its calls. */
  rest(program: WorkerProgram): void {
    this.#idle.add(program);
    this.#makeRoom();
  }

  wake(program: WorkerProgram): void {
    this.#idle.delete(program);
  }

  #makeRoom(): void {
    const [longest] = this.#idle;
    if (longest && this.#waiting > 0) void longest.giveWay();
  }
}

export class WorkerProgram implements RunningProgram {
  readonly #places: WorkerPlaces;
  readonly #createWorker: () => Worker;
  readonly #start: ProgramStart;
  /** Everything it was sent, for when it has to start again. */
  readonly #sent: WorkerRequest[] = [];
  #answers: WorkerRequest = { answers: null, at: 0 };
  #worker: Worker | undefined;
  #isClosed = false;

  constructor(places: WorkerPlaces, createWorker: () => Worker, start: ProgramStart) {
    this.#places = places;
    this.#createWorker = createWorker;
    this.#start = start;
  }

  answer(answers: readonly ProgramAnswer[], at: number): void {
    this.#answers = { answers, at };
  }

  async next(): Promise<ProgramStep> {
    this.#places.wake(this);
    if (!this.#worker) {
      const ended = await this.#begin();
      if (ended) return ended;
    }
    const step = await this.#ask(this.#answers);
    this.#sent.push(this.#answers);
    if (step.type === "wave" && this.#worker) this.#places.rest(this);
    return step;
  }

  /** Ends its worker while it waits for its calls. */
  async giveWay(): Promise<void> {
    this.#places.wake(this);
    await this.#end();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#places.wake(this);
    await this.#end();
  }

  /** Starts a worker, and brings the program to where it was. Resolves with its end if it comes to another one on the way. */
  async #begin(): Promise<ProgramStep | undefined> {
    const { signal } = this.#start;
    await this.#places.take(signal);
    this.#worker = this.#createWorker();
    // A failure is heard by what waits for a report; where nothing waits, nothing is lost.
    this.#worker.on("error", () => {});
    const started = await this.#report(START_MS);
    if (started !== "ready") return started;
    for (const request of this.#sent) {
      const step = await this.#ask(request);
      if (step.type === "end") return step;
    }
    return undefined;
  }

  #ask(request: WorkerRequest): Promise<ProgramStep> {
    this.#worker?.postMessage(request);
    return this.#report(this.#start.limits.cpuMs + GRACE_MS) as Promise<ProgramStep>;
  }

  /** The worker's next message, or the meaning of its silence. */
  async #report(withinMs: number): Promise<WorkerReport> {
    const worker = this.#worker!;
    const { signal, limits } = this.#start;
    let leave = () => {};
    const said = await new Promise<WorkerReport | Error | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), withinMs);
      const unfollow = followSignal(signal, () => resolve(null));
      const failed = (error: Error) => resolve(error);
      const exited = () => resolve(new Error("the worker ended"));
      worker.once("message", resolve).once("error", failed).once("exit", exited);
      leave = () => {
        clearTimeout(timer);
        unfollow();
        worker.off("message", resolve).off("error", failed).off("exit", exited);
      };
    });
    leave();
    if (said !== null && !(said instanceof Error)) return said;
    await this.#end();
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error("The program was closed while it ran.");
    return endOf(said, withinMs === START_MS ? "Its worker did not start." : overTime(limits));
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    await worker.terminate().catch(() => {});
    this.#places.release();
  }
}

/** The end of a program whose worker has ended, or was silent. */
function endOf(error: (Error & { readonly code?: string }) | null, silence: string): ProgramStep {
  const isMemory = error?.code === "ERR_WORKER_OUT_OF_MEMORY";
  const failed = isMemory ? "It went beyond the memory of its worker." : `Its worker failed: ${error?.message}`;
  return { type: "end", end: "limit", text: error ? failed : silence, unmade: 0, logs: "", isLogCut: false, cpuMs: 0 };
}

const overTime = ({ cpuMs }: IsolateLimits) => `It computed for more than ${cpuMs} ms without a call.`;
