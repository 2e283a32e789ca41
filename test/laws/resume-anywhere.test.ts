import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer } from "../../src/contracts/approval.js";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { openQuestions } from "../../src/engine/transcript/transcript.js";
import { type ModelTurn, modelTurn } from "./random-model.js";
import { type Played, play, type Scenario, SESSION, scenario } from "./random-run.js";
import { REPEATABLE } from "./random-tools.js";
import { brokenLaws, rebuilt } from "./run-checks.js";
import { World } from "./world.js";

const numRuns = process.env.PROVE ? 3_000 : 60;
/** Resumes of a session that is suspended again and again. */
const MAX_RESUMES = 12;

/** What a process that crashed after `count` entries leaves behind. */
async function crashedAfter(entries: readonly SessionEntry[], count: number): Promise<SessionStore> {
  const store = createMemorySessionStore();
  await store.append(
    SESSION,
    entries.slice(0, count).map((entry) => JSON.parse(JSON.stringify(entry)) as SessionEntry),
  );
  return store;
}

/** A world in which nothing that had been started may be started again, unless its tool says so. */
function worldAfter(
  entries: readonly SessionEntry[],
  isForbidden: (name: string, wasStarted: boolean) => boolean,
): World {
  const world = new World();
  const { open } = rebuilt(entries);
  const started = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "tool-start") started.add(entry.toolCallId);
    if (entry.type === "pending") started.delete(entry.request.toolCallId);
    if (entry.type === "tool-result") world.forbidden.add(entry.result.toolCallId);
    if (entry.type === "answer") approve(world, entries, entry.answer);
  }
  for (const { id, name } of open?.calls ?? []) if (isForbidden(name, started.has(id))) world.forbidden.add(id);
  return world;
}

function approve(world: World, entries: readonly SessionEntry[], answer: Answer): void {
  if ("decision" in answer && answer.decision === "deny") return;
  for (const entry of entries) {
    if (entry.type === "pending" && entry.request.id === answer.id) world.approved.add(entry.request.toolCallId);
  }
}

function answersTo(entries: readonly SessionEntry[], decide: (n: number) => number): Answer[] {
  return openQuestions(rebuilt(entries).open).flatMap(({ id, kind }, index): Answer[] => {
    const choice = decide(index);
    if (choice === 0) return [];
    if (choice === 1) return [{ id, decision: "deny", reason: "no" }];
    return [kind === "approval" ? { id, decision: "allow" } : { id, value: "this one" }];
  });
}

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
