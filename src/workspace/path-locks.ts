import { Semaphore } from "async-mutex";
import type { PathAccess } from "../contracts/workspace.js";

/** A writer takes all places, a reader one. Far more than a run has calls, and small enough to count through. */
const PLACES = 1_000;

/**
 * One read-write lock per path: readers share, a writer is alone, different paths never wait for each other.
 *
 * First come, first served: a reader behind a waiting writer waits, too, so writers do not starve.
 */
export class PathLocks {
  readonly #locks = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  /** Paths that are locked or waited for; 0 when idle. */
  get size(): number {
    return this.#locks.size;
  }

  /** Runs `work` under the lock, which is let go however `work` ends. Not reentrant: a nested call waits forever. */
  async run<T>(path: string, access: PathAccess, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(path) ?? { semaphore: new Semaphore(PLACES), users: 0 };
    this.#locks.set(path, lock);
    lock.users++;
    try {
      return await lock.semaphore.runExclusive(work, access === "write" ? PLACES : 1);
    } finally {
      if (--lock.users === 0) this.#locks.delete(path);
    }
  }
}
