// Every run ends: turns, tokens, cost, time, and models that run in circles.
import { expect, test } from "vitest";
import { LoopDetector } from "../../../src/engine/run/loop-detector.js";
import { credibleUsage, estimateMessageTokens, UsageMeter } from "../../../src/engine/run/usage-meter.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { Deadlines } from "../../../src/time/deadlines.js";
import { listen, resultsOf, testEngine, tool } from "../kit.js";

const look = (answer: () => string = () => "seen") => tool("look", async () => answer(), { permission: "read_only" });
/** A model that calls a tool for ever, each time with other arguments. */
const tireless = () => scripted([(_request, index) => toolCall("look", { index })], { loop: true });

test("maxTurns is the exact number of requests; the last message's calls still run and are answered", async () => {
  const provider = tireless();
  const { engine } = testEngine([], { provider, tools: [look()], limits: { maxTurns: 3 } });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "max-turns", turns: 3 });
  expect(provider.requestCount).toBe(3);
  expect(Object.keys(resultsOf(result))).toHaveLength(3);
});

test("at 90% of a budget the model is reminded once", async () => {
  const provider = tireless();
  const { engine } = testEngine([], { provider, tools: [look()], limits: { maxTurns: 20 } });
  const notices = listen(engine, "notice");
  const turns = listen(engine, "turn-end");

  const result = await engine.run("go");

  const told = result.messages().filter((message) => message.role === "user" && message.origin === "reminder");
  expect(told).toHaveLength(1);
  expect(notices).toMatchObject([{ code: "BUDGET_NEAR", turn: 18, details: { budget: "turn", percent: 90 } }]);
  expect(turns.map(({ transition }) => transition)).toEqual([...Array(19).fill("next-turn"), "max-turns"]);
});

test("maxTokens ends the run as budget-exceeded, with a valid transcript", async () => {
  const { engine } = testEngine([], { provider: tireless(), tools: [look()], limits: { maxTokens: 150 } });
  const notices = listen(engine, "notice");

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "budget-exceeded", turns: 10, usage: { inputTokens: 100, outputTokens: 50 } });
  expect(notices.map(({ details }) => details)).toEqual([{ budget: "token", percent: 90 }]);
});

test("maxCostUsd ends the run as budget-exceeded; the result says what it cost", async () => {
  const { engine } = testEngine([], {
    provider: tireless(),
    tools: [look()],
    prices: (_model, { outputTokens }) => outputTokens * 0.25,
    limits: { maxCostUsd: 5 },
  });

  expect(await engine.run("go")).toMatchObject({ status: "budget-exceeded", costUsd: 5, turns: 4 });
});

test.each([
  ["does not know", () => null],
  [
    "throws for",
    () => {
      throw new Error("no table");
    },
  ],
  ["has no number for", () => Number.NaN],
])("with maxCostUsd and a price table that %s the model, the run does not begin", async (_what, prices) => {
  const { engine, provider } = testEngine([], { prices: prices as never, limits: { maxCostUsd: 1 } });

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "COST_UNKNOWN" } });
  expect(provider.requestCount).toBe(0);
});

test("a cost that is not known is null, never a guess", async () => {
  const { engine } = testEngine([toolCall("look"), text("done")], {
    tools: [look()],
    prices: (_model, usage) => (usage.inputTokens === 10 ? null : 0),
  });

  expect(await engine.run("go")).toMatchObject({ status: "completed", costUsd: null });
});

test("deadlineMs ends the run as deadline, whatever a tool does", async () => {
  const { engine } = testEngine([toolCall("hang", {}, { id: "a" })], {
    tools: [tool("hang", () => new Promise<string>(() => {}), { timeoutMs: null })],
    limits: { deadlineMs: 10, abandonMs: 5 },
  });

  const result = await engine.run("go");

  expect(result.status).toBe("deadline");
  expect(resultsOf(result).a!.isError).toBe(true);
});

