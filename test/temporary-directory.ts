import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Kept by the TypeScript runner for its own speed. */
const CACHES = /^tsx-\d+$|^node-compile-cache$/;

const MEMORY = "/dev/shm";
/** Of memory, for the trees of all tests that run at a time. Unit: bytes. */
const ENOUGH = 1024 ** 3;

/** A directory in memory, where there is one, for tests that write thousands of files. CI takes the disk. */
function inMemory(): string | null {
  if (process.env.CI || process.env.PROVE) return null;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ENOUGH ? null : mkdtempSync(join(MEMORY, "test-run-"));
  } catch {
    return null;
  }
}

/** Gives the whole run a temporary directory of its own, and fails the run when something is left in it. */
export default function setup(): () => void {
  const outer = process.env.TMPDIR;
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "test-run-"));
  chmodSync(directory, 0o755); // Some tests run programs as another user.
  process.env.TMPDIR = directory;
  const memory = inMemory();
  process.env.TEST_MEMORY = memory ?? directory;
  return () => {
    const directories = memory === null ? [directory] : [directory, memory];
    const left = directories.flatMap((each) => readdirSync(each)).filter((name) => !CACHES.test(name));
    for (const each of directories) rmSync(each, { recursive: true, force: true });
    delete process.env.TEST_MEMORY;
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
    if (left.length === 0) return;
    console.error(`The tests left ${left.length} entries in the temporary directory: ${left.slice(0, 20).join(", ")}`);
    process.exitCode = 1;
  };
}
