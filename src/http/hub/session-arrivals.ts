// The arrivals at a session while it is in use: one after the other, in the order in which they came.
import { RunError, SessionError } from "../../contracts/errors.js";

/** A message that waits for its session to be free. `isDropped`: the session was stopped meanwhile. */
interface WaitingMessage {
  readonly sessionId: string;
  isDropped: boolean;
}

/** The messages that may wait for one session: each is held in memory. */
const MAX_WAITING = 20;

export class SessionArrivals {
  /** The newest that each session has to do, if it has not done all. */
  readonly #newest = new Map<string, Promise<unknown>>();
  readonly #waiting = new Set<WaitingMessage>();

  has(sessionId: string): boolean {
    return this.#newest.has(sessionId);
  }

  /** Does one thing with a session after the other. */
  async inTurn<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#newest.get(sessionId);
    const turn = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#newest.set(sessionId, turn);
    try {
      return await turn;
    } finally {
      if (this.#newest.get(sessionId) === turn) this.#newest.delete(sessionId);
    }
  }

  /** Does something with a message that may have to wait; `check` throws `RUN_ABORTED` once it was dropped. @throws SessionError `SESSION_BUSY` */
  async message<T>(sessionId: string, work: (check: () => void) => Promise<T>): Promise<T> {
    if ([...this.#waiting].filter((one) => one.sessionId === sessionId).length >= MAX_WAITING) throw tooMany(sessionId);
    const message: WaitingMessage = { sessionId, isDropped: false };
    this.#waiting.add(message);
    const check = () => {
      if (message.isDropped) throw wasDropped(sessionId);
    };
    return work(check).finally(() => this.#waiting.delete(message));
  }

  /** Drops the messages of a session that wait. */
  drop(sessionId: string): void {
    for (const message of this.#waiting) if (message.sessionId === sessionId) message.isDropped = true;
  }
}

function tooMany(sessionId: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `${MAX_WAITING} messages wait already for the run of session "${sessionId}" to end. Send more once they are answered, or stop it.`,
  });
}

function wasDropped(sessionId: string): RunError {
  return new RunError("RUN_ABORTED", {
    message: `Session "${sessionId}" was stopped while this message waited for its run to end: the message was not sent. Send it again.`,
  });
}
