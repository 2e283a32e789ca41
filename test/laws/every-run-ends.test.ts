import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../runs.js";
import { play, scenario } from "./random-run.js";
import { brokenLaws } from "./run-checks.js";

const numRuns = runs(120, 2_000, 100_000);

test("every run ends with a valid transcript, one result for each call, and nothing left behind", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      expect(brokenLaws(await play(plan))).toEqual([]);
    }),
    { numRuns },
  );
});
