import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtPrograms } from "./built-programs.js";
import { allPages, type Program, programsOf } from "./pages.js";

const shown = allPages()
  .flatMap(programsOf)
  .filter(({ prints }) => prints !== null);

/** Runs the programs one after the other, each in an empty directory, and keeps what each prints. */
const RUNNER = `
import { mkdirSync, writeFileSync } from "node:fs";
const [work, count] = process.argv.slice(2);
const here = new URL(".", import.meta.url);
for (let index = 0; index < Number(count); index++) {
  mkdirSync(work + "/" + index);
  process.chdir(work + "/" + index);
  const outcome = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) process[name].write = (text) => ((outcome[name] += text), true);
  await import(new URL(index + ".mjs", here)).catch((error) => (outcome.stderr += error.stack));
  writeFileSync(work + "/" + index + ".json", JSON.stringify(outcome));
}
`;

let built: string;
let work: string;

beforeAll(async () => {
  built = await builtPrograms(shown.map(({ code }) => code));
  work = mkdtempSync(join(tmpdir(), "loopwright-docs-"));
  mkdirSync(join(work, "tmp"));
  writeFileSync(join(built, "runner.mjs"), RUNNER);
});

afterAll(() => {
  for (const directory of [built, work]) rmSync(directory, { recursive: true, force: true });
});

const at = ({ page, line }: Program) => `${page}:${line}`;

test("every program of the docs prints what its page says, word for word, and leaves nothing running", async () => {
  const runner = [join(built, "runner.mjs"), work, String(shown.length)];

  // Ends by itself only when no program has left anything behind.
  await promisify(execFile)(process.execPath, runner, {
    timeout: 240_000,
    env: { ...process.env, TMPDIR: join(work, "tmp") },
  });

  const outcomes = shown.map((_, index) => JSON.parse(readFileSync(join(work, `${index}.json`), "utf8")));
  expect(shown.length).toBeGreaterThan(10);
  expect(outcomes.map((outcome, index) => ({ at: at(shown[index]!), ...outcome }))).toEqual(
    shown.map((program) => ({ at: at(program), stdout: `${program.prints}\n`, stderr: "" })),
  );
});
