// A tool that calls others is killed after any append of the store, again and again: what was done is not done again, and what the tool
// sees of it is always the same.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentEngine, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { entriesOf } from "../engine/kit.js";
import { runs } from "../runs.js";
import { answersTo, brokenLaws, type Composition, composition, live, SESSION, toolsFor } from "./composed-calls.js";
import { type Cut, cut, Mortal } from "./mortal.js";
import { ownsUpToStarts } from "./run-checks.js";

const numRuns = runs(100, 100, 1_000);

async function livedThrough(waves: Composition, cuts: readonly Cut[], yes: number): Promise<string[]> {
  const mortal = new Mortal();
  const result = await mortal.livesThrough(cuts, yes, (...life) => live(waves, ...life));
  return result ? brokenLaws(waves, mortal.lines, result) : [`session "${SESSION}" still waits`];
}

test("killed at random appends, a tool's calls are done once, or their results say that nobody knows", async () => {
  await fc.assert(
    fc.asyncProperty(
      composition,
      fc.array(cut, { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 2 }),
      async (...plan) => {
        expect(await livedThrough(...plan)).toEqual([]);
      },
    ),
    { numRuns },
  );
});

test("killed after each of its appends in turn, a tool's calls come to the same end", async () => {
  const waves: Composition = [["once", "look", "pay"], ["below", "check"], ["pay"]];
  for (let at = 1; at <= 25; at++) {
    for (const isKept of [true, false]) {
      expect({ at, isKept, problems: await livedThrough(waves, [{ at, isKept }], 1) }).toEqual({
        at,
        isKept,
        problems: [],
      });
    }
  }
});

/** The ways in which a session that was left in the middle of its call goes on without the call's tool. */
const WAYS = ["a new prompt", "no tools", "a gate that denies it"] as const;

test("left by a kill or for a question, and not gone on with, a call that was begun is never said not to have started", async () => {
  await fc.assert(
    fc.asyncProperty(composition, cut, fc.constantFrom(...WAYS), async (waves, at, way) => {
      const mortal = new Mortal();
      const { store, outside, death } = mortal.life(at);
      const first = await Promise.race([live(waves, store, outside, []), death]);
      const { store: sessions, outside: later } = mortal.life({ at: 0, isKept: true });
      const before = await entriesOf(sessions, SESSION);
      fc.pre(before.length > 0 && (first === null || first.status === "needs-approval"));
      const answers = answersTo(first?.pending ?? [], 1);
      const engine = new AgentEngine({
        provider: scripted([text("Well."), text("Well.")]),
        sessions,
        tools: way === "no tools" ? [] : toolsFor(waves, later),
        ...(way === "a gate that denies it" && { permissions: { decide: () => ({ behavior: "deny" as const }) } }),
      });
      if (way === "a new prompt") await engine.run("And now?", { sessionId: SESSION });
      else await engine.resume(SESSION, { answers }).result;
      await engine.close();
      const entries = await entriesOf(sessions, SESSION);
      expect(ownsUpToStarts(entries)).toEqual([]);
      const ended = entries.find((entry) => entry.type === "tool-result");
      if (first === null || ended?.type !== "tool-result") return;
      // What was done is named where the call had left its tool for a question.
      const hasDone = mortal.lines.some((line) => line.startsWith("did "));
      if (hasDone) expect(ended.result.output).toMatch(/Its calls on record: .*\((success|unknown)\)/);
    }),
    { numRuns },
  );
});

test("aborted at any of its events, a run ends, leaves nothing behind, and its session goes on", async () => {
  await fc.assert(
    fc.asyncProperty(
      composition,
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom("abort", "end"),
      async (waves, at, by) => {
        const mortal = new Mortal();
        const { store, outside } = mortal.life({ at: 0, isKept: true });
        const provider = scripted([toolCall("compose", {}, { id: "c" }), text("Done.")]);
        const approver = () => ({ decision: "allow" as const });
        const engine = new AgentEngine({ provider, sessions: store, tools: toolsFor(waves, outside), approver });
        const run = engine.stream("Go.", { sessionId: SESSION });
        let events = 0;
        for await (const _event of run) {
          if (++events !== at) continue;
          if (by === "abort") run.abort("enough");
          else void engine.endSession(SESSION);
        }
        const { status, messages } = await run.result;
        await run.idle;
        await engine.close();
        expect(["aborted", "completed"]).toContain(status);
        expect(validateTranscript(messages())).toEqual([]);
        const did = mortal.lines.filter((line) => line.startsWith("did "));
        expect(new Set(did).size).toBe(did.length);
        const later = new AgentEngine({
          provider: scripted([text("Well.")]),
          sessions: store,
          tools: toolsFor(waves, outside),
        });
        const next = await later.run("And now?", { sessionId: SESSION });
        await later.close();
        expect(next.status).toBe("completed");
        expect(mortal.lines.filter((line) => line.startsWith("did "))).toEqual(did);
      },
    ),
    { numRuns },
  );
});
