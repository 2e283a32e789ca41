// Small processes that outlive this one by a moment: when it ends, kill -9 included, their input ends, and they kill what it
// has started.
import type { ChildProcess } from "node:child_process";
import type { ShellProcesses } from "./process-tree.js";

/**
 * The end of a guard's script: kills the processes of each entry of `$list`, which is `group:mark:limit`, again until
 * nothing is found. The group may be empty, and the limit "none".
 */
export const KILL_LISTED = `
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=
  for entry in $list; do
    group=\${entry%%:*} marks=\${entry#*:}
    [ -n "$group" ] && kill -s KILL -- "-$group"
    found="$found $(grep -lsaF -- "\${marks%%:*}" /proc/[0-9]*/environ; grep -lsF -- " \${marks#*:} " /proc/[0-9]*/limits)"
  done
  set -- $found
  for file; do
    id=\${file#/proc/}
    kill -s KILL -- "\${id%/*}"
  done
  [ "$round" -gt 1 ] && [ $# = 0 ] && break
  sleep 0.05
done
`;

/** Reads `add entry` and `drop entry` until its input ends. */
const GUARD = `
list=
while read -r verb entry; do
  if [ "$verb" = add ]; then list="$list $entry"; else list=$(printf '%s\\n' $list | grep -vxF -- "$entry"); fi
done
${KILL_LISTED}`;

let shared: ChildProcess | undefined;
let guarded = 0;

/**
 * Has a program and what it has started killed should this process die. Returns what takes this back.
 *
 * One guard watches over all of them, for as long as there are any. Without a shell, nothing does.
 */
export function guardProcess({ group, mark, lockLimit = "none" }: ShellProcesses): () => void {
  const entry = `${group}:${mark}:${lockLimit}`;
  guarded++;
  shared ??= startSharedGuard();
  shared.stdin?.write(`add ${entry}\n`);
  return () => {
    shared?.stdin?.write(`drop ${entry}\n`);
    if (--guarded > 0) return;
    shared?.stdin?.end();
    shared = undefined;
  };
}

function startSharedGuard(): ChildProcess {
  const guard = spawnGuard(GUARD, [], "ignore");
  guard.on("error", () => undefined);
  // It must not keep this process alive.
  guard.unref();
  (guard.stdin as { unref?(): void } | null)?.unref?.();
  return guard;
}

/** Starts a guard's script. Without a shell, it emits `error`. */
export function spawnGuard(script: string, args: readonly string[], output: "pipe" | "ignore"): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const guard = spawn("sh", ["-c", script, "loopwright-guard", ...args], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["pipe", output, "ignore"],
    // Signals meant for the host, as Ctrl-C in its terminal sends, must not take the guard along.
    detached: true,
  });
  guard.stdin?.on("error", () => undefined);
  return guard;
}
