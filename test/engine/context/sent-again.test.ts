import { expect, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";

test("what a session's next request sends again is left out where nobody has counted it or knows its price", async () => {
  const starts: object[] = [];
  const hooks = { SessionStart: [{ run: (input: object) => void starts.push(input) }] };
  const engine = new AgentEngine({ provider: scripted([text("one"), text("two")]), hooks, prices: () => null });

  await engine.run("go", { sessionId: "s" });
  await engine.run("go on", { sessionId: "s" });

  expect(starts[0]).toMatchObject({ source: "startup" });
  expect(Object.keys(starts[0]!)).not.toContain("secondsSinceLastResponse");
  expect(Object.keys(starts[0]!)).not.toContain("contextTokens");
  expect(starts[1]).toMatchObject({
    source: "resume",
    contextTokens: 15,
    secondsSinceLastResponse: expect.any(Number),
  });
  expect(Object.keys(starts[1]!)).not.toContain("estimatedCacheWriteUsd");
});

test("a resumed session says what sending it again costs, by the prices of the host or of the provider, and how old it is", async () => {
  const starts: object[] = [];
  const hooks = { SessionStart: [{ run: (input: object) => void starts.push(input) }] };
  let now = 1_000_000;
  const prices = (_model: object, { cacheWriteTokens = 0 }) => cacheWriteTokens / 1000;
  const provider = Object.assign(scripted([text("one"), text("two")]), { prices });
  const engine = new AgentEngine({ provider, hooks, runtime: { now: () => now } });

  await engine.run("go", { sessionId: "s" });
  now += 90_000;
  await engine.run("go on", { sessionId: "s" });

  expect(starts[1]).toMatchObject({ contextTokens: 15, estimatedCacheWriteUsd: 0.015, secondsSinceLastResponse: 90 });
});
