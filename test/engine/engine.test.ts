// One engine, many sessions: what it refuses, what it lets go, and who hears of it.
import { expect, test, vi } from "vitest";
import { AgentEngine, type EngineEvent, type SessionStore } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import {
  ALLOW,
  entriesOf,
  HeldStore,
  issuesOf,
  listen,
  PushedProvider,
  played,
  quiet,
  testEngine,
  tool,
} from "./kit.js";

const hang = () => tool("hang", () => new Promise<string>(() => {}), { timeoutMs: null });

test("a run resolves with all there is to know about how it ended", async () => {
  const { engine, provider } = testEngine([text("Hello.")]);

  const result = await engine.run("Hi.", { sessionId: "s" });

  expect({ ...result, messages: result.messages() }).toEqual({
    status: "completed",
    text: "Hello.",
    messages: [
      { role: "user", content: [{ type: "text", text: "Hi." }] },
      {
        role: "assistant",
        content: [{ type: "text", text: "Hello." }],
        finishReason: "stop",
        usage: { inputTokens: 10, outputTokens: 5 },
        provider: "scripted",
        model: "scripted",
      },
    ],
    usage: { inputTokens: 10, outputTokens: 5 },
    costUsd: null,
    turns: 1,
    sessionId: "s",
    runId: expect.any(String),
    pending: [],
  });
  provider.assertExhausted();
});