test("a model that repeats a call with the same result is reminded after 3 times and stopped after 6", async () => {
  const provider = scripted([toolCall("look", { path: "a" })], { loop: true });
  const { engine } = testEngine([], { provider, tools: [look()] });
  const notices = listen(engine, "notice");

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "failed", error: { code: "LOOP_DETECTED" }, turns: 6 });
  expect(notices).toMatchObject([{ code: "LOOP_SUSPECTED", turn: 3 }]);
  expect(provider.requests[3]!.lastUserText).toContain("You are repeating yourself");
});

test.each([
  [
    "other results",
    () => {
      let n = 0;
      return look(() => String(n++));
    },
  ],
  ["runaway: false", () => look()],
])("with %s nobody is stopped", async (what, make) => {
  const turns = [...Array.from({ length: 8 }, () => toolCall("look", {})), text("done")];
  const { engine } = testEngine(turns, {
    tools: [make()],
    ...(what === "runaway: false" && { runaway: false as const }),
  });

  expect(await engine.run("go")).toMatchObject({ status: "completed" });
});

test("the runaway watch compares with the turn before, call by call, whatever the order of keys", () => {
  const watch = new LoopDetector({ remindAfter: 2, stopAfter: 3 });
  const turn = (args: object, output = "x") => {
    const calls = [{ id: "1", name: "t", arguments: args as never }];
    return watch.observe(calls, [{ type: "tool-result", toolCallId: "1", name: "t", output, isError: false }]).kind;
  };

  const verdicts = [
    turn({ a: 1, b: 2 }),
    turn({ b: 2, a: 1 }),
    turn({ a: 1 }),
    turn({ a: 1 }, "y"),
    turn({ a: 1 }, "y"),
    turn({ a: 1 }, "y"),
  ];

  expect(verdicts).toEqual(["fine", "remind", "fine", "fine", "remind", "stop"]);
});

test("a meter adds up to its parents, and one unknown cost makes the sum unknown", () => {
  const parent = new UsageMeter({ maxTokens: 100 }, undefined, null);
  const child = new UsageMeter({ maxTokens: 1_000 }, undefined, parent);

  child.add({ inputTokens: 40, outputTokens: 10 }, 1);
  parent.add({ inputTokens: 10, outputTokens: 0, cacheReadTokens: 5, estimated: true }, null);

  expect(parent.usage).toEqual({ inputTokens: 50, outputTokens: 10, cacheReadTokens: 5, estimated: true });
  expect([parent.costUsd, child.costUsd]).toEqual([null, 1]);
  expect(child.mostUsed()).toEqual({ name: "token", share: 0.6 });
});

test.each([
  undefined,
  null,
  7,
  {},
  { inputTokens: "1", outputTokens: 1 },
  { inputTokens: Number.NaN, outputTokens: 1 },
  { inputTokens: 1e10, outputTokens: 0 },
])("a usage of %j is not believed", (usage) => {
  expect(credibleUsage(usage as never)).toBeNull();
});

test("an estimate counts a quarter of Latin characters and each wide one", () => {
  const user = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
  const frame = estimateMessageTokens(user(""));

  expect(estimateMessageTokens(user("a".repeat(400))) - frame).toBe(100);
  expect(estimateMessageTokens(user("漢".repeat(400))) - frame).toBe(400);
});

test("deadlines expire in their order, a removed one never, and clear leaves none", async () => {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const done = new Promise<void>((resolve) =>
    deadlines.add(20, () => {
      expired.push("late");
      return resolve();
    }),
  );
  deadlines.add(5, () => expired.push("early"));
  deadlines.remove(deadlines.add(1, () => expired.push("removed")));

  await done;
  deadlines.add(1, () => expired.push("cleared"));
  deadlines.clear();
  await new Promise<void>((resolve) => new Deadlines().add(10, resolve));

  expect(expired).toEqual(["early", "late"]);
});

test("a deadline further off than a timer can count does not fire at once", async () => {
  const deadlines = new Deadlines();
  let expired = false;
  deadlines.add(2 ** 40, () => {
    expired = true;
  });

  await new Promise<void>((resolve) => new Deadlines().add(5, resolve));
  deadlines.clear();

  expect(expired).toBe(false);
});
