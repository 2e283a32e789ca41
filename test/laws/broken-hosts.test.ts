// Whatever stores, gates, sources, policies, hooks and artifacts do, a run ends with a named reason, and its session goes on.
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../runs.js";
import { life, problemsOf } from "./broken-lives.js";
import { scenario } from "./random-run.js";

const numRuns = runs(40, 1_500, 50_000);

test("whatever breaks in five lives of a session, each run ends with a named reason, and a sound host goes on with it", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.array(life, { minLength: 1, maxLength: 5 }), async (plan, lives) => {
      expect(await problemsOf(plan, lives)).toEqual([]);
    }),
    { numRuns },
  );
});
