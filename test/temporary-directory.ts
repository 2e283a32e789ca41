import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Kept by the TypeScript runner for its own speed. */
const CACHES = /^tsx-\d+$|^node-compile-cache$/;

/** Gives the whole run a temporary directory of its own, and fails the run when something is left in it. */
export default function setup(): () => void {
  const outer = process.env.TMPDIR;
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "test-run-"));
  chmodSync(directory, 0o755); // Some tests run programs as another user.
  process.env.TMPDIR = directory;
  return () => {
    const left = readdirSync(directory).filter((name) => !CACHES.test(name));
    rmSync(directory, { recursive: true, force: true });
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
    if (left.length === 0) return;
    console.error(`The tests left ${left.length} entries in the temporary directory: ${left.slice(0, 20).join(", ")}`);
    process.exitCode = 1;
  };
}
