import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../runs.js";
import { type Interruption, play, type Scenario, scenario } from "./random-run.js";
import { brokenLaws } from "./run-checks.js";

const numRuns = runs(10, 60, 3_000);
/** Events of one run that are tried; the first ones matter most. */
const MAX_EVENTS = 60;

const by = fc.constantFrom<Interruption["by"]>("listener", "signal", "break", "close");

async function brokenBy(plan: Scenario, interruption: Interruption): Promise<string[]> {
  const played = await play(plan, { interruption });
  const { result, events } = played;
  // A notice may come while the last turn is being recorded: how the run ends is decided by then.
  const sinceThen = events.slice(interruption.atEvent).findIndex(({ type }) => type !== "notice");
  const isLate = interruption.atEvent + sinceThen >= events.findLastIndex(({ type }) => type === "turn-end");
  const problems = brokenLaws(played);
  if (!isLate && interruption.by !== "break" && result && !ENDED_ANYWAY.has(result.status)) {
    problems.push(`the run was aborted at event ${interruption.atEvent} and ended as ${result.status}`);
  }
  return problems.map((problem) => `by ${interruption.by} at ${interruption.atEvent}: ${problem}`);
}

/** Statuses that a run may have reached at the very event at which it is aborted. */
const ENDED_ANYWAY = new Set(["aborted", "completed", "failed", "deadline", "hook-stopped", "needs-approval"]);

test("a run that is aborted at any of its events ends at once with a valid transcript", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, by, async (plan, how) => {
      const { events } = await play(plan);
      const problems: string[] = [];
      for (let atEvent = 0; atEvent < Math.min(events.length, MAX_EVENTS); atEvent++) {
        problems.push(...(await brokenBy(plan, { atEvent, by: how })));
      }

      expect(problems).toEqual([]);
    }),
    { numRuns },
  );
});
