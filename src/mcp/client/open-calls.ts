// The tool call that a server's question belongs to. The protocol does not say: it is clear only while there is one call.
import type { ToolContext } from "../../contracts/tool.js";

/** Questions while calls are open, and between calls. */
const MAX_QUESTIONS = 100;

/** A call that a server is at work on. */
export interface OpenCall {
  readonly context: Partial<ToolContext>;
  /** A person is asked meanwhile: the call's time stands still until the returned function is called. */
  pause(): () => void;
  /** Ends the wait for the server with this error; the server is told that the call is cancelled. */
  leave(why: unknown): void;
}

/** The calls one server is at work on. */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();
  #questions = 0;

  add(call: OpenCall): () => void {
    if (this.#calls.size === 0) this.#questions = 0;
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  /** Whether the server may ask once more: a call whose time stands still would otherwise never end. */
  mayAsk(): boolean {
    return ++this.#questions <= MAX_QUESTIONS;
  }

  /** The one call there is; `undefined` when there are several, or none. */
  get only(): OpenCall | undefined {
    return this.#calls.size === 1 ? [...this.#calls][0] : undefined;
  }

  /** Every call's time stands still. */
  pauseAll(): () => void {
    const resume = [...this.#calls].map((call) => call.pause());
    return () => {
      for (const each of resume) each();
    };
  }
}
