import { expect, test } from "vitest";
import type { PriceLookup } from "../../../../src/contracts/provider.js";
import { createMemorySessionStore } from "../../../../src/engine/transcript/memory-session-store.js";
import { AgentEngine } from "../../../../src/index.js";
import { readSpend } from "../../../../src/program/terminal/session/session-spend.js";
import { scripted, text, toolCall } from "../../../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent } from "../../../../src/subagents/index.js";
import { collect } from "../../../sessions/kit.js";

const usage = { inputTokens: 100, outputTokens: 10 };
const prices: PriceLookup = (_, { inputTokens }) => inputTokens / 100;

test("a session has cost what its runs report, with sub-agents, and with runs that a crash has ended", async () => {
  const sessions = createMemorySessionStore();
  const reviewer = defineSubagent({ name: "reviewer", description: "Reviews.", systemPrompt: "Review." });
  const task = toolCall("task", { description: "Review", prompt: "Review it", subagent_type: "reviewer" });
  const engine = new AgentEngine({
    provider: scripted([task, text("Fine."), text("Done."), text("Again.")], { usage }),
    tools: createSubagentTools({ subagents: [reviewer] }),
    sessions,
    prices,
  });
  const reported = [await engine.run("one", { sessionId: "s" }), await engine.run("two", { sessionId: "s" })];

  const entries = await collect(sessions.read("s"));
  const whole = await readSpend(sessions, "s", entries, prices);
  const crashed = await readSpend(sessions, "s", entries.slice(0, -1), prices);
  const unknown = await readSpend(sessions, "s", entries, () => null);

  expect(reported.map(({ costUsd }) => costUsd)).toEqual([3, 1]);
  expect(whole).toEqual({ inputTokens: 400, outputTokens: 40, costUsd: 4, runs: 2 });
  expect(crashed).toEqual(whole);
  expect(unknown).toEqual({ ...whole, costUsd: null });
  expect(await readSpend(sessions, "new", [], prices)).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    runs: 0,
  });
});
