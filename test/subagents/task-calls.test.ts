// Calls of the tools one by one, with a host that decides when each sub-agent ends.
import { expect, test } from "vitest";
import type { SubagentDefinition } from "../../src/contracts/subagent.js";
import type { ToolContext } from "../../src/contracts/tool.js";
import { ToolRegistry } from "../../src/engine/tools/tool-registry.js";
import { createSubagentTools, type SubagentToolsOptions } from "../../src/subagents/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { deferred } from "../engine/kit.js";
import { agent } from "./kit.js";

const COMPLETED = {
  status: "completed",
  text: "ok",
  turns: 1,
  usage: { inputTokens: 1, outputTokens: 1 },
  costUsd: 0,
  sessionId: "sub-1",
  messages: () => [],
};

/** `task`, with sub-agents that end when the test says so. */
function tasks(options: SubagentToolsOptions = {}) {
  const registry = new ToolRegistry(createSubagentTools(options));
  const spawned: { readonly definition: SubagentDefinition; readonly end: () => void }[] = [];
  const spawn = (definition: SubagentDefinition) => {
    const { promise, resolve } = deferred();
    spawned.push({ definition, end: () => resolve() });
    return promise.then(() => COMPLETED);
  };
  const call = (args: object = {}, more: Partial<ToolContext> = {}) =>
    registry.execute({ id: "t", name: "task", arguments: { prompt: "x", ...args } }, {
      ...fakeToolContext(),
      spawn,
      ...more,
    } as never);
  return { call, spawned, registry };
}

const settled = async () => {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
};

test("an agent has no more sub-agents at once than it may, also when some end while others wait", async () => {
  const { call, spawned } = tasks({ maxConcurrent: 1 });
  const calls = [call(), call()];
  await settled();
  spawned[0]!.end();
  await settled();
  calls.push(call());
  await settled();
  expect(spawned).toHaveLength(2);
  spawned[1]!.end();
  await settled();
  expect(spawned).toHaveLength(3);
  spawned[2]!.end();
  for (const { isError } of await Promise.all(calls)) expect(isError).toBe(false);
});

test("an abort reaches the sub-agents that wait for their turn: none of them begins", async () => {
  const { call, spawned } = tasks({ maxConcurrent: 1 });
  const controller = new AbortController();
  const calls = [call(), call({}, { signal: controller.signal }), call({}, { signal: controller.signal })];
  await settled();
  controller.abort(new Error("enough"));
  spawned[0]!.end();
  await Promise.all(calls);
  expect(spawned).toHaveLength(1);
});

test("a run that has had all of its sub-agents gets none more, however many other runs there are", async () => {
  const { call } = tasks({ maxPerRun: 1 });
  const start = (runId: string) => call({}, { runId, rootCall: undefined, spawn: async () => COMPLETED } as never);
  for (let n = 0; n <= 1_000; n++) expect((await start(`run ${n}`)).isError).toBe(false);
  for (const run of ["run 1000", "run 1"])
    expect(await start(run)).toMatchObject({ isError: true, output: expect.stringContaining("which is the limit") });
});

test("the call says whether its sub-agent works in the background, and only without a word the definition does", async () => {
  const subagents = [agent("back", { kind: "background" }), agent("front")];
  const { call, spawned } = tasks({ subagents });
  const started: string[] = [];
  const background = {
    start: async ({ name, kind }: SubagentDefinition) => {
      started.push(`${name} ${kind}`);
      return { id: "sub-0123456789ab", name };
    },
  } as never;
  await call({ subagent_type: "back" }, { background });
  await call({ subagent_type: "front", run_in_background: true }, { background });
  expect(started).toEqual(["back background", "front background"]);

  const waited = call({ subagent_type: "back", run_in_background: false }, { background });
  await settled();
  expect(spawned.map(({ definition }) => definition.kind)).toEqual(["fresh"]);
  spawned[0]!.end();
  expect((await waited).output).toBe("ok");
  expect(started).toHaveLength(2);
});

test.each(["completed", "failed"])(
  "a cost that is not known stays unknown in the details of a sub-agent that %s",
  async (status) => {
    const { call } = tasks();
    const result = await call({}, { spawn: async () => ({ ...COMPLETED, status, costUsd: null }) } as never);
    expect(result).toMatchObject({ isError: status === "failed", details: { status, costUsd: null } });
  },
);

test("sub-agents in the background count among those that a run may have", async () => {
  const { call } = tasks({ maxPerRun: 1, subagents: [agent("back", { kind: "background" })] });
  const background = { start: async ({ name }: SubagentDefinition) => ({ id: "sub-1", name }) } as never;
  const start = () => call({ subagent_type: "back" }, { background, runId: "r" });
  expect((await start()).isError).toBe(false);
  expect(await start()).toMatchObject({ isError: true, output: expect.stringContaining("which is the limit") });
});

/** Two sub-agents in the background whose ids begin alike. */
function twoInBackground() {
  const infos = ["sub-aaaaaaaaaaaa1111", "sub-aaaaaaaaaaab2222"].map((id, n) => ({
    id,
    name: `n${n}`,
    status: "running",
  }));
  const gate = deferred();
  const background = {
    list: () => infos,
    textOf: (id: string) => `text of ${id}`,
    ended: () => gate.promise,
    stop: () => true,
    send: () => true,
  };
  const call = (name: string, args: object, signal: AbortSignal = new AbortController().signal) =>
    tasks().registry.execute({ id: "b", name, arguments: args as never }, {
      ...fakeToolContext(),
      background,
      signal,
    } as never);
  return { call, gate };
}

test("of two sub-agents whose ids begin alike, each short id shows its own", async () => {
  const { call } = twoInBackground();
  for (const [n, id] of ["sub-aaaaaaaaaaaa", "sub-aaaaaaaaaaab"].entries())
    expect((await call("subagent_output", { id })).output).toBe(`Sub-agent "n${n}" is running.\n\ntext of ${id}`);
});

test("an abort ends the wait for a sub-agent at once", async () => {
  const { call } = twoInBackground();
  const controller = new AbortController();
  let isOver = false;
  const waiting = call("subagent_output", { id: "sub-aaaaaaaaaaaa", wait_ms: 60_000 }, controller.signal);
  const began = performance.now();
  void waiting.finally(() => {
    isOver = true;
  });
  await settled();
  expect(isOver).toBe(false);
  controller.abort(new Error("enough"));
  await waiting;
  expect(performance.now() - began).toBeLessThan(50_000);
});

test("a sub-agent is said to be stopped once it has ended, and not before", async () => {
  const { call, gate } = twoInBackground();
  let isOver = false;
  const stopping = call("subagent_stop", { id: "sub-aaaaaaaaaaaa" });
  void stopping.finally(() => {
    isOver = true;
  });
  await settled();
  expect(isOver).toBe(false);
  gate.resolve();
  expect((await stopping).output).toBe("It was stopped.");
});
