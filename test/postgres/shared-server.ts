import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ends the PostgreSQL that the tests of a run share, if one of them has started it, and removes what it kept. */
export default function setup(): () => Promise<void> {
  return async () => {
    const ready = join(tmpdir(), "pg-ready.json");
    if (existsSync(ready)) {
      const { pid } = JSON.parse(readFileSync(ready, "utf8")) as { readonly pid: number };
      // Its data is thrown away: nothing has to be written.
      process.kill(pid, "SIGQUIT");
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const name of ["pg", "pg-lock", "pg-ready.json", "pg-ready.json.tmp"]) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
