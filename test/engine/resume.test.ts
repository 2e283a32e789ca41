// Going on after a suspension, an abort or a crash.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type BaseTool,
  type PermissionGate,
  type SessionEntry,
  type SessionRecord,
  type SessionStore,
} from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { entriesOf, issuesOf, listen, quiet, resultsOf, testEngine, tool } from "./kit.js";

/** A session as a crashed process left it. */
async function crashed(records: readonly SessionRecord[]): Promise<SessionStore> {
  const sessions = createMemorySessionStore();
  const entries = records.map((record, index): SessionEntry => {
    const parent = index === 0 ? null : `e${index - 1}`;
    return { v: 1, id: `e${index}`, parent, at: 1, runId: "old", turn: 1, ...record };
  });
  await sessions.append("s", entries);
  return sessions;
}

const prompt: SessionRecord = { type: "message", message: { role: "user", content: [{ type: "text", text: "go" }] } };
const asked = (...ids: string[]): SessionRecord => ({
  type: "message",
  message: {
    role: "assistant",
    content: ids.map((id) => ({ type: "tool-call", id, name: "act", arguments: { id } })),
    finishReason: "tool-calls",
    provider: "scripted",
    model: "scripted",
  },
});
const started = (toolCallId: string): SessionRecord => ({ type: "tool-start", toolCallId, inputDigest: "0" });

function acting(about: Partial<BaseTool> = {}) {
  const ran: unknown[] = [];
  return {
    ran,
    act: tool(
      "act",
      async (input: { id: string }) => {
        ran.push(input.id);
        return "acted";
      },
      about,
    ),
  };
}

test("a call that had not started before the crash runs; one that was done is not run again", async () => {
  const { act, ran } = acting();
  const sessions = await crashed([
    { type: "run-start" },
    prompt,
    asked("a", "b"),
    started("a"),
    {
      type: "tool-result",
      result: { toolCallId: "a", name: "act", output: "done before", isError: false, status: "success", durationMs: 1 },
    },
  ]);
  const { engine } = testEngine([text("done")], { tools: [act], sessions });

  const result = await engine.resume("s").result;

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(ran).toEqual(["b"]);
  expect(resultsOf(result)).toMatchObject({ a: { output: "done before" }, b: { output: "acted" } });
});

test("a call with an unknown outcome is not repeated by default: the model is asked to check", async () => {
  const { act, ran } = acting();
  const { engine } = testEngine([text("done")], {
    tools: [act],
    sessions: await crashed([{ type: "run-start" }, prompt, asked("a"), started("a")]),
  });
  const ends = listen(engine, "tool-call-end");

  const result = await engine.resume("s").result;

  expect(ran).toEqual([]);
  expect(ends[0]!.result).toMatchObject({ status: "unknown", details: { code: "TOOL_OUTCOME_UNKNOWN" } });
  expect(resultsOf(result).a!.output).toContain("Check what it did");
});

test.each([
  ["retry", { onUnknown: "retry" as const }],
  ["a replayable tool", { replayable: true }],
])("with onUnknown %s the call runs again", async (_what, about) => {
  const { act, ran } = acting(about);
  const { engine } = testEngine([text("done")], {
    tools: [act],
    sessions: await crashed([{ type: "run-start" }, prompt, asked("a"), started("a")]),
  });

  await engine.resume("s").result;

  expect(ran).toEqual(["a"]);
});

test.each([
  ["allow", ["a"]],
  ["deny", []],
] as const)("with onUnknown ask the host decides, whatever the gate allows: %s", async (decision, expected) => {
  const { act, ran } = acting({ onUnknown: "ask" });
  const { engine } = testEngine([text("done")], {
    tools: [act],
    sessions: await crashed([{ type: "run-start" }, prompt, asked("a"), started("a")]),
  });

  const first = await engine.resume("s").result;
  const still = await engine.resume("s").result;
  const result = await engine.resume("s", { answers: [{ id: first.pending[0]!.id, decision }] }).result;

  expect(first).toMatchObject({ status: "needs-approval", pending: [{ toolCallId: "a" }] });
  expect(still).toMatchObject({ status: "needs-approval", pending: first.pending });
  expect(result.status).toBe("completed");
  expect(ran).toEqual(expected);
});

