import * as fs from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { dropLock, type LockOwner, takeLock } from "../processes/process-lock.js";

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 40;

/** The result of work under a lock: its value, or the owner who kept the lock. */
export type Locked<T> = { readonly value: T } | { readonly heldBy: LockOwner };

/**
 * Does `work` while this process holds the lock file at `path`, and waits up to `waitMs` for another process to drop it.
 *
 * The lock of a process that died is taken over. `me` must not use one path twice at a time: a lock it already holds is
 * taken again.
 */
export async function underLock<T>(
  path: string,
  me: LockOwner,
  waitMs: number,
  work: () => Promise<T>,
): Promise<Locked<T>> {
  const heldBy = await takeInTime(path, me, waitMs);
  if (heldBy) return { heldBy };
  try {
    return { value: await work() };
  } finally {
    await dropLock(fs, path, me);
  }
}

async function takeInTime(path: string, me: LockOwner, waitMs: number): Promise<LockOwner | null> {
  const until = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const owner = await takeLock(fs, path, me);
    if (!owner || performance.now() >= until) return owner;
    // The processes that wait do not come back all at once.
    await sleep(pause * (0.5 + Math.random()));
  }
}
