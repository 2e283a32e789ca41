import { RunAbortedError } from "../../contracts/errors.js";
import { abortReason, followSignal } from "../../time/follow-signal.js";

/** Runs work on a session after earlier work on it, in order; different sessions do not wait for each other. */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Settles as `work` does, which starts when earlier work on this session has settled.
   *
   * @throws RunAbortedError when the signal aborts before that; `work` is then never started
   */
  async after<T>(sessionId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.get(sessionId);
    const own = (async () => {
      if (turn) await turnOrAbort(turn, signal);
      return work();
    })();
    // The next in the queue waits for all before it, also when this one has left the queue.
    const done = Promise.allSettled([turn, own]);
    this.#last.set(sessionId, done);
    void done.then(() => {
      if (this.#last.get(sessionId) === done) this.#last.delete(sessionId);
    });
    return own;
  }
}

function turnOrAbort(turn: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (!signal) return turn;
  return new Promise((resolve, reject) => {
    let leave = () => {};
    const onAbort = () => reject(new RunAbortedError(abortReason(signal)));
    leave = followSignal(signal, onAbort);
    void turn.then(resolve).finally(() => leave());
  });
}
