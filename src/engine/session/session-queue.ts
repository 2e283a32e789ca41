/** Runs work on a session after earlier work on it, in order; different sessions do not wait for each other. */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Settles as `work` does, which starts when earlier work on this session has settled. */
  async after<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(sessionId) ?? Promise.resolve();
    const own = before.then(work, work);
    this.#last.set(sessionId, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(sessionId) === own) this.#last.delete(sessionId);
    }
  }
}
