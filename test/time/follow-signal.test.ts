import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AgentEngine, defineTool, ToolRegistry } from "../../src/index.js";
import { scripted, text } from "../../src/providers/scripted/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { followSignal } from "../../src/time/follow-signal.js";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

test("all who follow a signal share one listener, are reported once, and leave nothing behind", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const told: string[] = [];
  const leave = followSignal(signal, () => told.push("left"));
  leave();
  const between = listeners(signal);
  const leavers = ["a", "b"].map((name) => followSignal(signal, () => told.push(name)));
  const shared = listeners(signal);
  leave();

  controller.abort();
  for (const end of leavers) end();
  followSignal(signal, () => told.push("late"));

  expect([between, shared, listeners(signal)]).toEqual([0, 1, 0]);
  expect(told).toEqual(["a", "b", "late"]);
});

test("any number of runs may share one signal of the host: it has one listener, and none in the end", async () => {
  const { signal } = new AbortController();
  let most = 0;
  const engine = new AgentEngine({ provider: scripted([text("Hello.")], { loop: true }) });
  engine.on("turn-start", () => (most = Math.max(most, listeners(signal))));

  await Promise.all(Array.from({ length: 20 }, () => engine.run("go", { signal })));

  expect([most, listeners(signal)]).toEqual([1, 0]);
});

test("any number of calls without an engine may share the signal of one context", async () => {
  const context = fakeToolContext();
  let most = 0;
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "none",
    input: { type: "object" },
    execute: async () => {
      most = Math.max(most, listeners(context.signal));
      return "seen";
    },
  });
  const registry = new ToolRegistry().register(look);

  const ids = Array.from({ length: 20 }, (_, i) => `call_${i}`);
  await Promise.all(ids.map((id) => registry.execute({ id, name: "look", arguments: {} }, context)));

  expect([most, listeners(context.signal)]).toEqual([1, 0]);
});