test("an approval to running a call again is used up by doing so: after another crash the host is asked again", async () => {
  const { act, ran } = acting({ onUnknown: "ask" });
  const records: SessionRecord[] = [{ type: "run-start" }, prompt, asked("a"), started("a")];
  const once = testEngine([], { tools: [act], sessions: await crashed(records) });
  const request = (await once.engine.resume("s").result).pending[0]!;
  records.push({ type: "pending", request }, { type: "answer", answer: { id: request.id, decision: "allow" } });
  const answered = testEngine([text("done")], { tools: [act], sessions: await crashed(records) });
  const twice = testEngine([], { tools: [act], sessions: await crashed([...records, started("a")]) });

  const beforeTheStart = await answered.engine.resume("s").result;
  const afterTheStart = await twice.engine.resume("s").result;

  expect(beforeTheStart.status).toBe("completed");
  expect(afterTheStart).toMatchObject({ status: "needs-approval", pending: [{ toolCallId: "a" }] });
  expect(afterTheStart.pending[0]!.id).not.toBe(request.id);
  expect(ran).toEqual(["a"]);
});

test("a new prompt after a crash answers a started call as unknown and one that had not started as denied", async () => {
  const { act, ran } = acting();
  const { engine, store } = testEngine([text("done")], {
    tools: [act],
    sessions: await crashed([{ type: "run-start" }, prompt, asked("a", "b"), started("a")]),
  });

  const result = await engine.run("go on", { sessionId: "s" });

  const statuses = (await entriesOf(store, "s")).flatMap((entry) =>
    entry.type === "tool-result" ? [[entry.result.toolCallId, entry.result.status]] : [],
  );
  expect(statuses).toEqual([
    ["a", "unknown"],
    ["b", "denied"],
  ]);
  expect(ran).toEqual([]);
  expect(issuesOf(result)).toEqual([]);
});

test("a session that was aborted in the middle of an answer goes on", async () => {
  const { engine, provider } = testEngine([text("Once upon", { chunkSize: 4, chunkDelayMs: 5 }), text("a time")]);

  const run = engine.stream("tell", { sessionId: "s" });
  for await (const event of run) if (event.type === "text-delta") break;
  await run.result;
  const result = await engine.resume("s").result;

  expect(result).toMatchObject({ status: "completed", text: "a time" });
  expect(provider.requests[1]!.lastUserText).toContain("interrupted");
});

test("resuming a finished session returns its result and asks no model", async () => {
  const { engine, provider } = testEngine([text('{"n":1}')], { output: { type: "object" } });

  const before = await engine.run("go", { sessionId: "s" });
  const after = await engine.resume("s").result;

  expect(after).toMatchObject({ status: "completed", text: '{"n":1}', output: { n: 1 } });
  expect(after.messages()).toEqual(before.messages());
  expect(provider.requestCount).toBe(1);
});

test("maxTurns counts from each resume", async () => {
  const look = tool("look", async () => "seen", { permission: "read_only" });
  const { engine } = testEngine([toolCall("look", { n: 1 }), toolCall("look", { n: 2 }), text("done")], {
    tools: [look],
    limits: { maxTurns: 1 },
  });

  const statuses = [
    (await engine.run("go", { sessionId: "s" })).status,
    (await engine.resume("s").result).status,
    (await engine.resume("s").result).status,
  ];

  expect(statuses).toEqual(["max-turns", "max-turns", "completed"]);
});

test("resuming a session that does not exist is refused", async () => {
  const { engine } = testEngine([]);

  await expect(engine.resume("nowhere").result).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(engine.resume("").result).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test("hook context given while a call is suspended reaches the model after the results", async () => {
  const { engine, provider } = testEngine([[toolCall("look"), toolCall("act")], text("done")], {
    tools: [tool("look", async () => "seen", { permission: "read_only" }), tool("act", async () => "acted")],
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "act" ? "ask" : "allow" }) },
    hooks: { PostToolUse: [{ matcher: "look", run: () => ({ additionalContext: "It is dark." }) }] },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(provider.requests[1]!.messages.slice(-2)).toMatchObject([
    { role: "tool" },
    { role: "user", origin: "hook", content: [{ text: "It is dark." }] },
  ]);
});

test("hook context given while a call was suspended is not lost to a new prompt", async () => {
  const { engine, provider } = testEngine([[toolCall("look"), toolCall("act")], text("done")], {
    tools: [tool("look", async () => "seen", { permission: "read_only" }), tool("act", async () => "acted")],
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "act" ? "ask" : "allow" }) },
    hooks: { PostToolUse: [{ matcher: "look", run: () => ({ additionalContext: "It is dark." }) }] },
  });

  await engine.run("go", { sessionId: "s" });
  await engine.run("never mind", { sessionId: "s" });

  expect(JSON.stringify(provider.requests[1]!.messages)).toContain("It is dark.");
});

