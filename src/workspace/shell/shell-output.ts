import type { Socket } from "node:net";
import { settlesWithin } from "../../time/settles-within.js";

/** Passes on what a pipe says. While a promise of the consumer is pending, nothing is read. */
export class ShellOutput {
  readonly #closed: Promise<void>;
  readonly #stopped: Promise<void>;
  #stop!: () => void;
  #consuming: Promise<unknown> | undefined;

  /** `consume` must not throw or reject. */
  constructor(pipe: Socket, consume: (chunk: Buffer) => Promise<unknown> | undefined) {
    this.#closed = new Promise((resolve) => pipe.once("close", () => resolve()));
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    pipe.on("data", (chunk: Buffer) => {
      this.#consuming = consume(chunk)?.finally(() => {
        this.#consuming = undefined;
        pipe.resume();
      });
      if (this.#consuming) pipe.pause();
    });
  }

  /** Resolves when all was read, when reading took `timeoutMs` because somebody keeps the pipe open, or at `stop`. */
  async drained(timeoutMs: number): Promise<void> {
    const over = Promise.race([this.#closed, this.#stopped]);
    while (!(await settlesWithin(over, timeoutMs)) && this.#consuming) {
      await Promise.race([this.#consuming, this.#stopped]);
    }
  }

  /** The rest is not wanted any more. */
  stop(): void {
    this.#stop();
  }
}
