import { Semaphore } from "async-mutex";
import type { PathAccess } from "../contracts/workspace.js";
import { foldPath } from "../paths/fold.js";

/** A writer takes all places, a reader one. Far more than a run has calls, and small enough to count through. */
const PLACES = 1_000;

/** Platforms where names that differ in case may be one file. Locking too much does no harm there. */
const FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";
const TABLE = Symbol.for("loopwright.path-locks");

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

  /** Runs `work` under the lock, which is released however `work` ends. Not reentrant: a nested call waits forever. */
  async run<T>(path: string, access: PathAccess, work: () => Promise<T>): Promise<T> {
    const key = FOLDS_CASE ? foldPath(path) : path;
    const lock = this.#locks.get(key) ?? { semaphore: new Semaphore(PLACES), users: 0 };
    this.#locks.set(key, lock);
    lock.users++;
    try {
      return await lock.semaphore.runExclusive(work, access === "write" ? PLACES : 1);
    } finally {
      if (--lock.users === 0) this.#locks.delete(key);
    }
  }
}

/**
 * The table that all workspaces of this process share, also those of another copy of the package: what two workspaces do
 * to one file takes turns. Other processes are not kept out.
 */
export function processLocks(): PathLocks {
  const holder = globalThis as { [TABLE]?: PathLocks };
  holder[TABLE] ??= new PathLocks();
  return holder[TABLE];
}