test("a SessionStart hook may add context when a suspended session is resumed", async () => {
  const { engine, provider } = testEngine([toolCall("act"), text("done")], {
    tools: [tool("act", async () => "acted")],
    permissions: { decide: () => ({ behavior: "ask" }) },
    hooks: {
      SessionStart: [{ run: ({ source }) => ({ additionalContext: source === "resume" ? "Welcome back." : "Hi." }) }],
    },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  const result = await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(result).toMatchObject({ status: "completed" });
  expect(provider.requests[1]!.lastUserText).toBe("Welcome back.");
});

test("a resumed call goes through the whole pipeline again: hooks fire and deny is checked", async () => {
  const fired: string[] = [];
  const { act, ran } = acting();
  const { engine } = testEngine([toolCall("act", {}, { id: "a" }), text("done")], {
    tools: [act],
    permissions: { decide: () => ({ behavior: "ask" }) },
    hooks: { PreToolUse: [{ run: ({ toolUseId }) => void fired.push(toolUseId) }] },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(fired).toEqual(["a", "a"]);
  expect(ran).toHaveLength(1);
});

test("a session whose entries do not fit together ends the run as failed, and nothing is written to it", async () => {
  const sessions = await crashed([{ type: "run-start" }, started("nobody")]);
  const engine = new AgentEngine({ provider: scripted([]), sessions });

  const run = engine.resume("s");
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  const result = await run.result;

  expect(result).toMatchObject({ status: "failed", error: { code: "TRANSCRIPT_INVALID" } });
  expect(types).toEqual(["run-end"]);
  expect(await entriesOf(sessions, "s")).toHaveLength(2);
});

test("a session that was forked goes on from its newest branch", async () => {
  const sessions = createMemorySessionStore();
  const base = { v: 1 as const, at: 1, runId: "old", turn: 1 };
  const say = (text: string) => ({
    type: "message" as const,
    message: { role: "user" as const, content: [{ type: "text" as const, text }] },
  });
  await sessions.append("s", [
    { ...base, id: "1", parent: null, ...say("root") },
    { ...base, id: "2", parent: "1", ...say("left behind") },
    { ...base, id: "3", parent: "1", ...say("taken") },
  ]);
  const { engine, provider } = testEngine([text("done")], { sessions });

  await engine.run("next", { sessionId: "s" });
  await quiet();

  const texts = provider.requests[0]!.messages.map(({ content }) => (content[0] as { text: string }).text);
  expect(texts).toEqual(["root", "taken", "next"]);
});

test.each(["a context source that is down", "an abort", "a deadline"])(
  "a yes is not spent by a start that failed for %s: the approval stays open, and can be given again",
  async (why) => {
    let calls = 0;
    const pay = tool("pay", async () => `paid ${++calls}`, { permission: "execute" });
    const permissions: PermissionGate = { decide: () => ({ behavior: "ask", reason: "Really?" }) };
    const first = testEngine([toolCall("pay")], { tools: [pay], permissions });
    const { pending } = await first.engine.run("Pay.", { sessionId: "s" });
    const answers = [{ id: pending[0]!.id, decision: "allow" }] as const;
    const load = () => (why.startsWith("a context") ? Promise.reject(new Error("down")) : new Promise<never>(() => {}));
    const options = { tools: [pay], permissions, sessions: first.store };
    const contextSources = [{ id: "down", load }];
    const down = testEngine([], { ...options, contextSources, limits: { abandonMs: 10 } });
    const limits = why === "a deadline" ? { deadlineMs: 20 } : {};

    const run = down.engine.resume("s", { answers, limits });
    if (why === "an abort") setTimeout(() => run.abort(), 10);
    const failed = await run.result;
    const done = await testEngine([text("Done.")], options).engine.resume("s", { answers }).result;

    expect(["failed", "aborted", "deadline"]).toContain(failed.status);
    expect(failed.pending).toEqual(pending);
    expect(done).toMatchObject({ status: "completed", text: "Done." });
    expect(calls).toBe(1);
  },
);
