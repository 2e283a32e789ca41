// A tool that calls others is killed after any append of the store, again and again: what was done is not done again, and what the tool
// sees of it is always the same.
import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentEngine, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { runs } from "../runs.js";
import { brokenLaws, type Composition, composition, live, SESSION, toolsFor } from "./composed-calls.js";
import { type Cut, cut, Mortal } from "./mortal.js";

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
