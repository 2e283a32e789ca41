// A small process that outlives this one by a moment: when this one is killed, it kills the servers, and what they started.
// There is one for all servers; it is there while there is a server.
import { type ChildProcess, spawn } from "node:child_process";

/*
 * Reads `add group:mark` and `drop group:mark` until its input ends, which it does when the host does, kill -9 included. Then
 * it kills what is left on its list, again until nothing is found.
 */
const GUARD = `
list=
while read -r verb entry; do
  if [ "$verb" = add ]; then list="$list $entry"; else list=$(printf '%s\\n' $list | grep -vxF -- "$entry"); fi
done
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=
  for entry in $list; do
    kill -s KILL -- "-\${entry%%:*}" 2>/dev/null
    found="$found $(grep -lsaF -- "\${entry#*:}" /proc/[0-9]*/environ)"
  done
  for file in $found; do
    id=\${file#/proc/}
    kill -s KILL -- "\${id%/*}" 2>/dev/null
  done
  [ "$round" -gt 1 ] && [ -z "\${found# }" ] && break
  sleep 0.05
done
`;

let guard: ChildProcess | undefined;
let servers = 0;

/** Has a server killed should this process die. Returns what takes this back. Without a shell there is no guard. */
export function guardProcess(group: number, mark: string): () => void {
  const entry = `${group}:${mark}`;
  servers++;
  guard ??= startGuard();
  guard.stdin?.write(`add ${entry}\n`);
  return () => {
    guard?.stdin?.write(`drop ${entry}\n`);
    if (--servers > 0) return;
    guard?.stdin?.end();
    guard = undefined;
  };
}

function startGuard(): ChildProcess {
  const child = spawn("sh", ["-c", GUARD, "loopwright-guard"], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["pipe", "ignore", "ignore"],
    // Signals meant for the host, as Ctrl-C in its terminal sends, must not take the guard along.
    detached: true,
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  // It must not keep this process alive.
  child.unref();
  (child.stdin as unknown as { unref?(): void }).unref?.();
  return child;
}
