import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import {
  markedEnvironment,
  type ShellMarks,
  type ShellProcesses,
  signalProcesses,
  startTimeOf,
} from "./process-tree.js";

/** A program that is at work, and all it has started. */
export interface StartedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly processes: ShellProcesses;
  /** Called once nothing of it is left: it no longer has to end with the host. */
  release(): void;
}

interface ProgramPlace {
  readonly cwd?: string | undefined;
  /** All variables it gets, the mark excepted. */
  readonly env: Readonly<Record<string, string>>;
}

/** Killed when this process exits. */
const atWork = new Set<ShellProcesses>();
const killAll = () => {
  for (const processes of atWork) signalProcesses(processes, "SIGKILL");
};

/**
 * Starts a program with pipes for its streams, in a process group of its own. It is killed, with all it has started, when
 * the host exits before `release`.
 *
 * Rejects with the system's error when the program cannot be started. What fails on its pipes later harms nobody.
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  { cwd, env }: ProgramPlace,
  marks: ShellMarks,
): Promise<StartedProgram> {
  // Loaded with the first program: many who import this start none.
  const { spawn } = await import("node:child_process");
  const child = spawn(file, args, { cwd, env: markedEnvironment(env, marks), stdio: "pipe", detached: true });
  await once(child, "spawn");
  for (const each of [child, child.stdin, child.stdout, child.stderr]) each.on("error", () => undefined);
  const group = child.pid!;
  const processes = { ...marks, group, since: startTimeOf(group) };
  if (atWork.size === 0) process.on("exit", killAll);
  atWork.add(processes);
  return {
    child,
    processes,
    release: () => {
      atWork.delete(processes);
      if (atWork.size === 0) process.off("exit", killAll);
    },
  };
}
