interface Closable {
  close(): Promise<unknown>;
}

/** The parts that an agent has opened, closed once, the last first. */
export class Closers {
  readonly #open: Closable[] = [];
  #closing: Promise<void> | undefined;

  add<T extends Closable>(opened: T): T {
    this.#open.push(opened);
    return opened;
  }

  /** One that fails to close does not keep the others open; the first failure is thrown at the end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const failures: unknown[] = [];
    for (let one = this.#open.pop(); one; one = this.#open.pop()) {
      await one.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
