// The same with `kill -9` of a real process, and sessions in files.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { RunResult } from "../../src/index.js";
import { runs } from "../runs.js";
import { bundled, startChild } from "../sessions/kit.js";
import { brokenLaws, composition } from "./composed-calls.js";

const KILLS = runs(5, 5, 50);
/** Kills of one composition before it may live to its end. */
const KILLS_IN_A_ROW = 3;
const MAX_LIVES = 30;
/** A life has more moments than that. */
const MOMENTS = 20;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./composed-kill-program.ts", import.meta.url));
});

type Ending = Pick<RunResult, "status"> & { readonly error?: string };

async function life(dir: string, waves: string, yes: number, killAt: number): Promise<Ending | null> {
  const child = startChild(program, [dir, waves, String(yes), String(killAt)]);
  const line = await child.line();
  await child.ended;
  if (line !== null) return JSON.parse(line);
  expect(child.process.signalCode).toBe("SIGKILL");
  return null;
}

test("a tool's calls survive kill -9: done once, or nobody knows and the result says so", {
  timeout: 600_000,
}, async () => {
  const seeds = fc.sample(fc.tuple(composition, fc.infiniteStream(fc.integer({ min: 1, max: MOMENTS }))), {
    numRuns: KILLS,
    seed: 43,
  });
  let kills = 0;
  for (const [yes, [waves, moments]] of seeds.entries()) {
    if (kills >= KILLS) break;
    const dir = mkdtempSync(join(tmpdir(), "composed-"));
    let ending: Ending | null = null;
    for (let lives = 0; lives < MAX_LIVES && ending?.status !== "completed"; lives++) {
      const killAt = lives < KILLS_IN_A_ROW ? moments.next().value : 0;
      ending = await life(dir, JSON.stringify(waves), yes + lives, killAt);
      if (ending === null) kills++;
      else if (ending.status === "failed") break;
    }
    const lines = existsSync(join(dir, "lines")) ? readFileSync(join(dir, "lines"), "utf8").trim().split("\n") : [];
    const result = { ...ending, error: ending?.error === undefined ? undefined : new Error(ending.error) } as RunResult;
    expect({ waves, problems: brokenLaws(waves, lines, result) }).toEqual({ waves, problems: [] });
    rmSync(dir, { recursive: true });
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
