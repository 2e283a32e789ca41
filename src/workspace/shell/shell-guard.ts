import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { KILL_LISTED, spawnGuard } from "../../processes/process-guard.js";
import type { ShellMarks } from "../../processes/process-tree.js";

/*
 * Makes the named pipes, then waits until its input ends. It ends when the host does, however that comes about; then all
 * that belongs to the command is killed, and the directory removed. The host kills the guard when the command is over.
 */
const GUARD = `
directory=$1 marks=$2
mkfifo -m 600 -- "$directory/output" "$directory/errors" && echo ready || exit 1
read -r group
read -r _
list="$group:$marks"
${KILL_LISTED}
rm -rf -- "$directory"
`;

/** A small process that ends a command should the host die before it. */
export interface ShellGuard {
  /** Says which process group to kill. */
  watch(group: number): void;
  release(): void;
}

/** The descriptors that starting a process with two pipes takes. */
const DESCRIPTORS = 10;

/** Starts the guard of one command; resolves when the pipes `directory/output` and `directory/errors` are there. */
export async function startGuard(directory: string, { mark, lockLimit = "none" }: ShellMarks): Promise<ShellGuard> {
  assertDescriptors();
  const guard = spawnGuard(GUARD, [directory, `${mark}:${lockLimit}`], "pipe");
  const ended = new Promise<never>((_, reject) => {
    guard.on("error", reject);
    guard.on("exit", () => reject(Object.assign(new Error(`mkfifo failed in "${directory}"`), { code: "ENOENT" })));
  });
  // A guard that somebody killed is missed only if the host dies, too.
  ended.catch(() => undefined);
  const release = () => {
    guard.stdin?.destroy();
    guard.stdout?.destroy();
    guard.kill("SIGKILL");
  };
  try {
    // Without descriptors it has no streams, and its error comes.
    await Promise.race(guard.stdout ? [once(guard.stdout, "data"), ended] : [ended]);
  } catch (error) {
    release();
    throw error;
  }
  return {
    watch: (group) => void guard.stdin?.write(`${group}\n`),
    release,
  };
}

/** Before there are too few: Node loses, for good, the pipes of a process that could not be started for want of them. */
function assertDescriptors(): void {
  const files: number[] = [];
  try {
    while (files.length < DESCRIPTORS) files.push(openSync("/dev/null", "r"));
  } finally {
    for (const file of files) closeSync(file);
  }
}
