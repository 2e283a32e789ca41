import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { isReadOnlyCommand } from "../../../src/permissions/shell/read-only-command.js";
import { runs } from "../../runs.js";
import { Random } from "./random-script.js";
import { CANARY, randomLine } from "./random-words.js";

const LINES = runs(6_000, 90_000, 3_000_000);
const MOST_RUN = runs(100, 2_500, 200_000);
const PROGRAMS = ["cat", "touch", "bash", "sed", "wc"];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-canary-"));
  mkdirSync(join(directory, "bin"));
  for (const name of PROGRAMS) symlinkSync(`/usr/bin/${name}`, join(directory, "bin", name));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs each line by a bash of its own, in a directory of its own. It is started by a bash, which is smaller than this process. */
const DRIVER = `
at=0
while IFS= read -r -d '' line; do
  mkdir "$1/$at"
  (cd "$1/$at" && exec /usr/bin/env -i PATH="$0" HOME="$PWD" /usr/bin/timeout -s KILL 5 /bin/bash --norc -c "$line") \\
    < /dev/null > /dev/null 2>&1
  at=$((at + 1))
done
`;

/** The lines whose payload real bash runs; only a few harmless programs can be found. */
function linesThatDrop(lines: readonly string[]): string[] {
  const work = mkdtempSync(join(directory, "work-"));
  const input = lines.map((line) => `${line}\0`).join("");
  const { status } = spawnSync("/bin/bash", ["--norc", "-c", DRIVER, join(directory, "bin"), work], { input });
  expect(status).toBe(0);
  expect(readdirSync(work)).toHaveLength(lines.length);
  const places = lines.map((_, at) => join(work, String(at)));
  const dropping = lines.filter((_, at) => ["", "src"].some((place) => existsSync(join(places[at]!, place, CANARY))));
  rmSync(work, { recursive: true, force: true });
  return dropping;
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
  expect({ seed: SEED, dropped: linesThatDrop(lines) }).toEqual({ seed: SEED, dropped: [] });
});

test("without the grammar the same lines find the holes it closes", { timeout: 3_600_000 }, () => {
  // Most of the holes are behind this kind of quotes.
  const isFree = (line: string) => {
    if (!line.includes("$'")) return false;
    const { opaque, commands } = analyzeCommand(line, { cwd: "/workspace", home: "/home" });
    return !opaque && commands.length > 0 && commands.every(({ readOnly }) => readOnly) && !isReadOnlyCommand(line);
  };
  expect(linesThatDrop(linesThat(isFree, SEED)).length).toBeGreaterThan(0);
});
