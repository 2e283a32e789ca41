import { expect, test } from "vitest";
import { replay } from "../../../src/acp/updates/replay.js";
import { fenced } from "../../../src/acp/updates/result-content.js";
import { SessionView } from "../../../src/acp/updates/session-view.js";
import { withToolCalls } from "../../../src/engine/transcript/stored-calls.js";
import type { EngineEvent, SessionEntry } from "../../../src/index.js";
import { PROGRAM, programSession } from "../../observability/page/program-session.js";

function newView(textOf: (path: string) => Promise<string | null> = async () => null) {
  const view = new SessionView({
    cwd: "/work",
    contextWindow: () => 10_000,
    textOf,
    showsNotices: false,
    showsCompaction: false,
  });
  /** The updates of an event of the main agent. */
  const show = (event: object) =>
    view.updatesOf({ runId: "r", sessionId: "s", turn: 1, agentPath: [], at: 0, seq: 1, ...event } as EngineEvent);
  return { view, show };
}

const called = (id: string, name: string, args: object, description?: object) => ({
  type: "tool-call-start",
  call: { id, name, arguments: args },
  description,
});
const ended = (toolCallId: string, name: string, result: object = {}) => ({
  type: "tool-call-end",
  result: { type: "tool-result", toolCallId, name, output: "ok", isError: false, status: "ok", ...result },
});
const USED = { type: "model-call-end", usage: { inputTokens: 1, outputTokens: 1 } };

test.each([
  [
    [1, 2, 4],
    [1, 3, 7],
  ],
  [
    [1, null, 4],
    [1, undefined, undefined],
  ],
])("what a session has cost is the sum of its prompts %j, and not known once one is not", async (prompts, shown) => {
  const { view, show } = newView();
  const amounts: unknown[] = [];
  for (const costUsd of prompts) {
    await show(USED);
    const [update] = await show({ type: "usage", costUsd });
    amounts.push(Object(Object(update).cost).amount);
    view.close();
  }

  expect(amounts).toEqual(shown);
});

test("two calls of one command have a terminal each, in the order of the calls", async () => {
  const { view, show } = newView();
  for (const id of ["a", "b"]) await show(called(id, "bash", { command: "make" }));

  const owners = ["t1", "t2"].map((terminal) => view.terminalOf("make", terminal)[0]);

  expect(owners).toMatchObject([
    { toolCallId: "a", content: [{ type: "terminal", terminalId: "t1" }] },
    { toolCallId: "b", content: [{ type: "terminal", terminalId: "t2" }] },
  ]);
  expect(view.terminalOf("make", "t3")).toEqual([]);
});

test("while a command runs all that it has written is shown, and only the newest of very much", async () => {
  const { show } = newView();
  await show(called("a", "bash", { command: "make" }));
  const write = async (output: string) =>
    JSON.stringify(await show({ type: "tool-progress", toolCallId: "a", update: { output } }));

  await write("first\n");
  expect(await write("second\n")).toContain("first\\nsecond\\n");
  const last = await write(`${"x".repeat(8_000)}end`);
  expect(last).toContain("xend");
  expect(last).not.toContain("second");
});

test("only a message of which something was shown is said to have broken off", async () => {
  const { show } = newView();
  await show({ type: "model-call-start" });
  await show({ type: "text-delta", text: "Half" });
  expect(await show({ type: "model-restart" })).toHaveLength(1);
  await show({ type: "model-call-start" });

  expect(await show({ type: "model-restart" })).toEqual([]);
});

test.each([
  ["is not known, with the changes alone", null, "content", "-old"],
  ["is known, with its diff", "old", "diff", undefined],
])("a file that is replaced and of which what it held %s", async (_, held, type, shown) => {
  const { show } = newView(async () => held);
  const started = await show(
    called("a", "write_file", { path: "a.ts", content: "new" }, { title: "Write a.ts", kind: "edit", paths: ["a.ts"] }),
  );
  const [end] = await show(ended("a", "write_file", { details: { change: "replaced", diff: "-old\n+new" } }));

  const content = (Object(end).content ?? Object(started[0]).content) as { type: string }[];
  expect(content[0]).toMatchObject(type === "diff" ? { type, oldText: "old", newText: "new" } : { type });
  if (shown !== undefined) expect(JSON.stringify(content)).toContain(shown);
});

