// Programs under `kill -9`, with sessions in files: no effect is made twice, and what the program was told is true.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runs } from "../runs.js";
import { bundled, startChild } from "../sessions/kit.js";

/** The moments of a life at which it is killed; a life has about thirty. */
const STEP = runs(5, 5, 1);
const MOMENTS = 32;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./killed-program.ts", import.meta.url));
});

async function life(dir: string, killAt: number): Promise<{ status: string; output: string } | null> {
  const child = startChild(program, [dir, String(killAt)]);
  const line = await child.line();
  await child.ended;
  if (line !== null) return JSON.parse(line);
  expect(child.process.signalCode).toBe("SIGKILL");
  return null;
}

test("a program that is killed at any moment goes on: each effect once, or unknown, and then the program is told so", {
  timeout: 600_000,
}, async () => {
  let kills = 0;
  for (let killAt = 1; killAt <= MOMENTS; killAt += STEP) {
    const dir = mkdtempSync(join(tmpdir(), "killed-program-"));
    const first = await life(dir, killAt);
    if (first === null) kills++;
    const last = first ?? (await life(dir, 0));
    const effects = existsSync(join(dir, "effects"))
      ? readFileSync(join(dir, "effects"), "utf8").trim().split("\n")
      : [];
    const seen: unknown[] = JSON.parse(String(last?.output));

    expect(last).toMatchObject({ status: "completed" });
    expect(new Set(effects).size).toBe(effects.length);
    for (const n of seen.filter((each) => typeof each === "number")) expect(effects).toContain(JSON.stringify({ n }));
    const unknown = seen.filter((each) => each === "TOOL_OUTCOME_UNKNOWN").length;
    expect(seen).toHaveLength(4 - unknown);
    if (effects.length < 4) expect(unknown).toBeGreaterThan(0);
    rmSync(dir, { recursive: true });
  }
  expect(kills).toBeGreaterThanOrEqual(5);
});