test("a second run on a session under way is refused with SESSION_BUSY; another session is not", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider });

  const first = engine.stream("go", { sessionId: "s" });
  await expect(engine.run("again", { sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(engine.resume("s").result).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await quiet();
  provider.answer("done");
  await first.result;
  const second = engine.stream("go on", { sessionId: "s" });
  await quiet();
  provider.answer("done again");

  expect(await second.result).toMatchObject({ status: "completed", text: "done again" });
});

test("sessions of one engine run at once and know nothing of each other", async () => {
  const { engine } = testEngine([(request) => text(`You said ${request.lastUserText}.`)], {
    provider: scripted([(request) => text(`You said ${request.lastUserText}.`)], { loop: true }),
  });

  const results = await Promise.all(["a", "b", "c"].map((said) => engine.run(said, { sessionId: said })));

  expect(results.map((result) => result.text)).toEqual(["You said a.", "You said b.", "You said c."]);
  expect(results.map((result) => result.messages().length)).toEqual([2, 2, 2]);
});

test("a session goes on where it was, also in another engine over the same store", async () => {
  const sessions = createMemorySessionStore();

  await testEngine([text("one")], { sessions }).engine.run("first", { sessionId: "s" });
  const { engine, provider } = testEngine([text("two")], { sessions });
  await engine.run("second", { sessionId: "s" });

  expect(provider.requests[0]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("close aborts every run, waits until all are idle, lets tools go and refuses later runs", async () => {
  const order: string[] = [];
  const deaf = tool("deaf", async (_input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await quiet();
    order.push("tool ended");
    return "";
  });
  const { engine } = testEngine([toolCall("deaf")], {
    tools: [{ ...deaf, endSession: async () => void order.push("let go") }],
  });

  const run = engine.stream("go");
  await quiet();
  await Promise.all([engine.close(), engine.close().then(() => order.push("closed"))]);

  expect((await run.result).status).toBe("aborted");
  expect(order).toEqual(["tool ended", "let go", "closed"]);
  await expect(engine.run("more")).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await expect(engine.stream("more").result).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
});

test("endSession aborts the session's run, tells hooks, tools and artifacts, and keeps the entries", async () => {
  const told: unknown[] = [];
  const { engine, store } = testEngine([toolCall("hang"), toolCall("hang")], {
    tools: [{ ...hang(), endSession: async (id) => void told.push(`tool ${id}`) }],
    artifacts: { put: never, get: never, endSession: async (id) => void told.push(`artifacts ${id}`) },
    hooks: { SessionEnd: [{ run: ({ sessionId, reason }) => void told.push(`hook ${sessionId} ${reason}`) }] },
    limits: { abandonMs: 5 },
  });
  const other = engine.stream("go", { sessionId: "other" });

  const run = engine.stream("go", { sessionId: "s" });
  await quiet();
  await engine.endSession("s");

  expect((await run.result).status).toBe("aborted");
  expect(told).toEqual(["hook s other", "tool s", "artifacts s"]);
  expect(await entriesOf(store, "s")).not.toEqual([]);
  other.abort();
  await other.idle;
});

async function never(): Promise<never> {
  throw new Error("not used");
}

// ── who hears ───────────────────────────────────────────────────────────────────────────────────────────────────────

test("every event says where and when it happened", async () => {
  const { engine } = testEngine([text("Hi.")], { runtime: { now: () => 42 } });

  const run = engine.stream("Hi.", { sessionId: "s" });
  const { events } = await played(run);

  for (const event of events) expect(event).toMatchObject({ runId: run.id, sessionId: "s", agentPath: [], at: 42 });
  expect(events.map(({ type }) => type)).toEqual([
    "run-start",
    "epoch",
    "turn-start",
    "model-call-start",
    "text-delta",
    "model-call-end",
    "usage",
    "turn-end",
    "run-end",
  ]);
});

test("a listener that throws or rejects harms neither the run nor other listeners, and is asked to the host", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  const { engine } = testEngine([text("Hi.")]);
  const heard: string[] = [];
  engine.on("run-end", () => {
    throw new Error("first");
  });
  engine.on("run-end", async () => {
    throw new Error("second");
  });
  engine.on("run-end", ({ status }) => void heard.push(status));

  const result = await engine.run("Hi.");
  await quiet();

  expect(result.status).toBe("completed");
  expect(heard).toEqual(["completed"]);
  expect(reported.mock.calls.map((call) => (call[1] as Error).message)).toEqual(["first", "second"]);
  reported.mockRestore();
});

test("once hears one event, and off takes a listener back", async () => {
  const { engine } = testEngine([text("a"), text("b")]);
  const heard: string[] = [];
  const listener = () => void heard.push("on");
  engine.once("run-end", () => void heard.push("once")).on("run-end", listener);

  await engine.run("1");
  engine.off("run-end", listener);
  await engine.run("2");

  expect(heard).toEqual(["once", "on"]);
});

test("run() and stream() see the same run, event by event", async () => {
  const turns = [toolCall("look", {}, { id: "a" }), text("done")];
  const look = tool("look", async () => "seen", { permission: "read_only" });
  const seen: EngineEvent["type"][] = [];
  const through = testEngine(turns, { tools: [look] });
  const silent = testEngine(turns, { tools: [look] });
  for (const type of [
    "run-start",
    "epoch",
    "turn-start",
    "tool-call-start",
    "tool-call-end",
    "turn-end",
    "run-end",
  ] as const) {
    silent.engine.on(type, () => void seen.push(type));
  }

  const { events } = await played(through.engine.stream("go"));
  await silent.engine.run("go");

  expect(events.map(({ type }) => type).filter((type) => seen.includes(type))).toEqual(seen);
});

test("leaving the iteration aborts the run", async () => {
  const { engine } = testEngine([toolCall("hang")], { tools: [hang()], limits: { abandonMs: 5 } });

  const run = engine.stream("go");
  for await (const event of run) if (event.type === "tool-call-start") break;

  expect(await run.result).toMatchObject({ status: "aborted" });
});

test("a consumer that reads one event and then only awaits the result does not hold the run up", async () => {
  const { engine } = testEngine([text("x".repeat(5_000), { chunkSize: 1 })]);

  const run = engine.stream("go");
  await run[Symbol.asyncIterator]().next();

  expect(await run.result).toMatchObject({ status: "completed" });
});

test("a consumer that comes late hears what it missed as a notice, and the end of the run", async () => {
  const turns = Array.from({ length: 40 }, (_, turn) =>
    Array.from({ length: 20 }, (_, n) => toolCall("look", { turn, n })),
  );
  const { engine } = testEngine([...turns, text("done")], {
    tools: [tool("look", async () => "seen", { permission: "read_only" })],
  });

  const run = engine.stream("go");
  await run.result;
  const { events } = await played(run);

  expect(events.length).toBeLessThanOrEqual(1_025);
  expect(events[0]).toMatchObject({ type: "notice", code: "EVENTS_DROPPED", details: { dropped: expect.any(Number) } });
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("nobody has to read a stream's events", async () => {
  const { engine } = testEngine([text("done")]);

  expect(await engine.stream("go").result).toMatchObject({ status: "completed", text: "done" });
});

test("run.state says where a run stands", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, permissions: ALLOW, tools: [tool("act", async () => "ok")] });

  const run = engine.stream("go");
  await quiet();
  const during = run.state;
  provider.call(0, { id: "a", name: "act", arguments: {} });
  provider.end();
  await quiet();
  const second = run.state;
  provider.answer("done");
  await run.result;

  expect(during).toMatchObject({ status: "running", turn: 1 });
  expect(second).toMatchObject({ status: "running", turn: 2, transition: "next-turn" });
  expect(run.state).toMatchObject({ status: "completed", turn: 2, usage: { inputTokens: 2, outputTokens: 2 } });
});

// ── per-run options ─────────────────────────────────────────────────────────────────────────────────────────────────

test("a run may have its own provider, tools, mode, limits and context", async () => {
  const { engine, provider } = testEngine([], {
    tools: [tool("engine_tool", async () => "no")],
    permissions: { decide: ({ mode }) => ({ behavior: mode === "plan" ? "allow" : "deny" }) },
  });
  const own = scripted([toolCall("own", {}), text("never")], { id: "own" });
  const apps: unknown[] = [];

  const result = await engine.run("go", {
    provider: own,
    tools: [
      tool("own", async (_input, { app }) => {
        apps.push(app);
        return "ok";
      }),
    ],
    mode: "plan",
    limits: { maxTurns: 1 },
    context: { user: "Ada" },
  });

  expect(result).toMatchObject({ status: "max-turns", turns: 1 });
  expect(apps).toEqual([{ user: "Ada" }]);
  expect(own.requests[0]!.tools.map(({ name }) => name)).toEqual(["own"]);
  expect(provider.requestCount).toBe(0);
});

test("a new session may begin with a history", async () => {
  const { engine, provider } = testEngine([text("Still here.")]);
  const before = testEngine([toolCall("look"), text("seen")], {
    tools: [tool("look", async () => "x", { permission: "read_only" })],
  });
  const history = (await before.engine.run("earlier")).messages();

  const result = await engine.run("and now?", { history });

  expect(provider.requests[0]!.messages.slice(0, -1)).toEqual(history);
  expect(issuesOf(result)).toEqual([]);
});

test.each([
  ["that is not an array", "earlier"],
  ["with a hole", [null]],
  ["with an unknown role", [{ role: "system", content: [{ type: "text", text: "x" }] }]],
  ["whose content is a number", [{ role: "user", content: 7 }]],
  ["with a string as a tool's results", [{ role: "tool", content: "x" }]],
  [
    "with a call that has no result",
    [{ role: "assistant", content: [{ type: "tool-call", id: "a", name: "t", arguments: {} }] }],
  ],
])("a history %s is refused", async (_what, history) => {
  const { engine } = testEngine([]);

  await expect(engine.run("go", { history: history as never })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining('"history"'),
  });
});

test("a history is refused for a session that has its own", async () => {
  const { engine } = testEngine([text("one")]);
  const { messages } = await engine.run("first", { sessionId: "s" });

  await expect(engine.run("second", { sessionId: "s", history: messages() })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
});

test("changing the history that was passed changes nothing any more", async () => {
  const { engine } = testEngine([text("done")]);
  const args = { path: "a" };
  const content = [{ type: "tool-call" as const, id: "a", name: "t", arguments: args }];
  const result = await engine.run("go", {
    history: [
      { role: "assistant", content, finishReason: "tool-calls", provider: "p", model: "m" },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", name: "t", output: "x", isError: false }] },
    ],
  });

  args.path = "changed";

  expect(JSON.stringify(result.messages())).not.toContain("changed");
});

// ── stores that fail ────────────────────────────────────────────────────────────────────────────────────────────────

test("a store that fails ends the run as failed with SESSION_WRITE, before a tool with effects starts", async () => {
  let acted = 0;
  const store = new HeldStore();
  store.failOn((entries) => entries.some(({ type }) => type === "tool-start"));
  const { engine } = testEngine([toolCall("act")], {
    tools: [
      tool("act", async () => {
        acted++;
        return "ok";
      }),
    ],
    sessions: store,
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "failed", error: { code: "SESSION_WRITE" } });
  expect(acted).toBe(0);
  expect(issuesOf(result)).toEqual([]);
});

test("a store that fails at the very end ends the run as failed", async () => {
  const store = new HeldStore();
  store.failOn((entries) => entries.some(({ type }) => type === "run-end"));
  const { engine } = testEngine([text("done")], { sessions: store });

  const { events, result } = await played(engine.stream("go"));

  expect(result).toMatchObject({ status: "failed", error: { code: "SESSION_WRITE" } });
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "failed", error: { code: "SESSION_WRITE" } });
});

