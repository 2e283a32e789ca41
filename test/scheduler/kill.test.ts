// `kill -9` at any moment: what was done is not done again, what must not happen twice does not, and the plan is carried out.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { SchedulerReport } from "../../src/scheduler/index.js";
import { runs } from "../runs.js";
import { bundled, startChild } from "../sessions/kit.js";
import { directory } from "./kit.js";
import { randomNumbers } from "./random-plan.js";

/** Plans, each killed several times. */
const PLANS = runs(1, 10, 120);
const KILLS_PER_PLAN = 4;

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./kill-program.ts", import.meta.url));
});

async function work(
  dir: string,
  seed: number,
  killAt: number,
): Promise<{ report: SchedulerReport; modelCalls: number } | null> {
  const child = startChild(program, [dir, String(seed), String(killAt)]);
  const line = await child.line();
  await child.ended;
  if (line === null) expect([child.process.signalCode, child.process.exitCode]).toEqual(["SIGKILL", null]);
  return line === null ? null : JSON.parse(line);
}

/** What must hold of the effects, in the order in which they happened, whatever was killed. */
function checkEffects(dir: string, { tasks }: SchedulerReport): void {
  const lines = existsSync(join(dir, "effects")) ? readFileSync(join(dir, "effects"), "utf8").trim().split("\n") : [];
  const begins = (id: string) => lines.flatMap((line, at) => (line === `begin ${id}` ? at : []));
  const ends = (id: string) => lines.flatMap((line, at) => (line === `end ${id}` ? at : []));
  for (const { id, tool, dependsOn, attempts } of tasks) {
    expect(readFileSync(join(dir, `${id}.done`), "utf8")).toBe(id);
    // An agent decides again in each attempt; a tool that must not run twice does not.
    if (tool !== "many") expect(begins(id).length).toBeLessThanOrEqual(tool === "once" ? 1 : attempts);
    for (const before of dependsOn) {
      // Nothing began before what it needs had ended, and what it needs was not begun again after that.
      expect(ends(before)[0]).toBeLessThan(begins(id)[0]!);
      expect(begins(before).at(-1)).toBeLessThan(begins(id)[0]!);
    }
  }
}

test("a plan that is killed at random moments is carried out exactly once", async () => {
  for (let seed = 0; seed < PLANS; seed++) {
    const dir = directory();
    const random = randomNumbers(seed + 1_000);
    let ended: Awaited<ReturnType<typeof work>> = null;
    for (let kill = 0; kill < KILLS_PER_PLAN && !ended; kill++) ended = await work(dir, seed, 1 + random(90));
    ended ??= await work(dir, seed, 0);

    expect({ seed, status: ended?.report.status, summary: ended?.report.summary }).toMatchObject({ status: "done" });
    checkEffects(dir, ended!.report);
    expect(ended!.report.usage.inputTokens).toBe(10 * ended!.modelCalls);
    rmSync(dir, { recursive: true });
  }
});
