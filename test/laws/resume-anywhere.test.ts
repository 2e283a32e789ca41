import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import { runs } from "../runs.js";
import { type ModelTurn, modelTurn } from "./random-model.js";
import { type Played, play, type Scenario, SESSION, scenario } from "./random-run.js";
import { REPEATABLE } from "./random-tools.js";
import { brokenLaws } from "./run-checks.js";
import { answersTo, approve, crashedAfter, worldAfter } from "./session-so-far.js";
import type { World } from "./world.js";

const numRuns = runs(10, 60, 3_000);
/** Resumes of a session that is suspended again and again. */
const MAX_RESUMES = 12;

/** Resumes until the session waits for nothing more. */
async function resumeToEnd(plan: Scenario, store: SessionStore, world: World, decide: (n: number) => number) {
  const problems: string[] = [];
  for (let resumes = 0; resumes < MAX_RESUMES; resumes++) {
    const entries: SessionEntry[] = [];
    for await (const entry of store.read(SESSION)) entries.push(entry);
    const answers = answersTo(entries, resumes < 2 ? decide : () => 2);
    for (const answer of answers) approve(world, entries, answer);
    const turns = resumes === 0 ? plan.turns : [];
    const played: Played = await play(
      { ...plan, turns },
      {
        store,
        world,
        begin: (engine, options) => engine.resume(SESSION, { answers, ...options }),
      },
    );
    problems.push(...brokenLaws(played));
    if (problems.length > 0 || played.result?.status !== "needs-approval") return problems;
  }
  return [...problems, "the session is still suspended after many resumes"];
}

const rest: fc.Arbitrary<readonly ModelTurn[]> = fc.array(modelTurn, { maxLength: 2 });
const choices = fc.array(fc.nat({ max: 2 }), { minLength: 3, maxLength: 3 });

test("a session resumed from any of its entries ends with a valid transcript, and nothing runs twice", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, rest, choices, fc.nat({ max: 60 }), async (plan, turns, choice, atEvent) => {
      const { entries } = await play(plan, { interruption: { atEvent, by: "listener" } });
      const problems: string[] = [];
      for (let count = 1; count <= entries.length; count++) {
        const kept = entries.slice(0, count);
        const world = worldAfter(kept, (name, wasStarted) => wasStarted && !REPEATABLE.has(name));
        const store = await crashedAfter(entries, count);
        const found = await resumeToEnd({ ...plan, turns }, store, world, (n) => choice[n % choice.length]!);
        problems.push(...found.map((problem) => `after ${count} entries: ${problem}`));
      }

      expect(problems).toEqual([]);
    }),
    { numRuns },
  );
});

test("a new prompt after any entry of a session answers its open calls without running them", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, rest, fc.nat({ max: 60 }), async (plan, turns, atEvent) => {
      const { entries } = await play(plan, { interruption: { atEvent, by: "listener" } });
      const problems: string[] = [];
      for (let count = 1; count <= entries.length; count++) {
        const world = worldAfter(entries.slice(0, count), () => true);
        const store = await crashedAfter(entries, count);
        const played = await play({ ...plan, turns }, { store, world });
        problems.push(...brokenLaws(played).map((problem) => `after ${count} entries: ${problem}`));
      }

      expect(problems).toEqual([]);
    }),
    { numRuns },
  );
});