test.each<[string, Partial<SessionStore>, string]>([
  ["cannot lock", { lock: async () => Promise.reject(new TypeError("no lock")) }, "SESSION_READ"],
  [
    "cannot read",
    {
      read: () => {
        throw new TypeError("no read");
      },
    },
    "SESSION_READ",
  ],
])("a store that %s ends the run as failed, and the stream says so", async (_what, broken, code) => {
  const { engine } = testEngine([], { sessions: { ...createMemorySessionStore(), ...broken } });

  const { events, result } = await played(engine.stream("go"));

  expect(result).toMatchObject({ status: "failed", error: { code, name: "SessionError" } });
  expect(events.map(({ type }) => type)).toEqual(["run-end"]);
});

test("a store that cannot unlock changes nothing about the run, and is reported", async () => {
  const store = createMemorySessionStore();
  const lock = async () => async () => Promise.reject(new Error("stuck"));
  const { engine } = testEngine([text("done")], { sessions: { ...store, lock } });
  const notices = listen(engine, "notice");

  expect(await engine.run("go")).toMatchObject({ status: "completed" });
  expect(notices).toMatchObject([{ code: "SESSION_WRITE", message: expect.stringContaining("stuck") }]);
});

test("a session locked elsewhere is refused with SESSION_BUSY", async () => {
  const sessions = createMemorySessionStore();
  await sessions.lock("s");
  const { engine } = testEngine([], { sessions });

  await expect(engine.run("go", { sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
});

// ── steering and follow-ups ─────────────────────────────────────────────────────────────────────────────────────────

test("steering enters at the next turn, a follow-up when the run would have ended", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, permissions: ALLOW, tools: [tool("act", async () => "ok")] });
  const turns = listen(engine, "turn-end");

  const run = engine.stream("go");
  await quiet();
  expect([run.followUp("And then?"), run.steer("Faster!")]).toEqual([true, true]);
  provider.call(0, { id: "a", name: "act", arguments: {} });
  provider.end();
  await quiet();
  provider.answer("first");
  await quiet();
  provider.answer("second");
  const result = await run.result;

  const told = result
    .messages()
    .flatMap((message) => (message.role === "user" ? [[message.origin, message.content]] : []));
  expect(told).toEqual([
    [undefined, [{ type: "text", text: "go" }]],
    ["steering", [{ type: "text", text: "Faster!" }]],
    [undefined, [{ type: "text", text: "And then?" }]],
  ]);
  expect(turns.map(({ transition }) => transition)).toEqual(["next-turn", "follow-up", "completed"]);
  expect(result.text).toBe("second");
});

