// One process at a time changes a repository: git fails where it reads the list of work trees while another writes it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Locked, underLock } from "../../files/wait-for-lock.js";
import type { LockOwner } from "../../processes/process-lock.js";
import { tryGit } from "./git.js";

const WAIT_MS = 60_000;

/** Does `work` while no other process changes the repository; at once where the repository is gone. `waitMs`: the longest it waits, in milliseconds. */
export async function inTurn<T>(
  repository: string,
  me: LockOwner,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<Locked<T>> {
  if (!existsSync(repository)) return { value: await work() };
  const { exitCode, stdout } = await tryGit(repository, ["rev-parse", "--git-common-dir"]);
  if (exitCode !== 0) return { value: await work() };
  return underLock(join(resolve(repository, stdout.toString().trim()), "loopwright-worktrees.lock"), me, waitMs, work);
}

/** The reason why it was not this process's turn, and what to do. */
export function describeHolder({ pid, host }: LockOwner): string {
  return `process ${pid} on ${host} has been changing this repository for ${WAIT_MS / 1_000} seconds. Wait for it, or end it.`;
}
