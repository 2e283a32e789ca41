// A lock is a file that says which process holds it. It appears whole, in one step (a hard link), so exactly one of
// many processes gets it, and a lock is never seen half written.
//
// The lock of a dead process is taken over under a guard: a lock of the same kind whose name holds the dead owner's token.
// While a process holds that guard no other replaces that lock, and a replaced one never comes back; so a process that reads
// the dead owner's token again under the guard may put its own lock there. A guard can be taken over in the same way.

import { randomBytes } from "node:crypto";
import type * as fs from "node:fs/promises";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

/** The operations a lock needs of files: a seam at which tests let them fail. */
export type LockFiles = Pick<typeof fs, "link" | "readdir" | "readFile" | "rename" | "unlink" | "writeFile">;

/** A holder of locks: one for each store. */
export interface LockOwner {
  readonly pid: number;
  /** See `startOf`. */
  readonly start: string | null;
  readonly host: string;
  readonly token: string;
}

/** Represents the content of a lock file that cannot be read: a loss of power left it behind, so its owner is dead. */
const UNREADABLE: LockOwner = { pid: 0, start: "dead", host: "", token: "unreadable" };
const MAX_ATTEMPTS = 5;

export async function newLockOwner(): Promise<LockOwner> {
  const token = randomBytes(8).toString("hex");
  return { pid: process.pid, start: await startOf(process.pid), host: hostname(), token };
}

/**
 * Takes the lock at `path`. Resolves with `null`, or with the owner who has it.
 *
 * A lock that `me` holds already is taken again: the caller knows that it is not in use.
 */
export async function takeLock(files: LockFiles, path: string, me: LockOwner): Promise<LockOwner | null> {
  const mine = `${path}.${me.token}.tmp`;
  try {
    await files.writeFile(mine, JSON.stringify(me), { mode: 0o600 });
    let owner: LockOwner = me;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (await linked(files, mine, path)) return null;
      const found = await ownerOf(files, path);
      if (found === null) continue;
      if (found.token === me.token) return null;
      if (await isAlive(found)) return found;
      const rival = await takeLock(files, guardOf(path, found), me);
      if (rival) return rival;
      try {
        if ((await ownerOf(files, path))?.token === found.token) {
          await files.rename(mine, path);
          await sweep(files, path).catch(() => {});
          return null;
        }
      } finally {
        await unlinkIfThere(files, guardOf(path, found));
      }
      owner = found;
    }
    return owner;
  } finally {
    // A file that cannot be removed now is overwritten next time.
    await files.unlink(mine).catch(() => {});
  }
}

/** Releases the lock at `path`, if `me` holds it. */
export async function dropLock(files: LockFiles, path: string, me: LockOwner): Promise<void> {
  if ((await ownerOf(files, path))?.token === me.token) await unlinkIfThere(files, path);
}

/**
 * Removes what crashed takers of a lock left beside it. Called by the process that has just taken it over.
 *
 * Guards may go even while they are held: the locks they protect have been replaced for good.
 */
async function sweep(files: LockFiles, path: string): Promise<void> {
  const directory = dirname(path);
  for (const name of await files.readdir(directory)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const left = join(directory, name);
    const proposedBy = name.endsWith(".tmp") ? await ownerOf(files, left) : null;
    // One that cannot be read may be about to be written.
    const isNeeded = proposedBy !== null && (proposedBy === UNREADABLE || (await isAlive(proposedBy)));
    if (!isNeeded) await unlinkIfThere(files, left);
  }
}

function guardOf(path: string, { token }: LockOwner): string {
  return `${path}.${token}`;
}

async function linked(files: LockFiles, from: string, to: string): Promise<boolean> {
  try {
    await files.link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function unlinkIfThere(files: LockFiles, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

async function ownerOf(files: LockFiles, path: string): Promise<LockOwner | null> {
  let text: string;
  try {
    text = await files.readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  return parseOwner(text) ?? UNREADABLE;
}

function parseOwner(text: string): LockOwner | null {
  try {
    const { pid, start, host, token } = JSON.parse(text) as LockOwner;
    const isOwner = Number.isSafeInteger(pid) && pid > 0 && typeof host === "string" && /^[0-9a-f]{16}$/.test(token);
    return isOwner && (start === null || typeof start === "string") ? { pid, start, host, token } : null;
  } catch {
    return null;
  }
}

/** Whether a holder of locks still runs. When in doubt, alive: nothing can be known about processes of another machine. */
export async function isAlive(owner: LockOwner): Promise<boolean> {
  if (owner === UNREADABLE) return false;
  if (owner.host !== hostname()) return true;
  const start = await startOf(owner.pid);
  if (start === "dead") return false;
  return start === null || owner.start === null || start === owner.start;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}

// Distinguishing a living process from a dead one although process ids are reused: a process is its id and its start.

/**
 * The moment at which a process started, as a string that never occurs twice for its id; `null` where that cannot be found out; `"dead"`
 * when there is no such process, or only the remains of one that ended.
 */
export async function startOf(pid: number): Promise<string | null> {
  if (!exists(pid)) return "dead";
  if (process.platform === "linux") return startOnLinux(pid);
  if (process.platform === "win32") return null;
  return startByPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}

async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; the state follows it, and the start is the 20th field from there.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return "dead";
    return fields[19] === undefined ? null : `${boot}:${fields[19]}`;
  } catch {
    return null;
  }
}

async function startByPs(pid: number): Promise<string | null> {
  try {
    const { execFile } = await import("node:child_process");
    const env = { LC_ALL: "C", TZ: "UTC" };
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], { env });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
