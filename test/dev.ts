// `npm run dev`: on each save the tests of what has changed, then the build without declarations. It begins with what has
// changed since the last commit; a save while it works is for the next round. Types are checked by the editor, and by `npm run types`.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TestFinder } from "./tests-of.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WATCHED = ["src", "test"];
/** Tests of one file, the nearest first: a file that everything uses has hundreds, and `npm test` is for those. */
const NEAREST = 8;
/** An editor saves a file in several steps, and a formatter saves it again. */
const SETTLE_MS = 100;

/** The tests to run for files of the repository, each once: a test itself, and of any other file the nearest. */
export function testsOfChanged(files: readonly string[], finder = new TestFinder()): string[] {
  const isTest = (file: string) => file.endsWith(".test.ts");
  return [
    ...new Set(
      files.flatMap((file) => (isTest(file) ? [file] : finder.testsOf(file).filter(isTest).slice(0, NEAREST))),
    ),
  ];
}

function changedSinceCommit(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  return [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")].filter(
    isWatched,
  );
}

function isWatched(file: string): boolean {
  return /\.tsx?$/.test(file) && WATCHED.includes(file.split("/")[0]!);
}

/** Runs a program of a package; resolves with whether it has ended well. */
function runs(program: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, "node_modules", program), ...args], {
    cwd: ROOT,
    stdio: "inherit",
  });
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}

async function checkChanged(changed: readonly string[]): Promise<void> {
  const files = changed.filter((file) => existsSync(join(ROOT, file)));
  const tests = testsOfChanged(files);
  console.log(`\ndev: ${changed.join(", ")}`);
  if (tests.length > 0) await runs("vitest/vitest.mjs", "run", "--project", "node", ...tests);
  else console.log("dev: no test is near it.");
  if (!changed.some((file) => file.startsWith("src/"))) return;
  const startedAt = performance.now();
  const isBuilt = await runs("tsup/dist/cli-default.js", "--no-dts", "--silent");
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(isBuilt ? `dev: built in ${seconds} s, without declarations` : "dev: the build failed");
}

async function watchSources(): Promise<never> {
  const waiting = new Set(changedSinceCommit());
  let wake = () => {};
  for (const directory of WATCHED) {
    watch(join(ROOT, directory), { recursive: true }, (_event, name) => {
      const file = `${directory}/${String(name).replaceAll("\\", "/")}`;
      if (!isWatched(file)) return;
      waiting.add(file);
      wake();
    });
  }
  for (;;) {
    if (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const changed = [...waiting].sort();
      waiting.clear();
      await checkChanged(changed);
    }
    if (waiting.size > 0) continue;
    console.log("dev: waiting for a file of src or test to be saved. Ctrl+C ends it.");
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await watchSources();