test("steering during the last answer asks for another turn", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider });

  const run = engine.stream("go");
  await quiet();
  run.steer("wait");
  provider.answer("done");
  await quiet();
  provider.answer("really done");

  expect(await run.result).toMatchObject({ text: "really done", turns: 2 });
});

test("a message can be taken back until the model is sent it, the last of its text", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, permissions: ALLOW, tools: [tool("act", async () => "ok")] });

  const run = engine.stream("go");
  run.steer("before it began");
  const early = [run.takeBack("before it began"), run.takeBack("before it began")];
  await quiet();
  for (const text of ["one", "two", "one"]) run.steer(text);
  run.followUp("later");
  const taken = ["one", "later", "never said"].map((text) => run.takeBack(text));
  provider.call(0, { id: "a", name: "act", arguments: {} });
  provider.end();
  await quiet();
  const sent = run.takeBack("two");
  provider.answer("done");
  const result = await run.result;

  expect([early, taken, sent, run.takeBack("two")]).toEqual([[true, false], [true, true, false], false, false]);
  const said = result.messages().flatMap(({ role, content }) => (role === "user" ? content : []));
  expect(said).toEqual(["go", "one", "two"].map((text) => ({ type: "text", text })));
});

test("a message that was taken and came too late is reported in a notice; after the end none is taken", async () => {
  const store = new HeldStore();
  const hooks = { Stop: [{ run: () => store.hold() }] };
  const { engine } = testEngine([text("done")], { sessions: store, hooks });
  const notices = listen(engine, "notice");

  const run = engine.stream("go");
  while (store.waiting === 0) await quiet();
  const taken = run.steer("too late");
  store.letGo();
  await run.result;

  expect(taken).toBe(notices.length === 1);
  for (const notice of notices)
    expect(notice).toMatchObject({ code: "MESSAGE_UNDELIVERED", details: { text: "too late" } });
  expect([run.steer("later"), run.followUp("later"), run.steer("")]).toEqual([false, false, false]);
});

test("messages queued when a run is aborted are reported in a notice", async () => {
  const { engine } = testEngine([toolCall("hang")], { tools: [hang()], limits: { abandonMs: 5 } });
  const notices = listen(engine, "notice");

  const run = engine.stream("go");
  await quiet();
  run.steer("one");
  run.followUp("two");
  run.abort();
  await run.result;

  const undelivered = notices.filter(({ code }) => code === "MESSAGE_UNDELIVERED");
  expect(undelivered.map(({ details }) => details)).toEqual([{ text: "one" }, { text: "two" }]);
});

// ── misuse ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test.each([
  ["", "input"],
  [[], "input"],
  [7, "input"],
  [null, "input"],
  [[{ type: "audio" }], "input"],
  [[{ type: "text" }], "input"],
  [[{ type: "text", text: 7 }], "input"],
  [[{ type: "image", mediaType: "image/png" }], "input"],
])("a prompt of %j is refused", async (input, option) => {
  const { engine } = testEngine([]);

  await expect(engine.run(input as never)).rejects.toMatchObject({ code: "OPTION_INVALID", details: { option } });
});

test("whoever iterates a refused stream learns why", async () => {
  const { engine } = testEngine([]);

  await expect(played(engine.stream(""))).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
