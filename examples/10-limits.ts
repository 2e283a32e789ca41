// Shows: what ends a run from outside: a number of turns, a token budget, a deadline, an abort.
// Run:   npx tsx examples/10-limits.ts
// Expect: four runs that each end with the reason, every tool call answered.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentEngine, defineTool, type RunResult, validateTranscript } from "loopwright";
import { scripted, toolCall } from "loopwright/providers/scripted";

const wait = defineTool({
  name: "wait",
  description: "Waits for ten seconds.",
  permission: "none",
  execute: async (_input, { signal }) => sleep(10_000, "Waited.", { signal }),
});
const tick = defineTool({
  name: "tick",
  description: "Ticks.",
  permission: "none",
  execute: async (_input, { turn }) => `Tick ${turn}.`,
});

/** A model that would never stop by itself: 10 input and 5 output tokens a turn. */
const endless = (name: string) => scripted([toolCall(name)], { loop: true });
const ticking = new AgentEngine({ provider: endless("tick"), tools: [tick] });
const waiting = new AgentEngine({ provider: endless("wait"), tools: [wait] });

const startedAt = performance.now();
const turns = await ticking.run("Tick.", { limits: { maxTurns: 3 } });
const tokens = await ticking.run("Tick.", { limits: { maxTokens: 60 } });
const deadline = await waiting.run("Wait.", { limits: { deadlineMs: 100 } });

const run = waiting.stream("Wait.");
for await (const event of run) if (event.type === "tool-call-start") run.abort("the user pressed stop");
const aborted = await run.result;
await run.idle; // Nothing the run started is left.

const results: readonly RunResult[] = [turns, tokens, deadline, aborted];
console.log(results.map((result) => `${result.status} after ${result.turns} turns`).join("\n"));

assert.deepEqual(
  results.map((result) => result.status),
  ["max-turns", "budget-exceeded", "deadline", "aborted"],
);
assert.deepEqual(
  results.flatMap((result) => validateTranscript(result.messages())),
  [],
);
assert.ok(performance.now() - startedAt < 5_000, "nobody waited for the tool");
