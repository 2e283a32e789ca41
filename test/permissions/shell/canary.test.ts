import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isReadOnlyCommand } from "../../../src/permissions/read-only-command.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { runs } from "../../runs.js";
import { Random } from "./random-script.js";
import { CANARY, randomLine } from "./random-words.js";

const LINES = runs(2_500, 60_000, 3_000_000);
/** Each is run by a bash of its own. */
const MOST_RUN = runs(80, 1_500, 200_000);
const PROGRAMS = ["cat", "touch", "bash"];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-canary-"));
  mkdirSync(join(directory, "bin"));
  for (const name of PROGRAMS) symlinkSync(`/usr/bin/${name}`, join(directory, "bin", name));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Whether real bash runs the payload of a line; only three harmless programs can be found. */
function dropsCanary(line: string): boolean {
  const work = mkdtempSync(join(directory, "work-"));
  const env = { PATH: join(directory, "bin"), HOME: work };
  spawnSync("/bin/bash", ["--norc", "-c", line], { cwd: work, env, stdio: "ignore", timeout: 2_000 });
  const isThere = existsSync(join(work, CANARY)) || existsSync(join(work, "src", CANARY));
  rmSync(work, { recursive: true, force: true });
  return isThere;
}

function linesThat(isWanted: (line: string) => boolean, seed: number): string[] {
  const found = new Set<string>();
  for (let index = 0; index < LINES && found.size < MOST_RUN; index++) {
    const line = randomLine(new Random(seed + index));
    if (isWanted(line)) found.add(line);
  }
  return [...found];
}

const SEED = process.env.PROVE ? Date.now() >>> 0 : 20_261_122;

test("a line that runs without a rule never runs what stands in its words", { timeout: 3_600_000 }, () => {
  const lines = linesThat(isReadOnlyCommand, SEED);
  expect(lines.length).toBeGreaterThan(MOST_RUN / 2);
  expect({ seed: SEED, dropped: lines.filter(dropsCanary) }).toEqual({ seed: SEED, dropped: [] });
});

test("without the grammar the same lines find the holes it closes", { timeout: 3_600_000 }, () => {
  const isFree = (line: string) => {
    const { opaque, commands } = analyzeCommand(line, { cwd: "/workspace", home: "/home" });
    return !opaque && commands.length > 0 && commands.every(({ readOnly }) => readOnly) && !isReadOnlyCommand(line);
  };
  expect(linesThat(isFree, SEED).some(dropsCanary)).toBe(true);
});
