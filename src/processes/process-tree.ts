import { randomInt, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The marks that all processes of a command inherit, and are found by through `/proc`; elsewhere only its group is known.
 *
 * A command runs in a process group of its own, but a child that calls `setsid` leaves the group, and a daemon also its
 * parent. A process that removes both marks on purpose and leaves the group is not found, nor one that a daemon of the machine
 * starts on request: that takes an OS sandbox.
 */
export interface ShellMarks {
  /** A random string in the environment. */
  readonly mark: string;
  /**
   * A random limit on file locks, which Linux has ignored since 2.4: it survives a cleared environment and cannot be
   * raised. Absent where it could not be used.
   */
  readonly lockLimit?: string;
}

/** The processes one command started. */
export interface ShellProcesses extends ShellMarks {
  /** The shell's process id, which is the group's id. */
  readonly group: number;
  /** The moment at which the shell started, in the kernel's clock: nothing older can be its child. Default: 0. */
  readonly since?: number;
  /** The group is the sandbox around the command: it ends by itself with the command, and takes all with it when killed. */
  readonly sandboxed?: boolean;
}

interface Found {
  readonly id: number;
  readonly group: number;
}

const MARK_NAME = "LOOPWRIGHT_COMMAND";
const POLL_MS = 10;
const KILL_MS = 5_000;

/** Sends a signal once to every process of a command. Never throws. */
export function signalProcesses(processes: ShellProcesses, signal: "SIGTERM" | "SIGKILL"): void {
  signalAll(processes, signal);
}

function signalAll(processes: ShellProcesses, signal: "SIGTERM" | "SIGKILL") {
  const spared = processes.sandboxed && signal === "SIGTERM";
  const inGroup = !spared && send(-processes.group, signal);
  const seen = findProcesses(processes);
  // Unknown counts as some: the caller looks again.
  if (!seen) return { wereAny: true, gone: [] };
  for (const { id, group } of seen.found) if (group !== processes.group) send(id, signal);
  return { wereAny: seen.found.length > 0 || (inGroup && process.platform !== "linux"), gone: seen.gone };
}

/** Resolves when every process of a command has ended, or after `timeoutMs`. */
export async function waitForProcesses(processes: ShellProcesses, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(processes) && performance.now() < deadline) await sleep(POLL_MS);
}

/** Kills every process of a command until no process is left, including those that fork meanwhile. Gives up after five seconds. */
export async function killProcesses(processes: ShellProcesses): Promise<void> {
  const deadline = performance.now() + KILL_MS;
  let known: readonly number[] = [];
  while (performance.now() < deadline) {
    const { wereAny, gone } = signalAll(processes, "SIGKILL");
    // A process that is gone since the look before may have started another, for which this look came too early.
    if (!wereAny && gone.every((id) => known.includes(id))) return;
    known = gone;
    await sleep(POLL_MS);
  }
}

/** The moment at which a new process was started, in the kernel's clock; 0 where it is unknown. Never throws. */
export function startTimeOf(id: number): number {
  try {
    return readStat(id)?.startedAt ?? 0;
  } catch {
    return 0;
  }
}

/** Marks for one command. */
export function createMarks(): ShellMarks {
  const isFree = /^Max file locks\s+unlimited\s+unlimited/m.test(read("/proc/self/limits"));
  return { mark: randomUUID(), ...(isFree && { lockLimit: String(randomInt(2 ** 46, 2 ** 47)) }) };
}

/** The variables of a process with its mark, beside those that this process has been started with itself. */
export function markedEnvironment(env: Readonly<Record<string, string>>, { mark }: ShellMarks): Record<string, string> {
  return { ...env, [MARK_NAME]: [process.env[MARK_NAME], mark].filter(Boolean).join(",") };
}

function isAlive(processes: ShellProcesses): boolean {
  if (process.platform === "linux") return findProcesses(processes)?.found.length !== 0;
  return send(-processes.group, 0);
}

/** The processes of a command; and those that may have belonged to it and have just died or become another program. */
interface Seen {
  readonly found: readonly Found[];
  readonly gone: readonly number[];
}

/** `null` when this process has no descriptor left to look with. */
function findProcesses(processes: ShellProcesses): Seen | null {
  const found: Found[] = [];
  const gone: number[] = [];
  try {
    for (const id of listProcessIds()) {
      const stat = readStat(id);
      if (stat && stat.startedAt < (processes.since ?? 0)) continue;
      // A zombie waits for its parent and does nothing any more.
      if (!stat || stat.isZombie) {
        gone.push(id);
        continue;
      }
      const isOurs = stat.group === processes.group || isMarked(id, processes);
      if (isOurs) found.push({ id, group: stat.group });
      else if (isOurs === undefined) gone.push(id);
    }
  } catch {
    return null;
  }
  return { found, gone };
}

/** `undefined` when it has no environment to look into: it is about to become another program, or has ended, or belongs to another user. */
function isMarked(id: number, { mark, lockLimit }: ShellProcesses): boolean | undefined {
  const environment = read(`/proc/${id}/environ`);
  if (environment.includes(mark)) return true;
  if (lockLimit !== undefined && read(`/proc/${id}/limits`).includes(` ${lockLimit} `)) return true;
  return environment === "" ? undefined : false;
}

function listProcessIds(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function readStat(id: number) {
  const text = read(`/proc/${id}/stat`);
  if (text === "") return undefined;
  // "pid (name) state ppid pgrp …", where the name may hold anything and the start time is field 22.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { isZombie: /^[ZX]/.test(fields[0]!), group: Number(fields[2]), startedAt: Number(fields[19]) };
}

/** Empty for a process that is gone or belongs to another user. @throws when no file can be opened at all */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EMFILE" || code === "ENFILE") throw error;
    return "";
  }
}

/** Whether there was such a process: it may have ended by itself, or belong to another user. */
function send(id: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(id, signal);
  } catch {
    return false;
  }
}
