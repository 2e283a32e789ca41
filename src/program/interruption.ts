import { EXIT } from "./exit-codes.js";

/** The time a run has to record its end after a signal. */
const PATIENCE_MS = 5_000;

/** Turns signals to the process into an abort: the run records its end. A second signal ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController();
  #exitCode: number | undefined;

  constructor() {
    process.on("SIGINT", this.#onInterrupt);
    process.on("SIGTERM", this.#onTerminate);
    process.on("SIGHUP", this.#onTerminate);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The code to exit with after a signal; `undefined` without one. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  readonly #onInterrupt = () => this.#stop(EXIT.interrupted, "interrupted by the user");
  readonly #onTerminate = () => this.#stop(EXIT.terminated, "the process was asked to end");

  #stop(code: number, reason: string): void {
    if (this.#exitCode !== undefined) process.exit(this.#exitCode);
    this.#exitCode = code;
    this.#controller.abort(new Error(reason));
    setTimeout(() => process.exit(code), PATIENCE_MS).unref();
  }

  close(): void {
    process.off("SIGINT", this.#onInterrupt);
    process.off("SIGTERM", this.#onTerminate);
    process.off("SIGHUP", this.#onTerminate);
  }
}
