import { setTimeout as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type BaseTool } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { createMemoryTaskStore, createTeam } from "../../../src/tasks/index.js";
import { tool } from "../../engine/kit.js";
import { agent, playing, type Role, textsOf } from "../../subagents/kit.js";

function team(roles: Record<string, Role>, { act, ask }: { act?: BaseTool; ask?: boolean } = {}) {
  const store = createMemoryTaskStore();
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: playing(roles),
    sessions,
    tools: act ? [act] : [],
    permissions: { decide: () => ({ behavior: ask ? "ask" : "allow" }) },
  });
  const members = Object.keys(roles).map((name) => agent(name));
  return { store, sessions, engine, members, team: createTeam({ engine, members, store }) };
}

const says =
  (name: string): Role =>
  (request) =>
    text(`${name}: ${/: (\w+)/.exec(textsOf(request)[0]!)![1]}`);

test("members work off the list side by side until it is done, with the results of what came before", async () => {
  const seen: string[] = [];
  const role =
    (name: string): Role =>
    (request, step) => {
      seen.push(textsOf(request)[0]!);
      return says(name)(request, step);
    };
  const { store, team: t } = team({ ann: role("ann"), bob: role("bob") });
  const a = await store.create({ subject: "first" });
  const b = await store.create({ subject: "second" });
  await store.create({ subject: "third", description: "Join them.", blockedBy: [a.id, b.id] });

  const report = await t.run().result;

  expect(report.status).toBe("done");
  expect(report.tasks.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(new Set(report.tasks.slice(0, 2).map(({ owner }) => owner!.slice(0, 3)))).toEqual(new Set(["ann", "bob"]));
  expect(report.members.map(({ completed }) => completed).reduce((x, y) => x + y)).toBe(3);
  expect(report.usage).toEqual({ inputTokens: 30, outputTokens: 15 });
  const last = seen.find((prompt) => prompt.includes("third"))!;
  expect(last).toMatch(/Join them\.\n\nThe result of task 1, "first":\n(ann|bob): first\n\nThe result of task 2/);
});

test("a team's usage holds every count of its members: cache, reasoning, and that some were estimated", async () => {
  const used = [
    { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 10, reasoningTokens: 5 },
    { inputTokens: 50, outputTokens: 10, cacheReadTokens: 40, estimated: true as const },
  ];
  const { store, team: t } = team({
    ann: (request) => text(textsOf(request)[0]!, { usage: used[/first/.test(textsOf(request)[0]!) ? 0 : 1] }),
  });
  for (const subject of ["first", "second"]) await store.create({ subject });

  const { usage } = await t.run().result;

  expect(usage).toEqual({
    inputTokens: 150,
    outputTokens: 30,
    cacheReadTokens: 100,
    cacheWriteTokens: 10,
    reasoningTokens: 5,
    estimated: true,
  });
});

test.each([
  ["one member, the first task's", ["ann"], [null, 1]],
  ["one member, the last task's", ["ann"], [1, null]],
  ["one of two members'", ["ann", "bob"], [1, null]],
])("a price that is not known leaves a team's cost unknown: %s", async (_which, names, costs) => {
  const roles = Object.fromEntries(names.map((name) => [name, says(name)]));
  let asked = 0;
  const engine = new AgentEngine({
    provider: playing(roles),
    permissions: { decide: () => ({ behavior: "allow" }) },
    prices: () => costs[asked++] ?? null,
  });
  const store = createMemoryTaskStore();
  for (const subject of ["a", "b"]) await store.create({ subject });

  const report = await createTeam({ engine, members: names.map((name) => agent(name)), store }).run().result;

  expect([report.status, asked, report.costUsd]).toEqual(["done", 2, null]);
});

test("a task that fails is marked with the reason, and what waits for it is left: the team is stuck", async () => {
  const { store, team: t } = team({ ann: () => new Error("no such model") as never });
  const { id } = await store.create({ subject: "first" });
  await store.create({ subject: "second", blockedBy: [id] });

  const report = await t.run().result;

  expect(report).toMatchObject({ status: "stuck", members: [{ name: "ann", completed: 0, failed: 1 }] });
  expect(report.tasks).toMatchObject([
    { status: "failed", result: expect.stringContaining("no such model") },
    { status: "pending" },
  ]);
});

test("an abort ends all members, and what they hold is given back", async () => {
  const act = tool("act", () => new Promise(() => {}));
  const { store, engine, team: t } = team({ ann: () => toolCall("act", {}), bob: () => toolCall("act", {}) }, { act });
  for (const subject of ["a", "b", "c"]) await store.create({ subject });
  const stop = new AbortController();
  const started = new Promise<void>((resolve) => {
    let calls = 0;
    engine.on("tool-call-start", () => ++calls === 2 && setImmediate(resolve));
  });

  const { result } = t.run(stop.signal);
  await started;
  stop.abort();
  const report = await result;

  expect(report.status).toBe("aborted");
  expect(report.tasks.map(({ status, owner }) => [status, owner])).toEqual(Array(3).fill(["pending", undefined]));
});

test("the end of its engine gives tasks back, as an abort does", async () => {
  const act = tool("act", async (_: unknown, { signal }) => {
    void engine.close();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("cut off")));
  });
  const { engine, store, team: t } = team({ ann: () => toolCall("act", {}) }, { act });
  await store.create({ subject: "a" });

  const report = await t.run().result;
  const after = await t.run().result;

  expect(report).toMatchObject({ status: "aborted", tasks: [{ status: "pending" }] });
  expect(after).toMatchObject({ status: "aborted", tasks: [{ status: "pending" }] });
});

