import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The processes one command started.
 *
 * A command runs in a process group of its own, but a child that calls `setsid` leaves the group. Every child therefore
 * carries a random mark in its environment, by which it is found through `/proc` (Linux; elsewhere only the group is
 * known). A process that both leaves the group and clears its environment is not found: that takes an OS sandbox.
 */
export interface ShellProcesses {
  /** The shell's process id, which is the group's id. */
  readonly group: number;
  /** `NAME=value` as it stands in the environment of everything the command started. */
  readonly mark: string;
}

const POLL_MS = 10;
const KILL_MS = 1_000;

/** Sends a signal once to every process of a command. Never throws. */
export function signalProcesses(processes: ShellProcesses, signal: "SIGTERM" | "SIGKILL"): void {
  send(-processes.group, signal);
  for (const { id, group } of findProcesses(processes)) {
    if (group !== processes.group) send(id, signal);
  }
}

/** Resolves when every process of a command has ended, or after `timeoutMs`. */
export async function waitForProcesses(processes: ShellProcesses, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(processes) && performance.now() < deadline) await sleep(POLL_MS);
}

/** Kills every process of a command until none is left, also those that fork meanwhile. Gives up after a second. */
export async function killProcesses(processes: ShellProcesses): Promise<void> {
  const deadline = performance.now() + KILL_MS;
  signalProcesses(processes, "SIGKILL");
  while (isAlive(processes) && performance.now() < deadline) {
    await sleep(POLL_MS);
    signalProcesses(processes, "SIGKILL");
  }
}

function isAlive(processes: ShellProcesses): boolean {
  if (process.platform === "linux") return findProcesses(processes).length > 0;
  return send(-processes.group, 0);
}

function findProcesses({ mark }: ShellProcesses): { id: number; group: number }[] {
  return listProcessIds().flatMap((id) => {
    // A zombie has no environment left, so only the living are found.
    const environment = read(`/proc/${id}/environ`);
    if (!environment.includes(mark)) return [];
    // "pid (name) state ppid pgrp …", and the name may hold anything.
    const stat = read(`/proc/${id}/stat`);
    const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
    return [{ id, group: Number(group) }];
  });
}

function listProcessIds(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Empty for a process that is gone or somebody else's. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
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
