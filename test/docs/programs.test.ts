import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allPages, type Program, programsOf, ROOT } from "./pages.js";

const shown = allPages()
  .flatMap(programsOf)
  .filter(({ prints }) => prints !== null);

let built: string;
let work: string;

beforeAll(async () => {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that the programs find its packages.
  built = mkdtempSync(join(cache, "docs-"));
  work = mkdtempSync(join(tmpdir(), "loopwright-docs-"));
  for (const [index, { code }] of shown.entries()) writeFileSync(join(built, `${index}.ts`), code);
  await build({
    entryPoints: shown.map((_, index) => join(built, `${index}.ts`)),
    outdir: built,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    alias: { loopwright: join(ROOT, "src") },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
});

afterAll(() => {
  for (const folder of [built, work]) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in an empty folder. */
function run(index: number): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const cwd = join(work, String(index));
  mkdirSync(cwd);
  return new Promise((resolve) => {
    execFile(process.execPath, [join(built, `${index}.mjs`)], { cwd, timeout: 10_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr });
    });
  });
}

const at = ({ page, line }: Program) => `${page}:${line}`;

test("every program of the docs prints what the page says, word for word, and succeeds", async () => {
  const limit = pLimit(2);

  const outcomes = await Promise.all(shown.map((_, index) => limit(() => run(index))));

  expect(shown.length).toBeGreaterThan(10);
  expect(outcomes.map((outcome, index) => ({ at: at(shown[index]!), ...outcome }))).toEqual(
    shown.map((program) => ({ at: at(program), code: 0, stdout: `${program.prints}\n`, stderr: "" })),
  );
});