test("a task that waits for an approval is given back, and its session can be resumed", async () => {
  const act = tool("act", async () => "acted");
  const {
    store,
    engine,
    members,
    team: t,
  } = team({ ann: (_request, step) => (step === 0 ? toolCall("act", {}) : text("done")) }, { act, ask: true });
  await store.create({ subject: "a" });

  const report = await t.run().result;
  const [waiting] = report.waiting;

  expect(report).toMatchObject({ status: "needs-approval", tasks: [{ status: "pending" }] });
  // It has the rights of its member, which no session holds.
  const subagent = members[0]!;
  expect((await engine.resume(waiting!.sessionId, { subagent }).result).pending).toMatchObject([{ tool: "act" }]);
});

test("a member sees tasks that others add and complete while it waits", async () => {
  const { store, team: t } = team({ ann: says("ann") });
  const first = await store.create({ subject: "elsewhere" });
  await store.claim({ owner: "another process", id: first.id });
  await store.create({ subject: "second", blockedBy: [first.id] });

  const { result } = t.run();
  setTimeout(() => void store.update(first.id, { status: "completed", result: "x" }), 20);

  expect((await result).tasks.map(({ status }) => status)).toEqual(["completed", "completed"]);
});

test("a task that becomes ready right after a member has found none is not left", async () => {
  const { store, team: t } = team({ ann: says("ann") });
  const first = await store.create({ subject: "elsewhere" });
  await store.claim({ owner: "another process", id: first.id });
  await store.create({ subject: "second", blockedBy: [first.id] });
  const { claim } = store;
  let isFirst = true;
  store.claim = async (wanted) => {
    const found = await claim.call(store, wanted);
    if (isFirst) await store.update(first.id, { status: "completed", result: "x" });
    isFirst = false;
    return found;
  };

  expect(await t.run().result).toMatchObject({ status: "done" });
});

test("a member has its own prompt, tools and turns, and no more rights than the engine", async () => {
  const act = tool("act", async () => "acted");
  const { engine, store } = team({ main: () => text("x") }, { act });
  const provider = playing({ ann: (_request, step) => toolCall("act", { step }) });
  await store.create({ subject: "a" });

  const members = [agent("ann", { tools: [], maxTurns: 2, model: provider })];
  const report = await createTeam({ engine, members, store }).run().result;

  expect(provider.requests.map(({ tools, system }) => [tools.length, system[0]!.text])).toEqual([
    [0, "You are ann."],
    [0, "You are ann."],
  ]);
  expect(report.tasks).toMatchObject([{ status: "failed", result: expect.stringContaining("max-turns") }]);
});

test("a store whose changes cannot be watched any more does no harm to a task at work", async () => {
  const loose: unknown[] = [];
  const note = (error: unknown) => loose.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const act = tool("act", async () => {
    await nextTurn();
    return "acted";
  });
  const { engine, store, members } = team(
    { ann: (_, step) => (step === 0 ? toolCall("act", {}) : text("x")) },
    { act },
  );
  await store.create({ subject: "a" });
  Object.assign(store, {
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("it is gone")) }) }),
  });

  const report = await createTeam({ engine, members, store }).run().result;

  expect(report).toMatchObject({ status: "done", tasks: [{ status: "completed" }] });
  expect(loose).toEqual([]);
});

test("wrong options are refused", () => {
  expect(() => createTeam({ engine: {}, members: [], store: createMemoryTaskStore() } as never)).toThrow(/"engine"/);
  expect(() => createTeam({ member: [] } as never)).toThrow(/Did you mean "members"/);
});

test("a store whose watch ends early is looked at from time to time, and not without a pause", async () => {
  const store = createMemoryTaskStore();
  let looks = 0;
  const counting = {
    ...store,
    create: store.create.bind(store),
    get: store.get.bind(store),
    update: store.update.bind(store),
    renew: store.renew.bind(store),
    release: store.release.bind(store),
    claim: store.claim.bind(store),
    list: (...filter: Parameters<typeof store.list>) => {
      looks++;
      return store.list(...filter);
    },
    async *watch() {},
  };
  const engine = new AgentEngine({ provider: playing({ ann: says("ann"), bob: says("bob") }) });
  await store.create({ subject: "only" });
  const { id } = await store.create({ subject: "held elsewhere" });
  await store.claim({ owner: "somebody", leaseMs: 60_000, id });
  const run = createTeam({ engine, members: [agent("ann"), agent("bob")], store: counting }).run();
  await nextTurn(300);
  await store.update(id, { status: "completed" });
  expect((await run.result).status).toBe("done");
  expect(looks).toBeLessThan(100);
});

test("what is not an AbortSignal is refused", () => {
  const { team: t } = team({ ann: says("ann") });
  expect(() => t.run("junk" as never)).toThrow(/"signal".*AbortSignal/s);
});
