import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentEngine, SessionStore } from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore, exportSession, forkSession, importSession } from "../../src/sessions/index.js";
import { subagentSessionId } from "../../src/subagents/index.js";
import { tool } from "../engine/kit.js";
import { agent, lastOutputs, subagentEngine, textsOf } from "../subagents/kit.js";
import { collect, idsOf } from "./kit.js";

const asks = {
  decide: ({ tool }: { readonly tool: { readonly name: string } }) => (tool.name === "act" ? ask : allow),
};
const ask = { behavior: "ask", reason: "act is asked about" } as const;
const allow = { behavior: "allow" } as const;

/** A sub-agent two levels down that asks before it acts; each level has looked before. */
function setUp() {
  const sessions = createMemorySessionStore();
  const acted: string[] = [];
  const looked: string[] = [];
  const tools = [
    tool("act", async () => `acted ${acted.push("acted")}`),
    tool("look", async () => `looked ${looked.push("looked")}`, { permission: "read_only" }),
  ];
  const handsTo = (next: string) => (request: Parameters<typeof lastOutputs>[0], step: number) =>
    step === 0 ? toolCall("task", { prompt: "go on", subagent_type: next }) : text(lastOutputs(request).join());
  const roles = {
    main: handsTo("a"),
    a: handsTo("b"),
    b: (_: unknown, step: number) => [toolCall("look", {}), toolCall("act", {}), text("done")][step]!,
  };
  const { engine } = subagentEngine(roles, [agent("a"), agent("b")], {
    tools,
    sessions,
    permissions: asks,
    maxDepth: 2,
  } as never);
  return { engine, sessions, acted, looked };
}

async function answer(engine: AgentEngine, sessionId: string, decision: "allow" | "deny") {
  const [question] = (await engine.resume(sessionId).result).pending;
  return engine.resume(sessionId, { answers: [{ id: question!.id, decision }] }).result;
}

async function newest(store: SessionStore, id: string): Promise<string> {
  return (await idsOf(store, id)).at(-1)!;
}

test("the question of a sub-agent waits in both, and each is answered for itself", async () => {
  const { engine, sessions, acted, looked } = setUp();
  const { pending } = await engine.run("go", { sessionId: "s" });
  const fork = await forkSession(sessions, "s", await newest(sessions, "s"), "fork");

  const waiting = await engine.resume(fork).result;
  const inFork = await answer(engine, fork, "allow");
  const inOriginal = await answer(engine, "s", "deny");

  expect(pending).toMatchObject([{ sessionId: "s", tool: "act" }]);
  expect(waiting.pending).toMatchObject([{ id: pending[0]!.id, sessionId: "fork", agentPath: ["a", "b"] }]);
  expect(inFork).toMatchObject({ status: "completed", text: "done", sessionId: "fork" });
  expect(inOriginal).toMatchObject({ status: "completed", sessionId: "s" });
  // What the sub-agent had done before it asked is not done again.
  expect([acted, looked]).toEqual([["acted"], ["looked"]]);
});

test("where the sub-agent has ended since, a fork of the time before begins it anew", async () => {
  const { engine, sessions, acted, looked } = setUp();
  await engine.run("go", { sessionId: "s" });
  const whileItWaited = await newest(sessions, "s");
  await answer(engine, "s", "allow");

  const fork = await forkSession(sessions, "s", whileItWaited);
  const again = await engine.resume(fork).result;

  expect(again).toMatchObject({ status: "needs-approval", pending: [{ sessionId: fork, tool: "act" }] });
  expect([acted, looked]).toEqual([["acted"], ["looked", "looked"]]);
});

test("a fork that is refused copies nothing, and one that failed half-way can be made again", async () => {
  const { engine, sessions } = setUp();
  await engine.run("go", { sessionId: "s" });
  await engine.run("go", { sessionId: "t" });
  const before = await collect(sessions.list({ prefix: "" }));
  const [call] = (await collect(sessions.read("s"))).flatMap((entry) =>
    entry.type === "tool-start" ? entry.toolCallId : [],
  );
  const broken: SessionStore = {
    ...sessions,
    append: async (id, entries) => {
      if (id === "fork") throw new Error("no space left");
      await sessions.append(id, entries);
    },
  };

  await expect(forkSession(sessions, "s", await newest(sessions, "s"), "t")).rejects.toThrow("exists already");
  expect(await collect(sessions.list({ prefix: "" }))).toEqual(before);
  await expect(forkSession(broken, "s", await newest(sessions, "s"), "fork")).rejects.toThrow("no space left");
  await forkSession(sessions, "s", await newest(sessions, "s"), "fork");

  expect(await idsOf(sessions, subagentSessionId("fork", call!))).toEqual(
    await idsOf(sessions, subagentSessionId("s", call!)),
  );
  expect(await answer(engine, "fork", "allow")).toMatchObject({ status: "completed", text: "done" });
});

