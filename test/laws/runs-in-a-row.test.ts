import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer } from "../../src/contracts/approval.js";
import type { RunResult } from "../../src/contracts/run.js";
import type { AgentEngine } from "../../src/engine/engine.js";
import { runs } from "../runs.js";
import { play, SESSION, scenario } from "./random-run.js";
import { brokenLaws } from "./run-checks.js";
import { World } from "./world.js";

const numRuns = runs(50, 800, 50_000);
const MAX_RUNS = 4;

/** Goes on with a session at once: with answers if it waits for some, else with a prompt. */
function goOn(world: World, engine: AgentEngine, result: RunResult) {
  if (result.status !== "needs-approval") return engine.stream("And now?", { sessionId: SESSION });
  const answers = result.pending.map(({ id, kind, toolCallId }): Answer => {
    world.approved.add(toolCallId);
    return kind === "approval" ? { id, decision: "allow" } : { id, value: "this one" };
  });
  return engine.resume(SESSION, { answers });
}

test("a run that begins before the last one is idle does not meet its tools", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const world = new World();
      let runs = 1;
      const next = (engine: AgentEngine, result: RunResult) => (runs++ < MAX_RUNS ? goOn(world, engine, result) : null);

      expect(brokenLaws(await play(plan, { world, next }))).toEqual([]);
    }),
    { numRuns },
  );
});