test("nothing in a text closes the fence around it", () => {
  for (const ticks of [0, 1, 3, 4, 9]) {
    const text = `a\n${"`".repeat(ticks)}\nb`;
    const [first = "", ...rest] = fenced(text).split("\n");
    expect(first).toMatch(/^`{3,}$/);
    expect(first.length).toBeGreaterThan(ticks);
    expect(rest.indexOf(first)).toBe(rest.length - 1);
  }
});

test("a session that is opened again shows what its user wrote, and each result once", () => {
  const user = (origin: string | undefined, text: string) => ({
    type: "message",
    message: { role: "user", content: [{ type: "text", text }], ...(origin && { origin }) },
  });
  const entries = [
    user(undefined, "Go."),
    user("reminder", "You are repeating yourself."),
    user("subagent", "It is done."),
    {
      type: "message",
      message: { role: "assistant", content: [{ type: "tool-call", id: "a", name: "look", arguments: {} }] },
    },
    { type: "tool-result", result: ended("a", "look").result },
    { type: "tool-result", result: ended("a", "look", { output: "late" }).result },
    user("steering", "Stop there."),
  ].map((entry, index) => ({ id: String(index), runId: "r", turn: 1, at: index, ...entry }));

  const updates = [
    ...replay(
      (entries as unknown as SessionEntry[]).map((entry) => ({ entry })),
      "/work",
    ),
  ];

  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "tool_call",
    "tool_call_update",
    "user_message_chunk",
  ]);
  expect(JSON.stringify(updates)).not.toContain("late");
});

test("a program is shown with its source, and the calls that it makes as calls that say which one they are part of", async () => {
  const { show } = newView();
  const program = "return await tools.look({});";

  const begun = await show(called("p", "run_program", { program }, { title: "Run a program", kind: "execute" }));
  const inner = await show({ ...called("p.1.1", "look", {}, { title: "Look", kind: "read" }), within: "p" });
  await show({ ...ended("p.1.1", "look"), within: "p" });
  const [end] = await show(ended("p", "run_program", { output: "seen" }));

  const source = { type: "content", content: { type: "text", text: `\`\`\`js\n${program}\n\`\`\`` } };
  expect(begun).toMatchObject([{ title: "Run a program", content: [source] }]);
  expect(inner).toMatchObject([{ toolCallId: "p.1.1", title: "↳ Look", _meta: { loopwright: { within: "p" } } }]);
  expect(end).toMatchObject({
    toolCallId: "p",
    content: [source, { type: "content", content: { type: "text", text: "seen" } }],
  });
});

test("a recorded program is replayed as it was shown, with its calls", async () => {
  const { engine, sessions, stored, allow } = await programSession();
  await allow().result;
  await engine.close();

  const updates = [...replay(await withToolCalls(await stored(), sessions, "shop"), "/work")];

  const calls = updates.flatMap((update) => (update.sessionUpdate === "tool_call" ? [update] : []));
  const [run, ...inner] = calls;
  expect(run).toMatchObject({ name: "run_program", content: [{ content: { text: `\`\`\`js\n${PROGRAM}\n\`\`\`` } }] });
  expect(inner.map(({ name, _meta }) => [name, _meta])).toEqual(
    ["look", "look", "look", "pay"].map((name) => [name, { loopwright: { within: run!.toolCallId } }]),
  );
  const ends = updates.flatMap((update) => (update.sessionUpdate === "tool_call_update" ? [update.toolCallId] : []));
  expect(ends).toEqual([...inner.map(({ toolCallId }) => toolCallId), run!.toolCallId]);
});