const IN_BACKGROUND = toolCall(
  "task",
  { prompt: "dig", subagent_type: "digger", run_in_background: true },
  { id: "t" },
);

/** A main agent with a sub-agent in the background that looks, then acts. Without an answer it waits. */
function digging(sessions: SessionStore, acted: string[], looked: string[]) {
  const tools = [
    tool("act", async () => `acted ${acted.push("acted")}`),
    tool("look", async () => `looked ${looked.push("looked")}`, { permission: "read_only" }),
  ];
  const roles = {
    main: (request: Parameters<typeof textsOf>[0], step: number) =>
      step === 0
        ? IN_BACKGROUND
        : text(textsOf(request).findLast((said) => said.startsWith("[Sub-agent")) ?? "started"),
    digger: (_: unknown, step: number) => [toolCall("look", {}), toolCall("act", {}), text("gold")][step]!,
  };
  return subagentEngine(roles, [agent("digger")], { tools, sessions, permissions: asks } as never).engine;
}

test("a sub-agent in the background goes on in each for itself", async () => {
  const sessions = createMemorySessionStore();
  const [acted, looked]: [string[], string[]] = [[], []];
  const engine = digging(sessions, acted, looked);
  const { pending } = await engine.run("go", { sessionId: "s" });
  await forkSession(sessions, "s", await newest(sessions, "s"), "fork");
  await forkSession(sessions, "fork", await newest(sessions, "fork"), "again");
  const child = subagentSessionId("s", "t");
  const before = await idsOf(sessions, child);

  const waiting = await engine.resume("fork").result;
  const inFork = await answer(engine, "fork", "allow");

  expect(waiting.pending).toMatchObject([{ id: pending[0]!.id, sessionId: "fork", tool: "act" }]);
  expect(inFork).toMatchObject({ status: "completed", sessionId: "fork" });
  expect(inFork.text).toMatch(/has completed\]\n\ngold$/);
  expect(await idsOf(sessions, child)).toEqual(before);
  expect((await answer(engine, "again", "allow")).text).toMatch(/gold$/);
  expect((await answer(engine, "s", "deny")).text).toMatch(/gold$/);
  // What it had done before it asked is not done again.
  expect([acted, looked]).toEqual([["acted", "acted"], ["looked"]]);
});

test("a session that is imported under another id leaves the background of the first one alone", async () => {
  const sessions = createMemorySessionStore();
  const engine = digging(sessions, [], []);
  await engine.run("go", { sessionId: "s" });
  const before = await idsOf(sessions, subagentSessionId("s", "t"));

  await importSession(sessions, await exportSession(sessions, "s"), "copy");
  const waiting = await engine.resume("copy").result;

  expect(waiting).toMatchObject({ status: "needs-approval", pending: [{ sessionId: "copy", tool: "act" }] });
  expect(await idsOf(sessions, subagentSessionId("s", "t"))).toEqual(before);
  expect(await answer(engine, "copy", "allow")).toMatchObject({ status: "completed" });
});

test("a fork of the time before the background ended asks its question once", async () => {
  // All within one millisecond, so that no time tells what came first.
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const sessions = createMemorySessionStore();
  const engine = digging(sessions, [], []);
  await engine.run("go", { sessionId: "s" });
  const whileItWaited = await newest(sessions, "s");
  await answer(engine, "s", "allow");

  const fork = await forkSession(sessions, "s", whileItWaited);

  expect((await engine.resume(fork).result).pending).toMatchObject([{ sessionId: fork, tool: "act" }]);
  expect((await answer(engine, fork, "allow")).text).toMatch(/gold$/);
});

test.each(["", "a\0b", "x".repeat(513)])("an id that no run takes is refused: %j", async (id) => {
  const { engine, sessions } = setUp();
  await engine.run("go", { sessionId: "s" });
  const refusal = { code: "OPTION_INVALID", message: expect.stringContaining("a string of 1 to 512 characters") };

  await expect(forkSession(sessions, "s", await newest(sessions, "s"), id)).rejects.toMatchObject(refusal);
  await expect(importSession(sessions, await exportSession(sessions, "s"), id)).rejects.toMatchObject(refusal);
});
