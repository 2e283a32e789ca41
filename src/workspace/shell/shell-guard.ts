import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { ShellMarks } from "../../processes/process-tree.js";

/*
 * Makes the named pipes, then waits until its input ends. It ends when the host does, however that comes about, kill -9
 * included; then all that belongs to the command is killed, again until nothing is found, and the directory removed. The
 * host kills the guard when the command is over.
 */
const GUARD = `
directory=$1 mark=$2 limit=$3
mkfifo -m 600 -- "$directory/output" "$directory/errors" && echo ready || exit 1
read -r group
read -r _
for round in 1 2 3 4 5 6 7 8 9 10; do
  [ -n "$group" ] && kill -s KILL -- "-$group"
  found=$(grep -lsaF -- "$mark" /proc/[0-9]*/environ; grep -lsF -- " $limit " /proc/[0-9]*/limits)
  for file in $found; do
    id=\${file#/proc/}
    kill -s KILL -- "\${id%/*}"
  done
  [ "$round" -gt 1 ] && [ -z "$found" ] && break
  sleep 0.05
done
rm -rf -- "$directory"
`;

/** A small process that ends a command should the host die before it. */
export interface ShellGuard {
  /** Says which process group to kill. */
  watch(group: number): void;
  release(): void;
}

/** What starting a process with two pipes takes. */
const DESCRIPTORS = 10;

/** Starts the guard of one command; resolves when the pipes `directory/output` and `directory/errors` are there. */
export async function startGuard(directory: string, { mark, lockLimit }: ShellMarks): Promise<ShellGuard> {
  assertDescriptors();
  const { spawn } = process.getBuiltinModule("node:child_process");
  const guard = spawn("sh", ["-c", GUARD, "loopwright-guard", directory, mark, lockLimit ?? "none"], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["pipe", "pipe", "ignore"],
    // Signals meant for the host, as Ctrl-C in its terminal sends, must not take the guard along.
    detached: true,
  });
  const ended = new Promise<never>((_, reject) => {
    guard.on("error", reject);
    guard.on("exit", () => reject(Object.assign(new Error(`mkfifo failed in "${directory}"`), { code: "ENOENT" })));
  });
  // A guard that somebody killed is missed only if the host dies, too.
  ended.catch(() => undefined);
  guard.stdin?.on("error", () => undefined);
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
    watch: (group) => void guard.stdin.write(`${group}\n`),
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
