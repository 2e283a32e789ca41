// The messages that a server may send without being asked: many are usual, a flood ends the connection.

/** The most messages without being asked that a server sends in `FLOOD_MS`. */
const MAX_UNASKED = 20_000;
const FLOOD_MS = 10_000;

export const FLOODED = `it sent more than ${MAX_UNASKED} messages in ${FLOOD_MS / 1000} s; the connection was closed.`;

/** Counts what comes unasked. */
export class FloodGate {
  #unasked = 0;
  #since = 0;

  /** Counts one message. Whether there are too many now. */
  isFlooded(): boolean {
    const now = performance.now();
    if (now - this.#since > FLOOD_MS) {
      this.#since = now;
      this.#unasked = 0;
    }
    return ++this.#unasked > MAX_UNASKED;
  }
}
