import type { UIMessage } from "ai";
import { validateUIMessages } from "ai";
import fc from "fast-check";
import { defineTool, type SessionEntry, type SessionStore } from "loopwright";
import { createRunHub, readPrompt, toAgUiMessages, toResponse, toUiMessages } from "loopwright/http";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { expect, test } from "vitest";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { runs } from "../../runs.js";
import { deploy, look, newEngine } from "../agents.js";
import { chatWith } from "../views/chat-client.js";

const broken = defineTool({
  name: "broken",
  description: "Fails.",
  permission: "none",
  execute: () => {
    throw new Error("It broke.");
  },
});

/** The AI SDK 6 leaves out why an approval is asked for. */
const withoutNewest = (key: string, value: unknown) => (key === "requestReason" ? undefined : value);

/** Messages as they would be after they were sent over HTTP, without ids: a client makes its own. */
const comparable = (messages: readonly object[]) =>
  (
    JSON.parse(JSON.stringify(messages, withoutNewest)) as {
      role: string;
      metadata?: { usage?: object };
      parts: object[];
    }[]
  ).map(({ role, metadata, parts }) => ({ role, metadata, parts }));

const stored = (store: SessionStore, options = {}) =>
  toUiMessages(store.read("chat-1"), { sessionId: "chat-1", ...options });

async function expectSame(store: SessionStore, live: readonly UIMessage[]): Promise<void> {
  const { messages } = await stored(store);
  const shown = comparable(messages);
  const seen = comparable(live);
  // A live stream knows the price of a run, a session only its tokens.
  for (const { metadata } of [...shown, ...seen]) if (metadata) Reflect.deleteProperty(metadata, "costUsd");
  expect(shown).toEqual(seen);
  await validateUIMessages({ messages });
}

const said = fc.constantFrom("Hm.", "One\ntwo", "été 😀");
const modelTurn = fc.oneof(
  fc.record({ kind: fc.constant("talk" as const), words: said, thought: fc.option(said, { nil: undefined }) }),
  fc.record({
    kind: fc.constant("call" as const),
    words: fc.option(said, { nil: undefined }),
    tools: fc.array(fc.constantFrom("look", "broken", "deploy"), { minLength: 1, maxLength: 3 }),
  }),
);
const chats = fc.array(
  fc.record({
    words: said,
    turns: fc.array(modelTurn, { maxLength: 4 }),
    allows: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 3 },
);

test("a stored session is what a client has after the same chat", async () => {
  await fc.assert(
    fc.asyncProperty(chats, async (asked) => {
      const turns = asked.flatMap(({ turns: made }) => [
        ...made
          .filter(({ kind }) => kind === "call")
          .map((turn) =>
            turn.kind === "call"
              ? [...(turn.words ? [turn.words] : []), ...turn.tools.map((name) => toolCall(name))]
              : "",
          ),
        made.some((turn) => turn.kind === "talk" && turn.thought) ? [{ reasoning: "So." }, "Done."] : text("Done."),
      ]);
      const sessions = createMemorySessionStore();
      const engine = newEngine({ provider: scripted(turns as never), tools: [deploy, look, broken], sessions });
      const chat = await chatWith(engine);

      for (const { words, allows } of asked) {
        let message = await chat.say(words);
        for (const allow of allows) {
          await expectSame(sessions, chat.messages);
          if (!message.parts.some((part) => "state" in part && part.state === "approval-requested")) break;
          message = await chat.approve(allow);
        }
      }

      await expectSame(sessions, chat.messages);
      await engine.close();
    }),
    { numRuns: runs(10, 40, 2_000) },
  );
});

test("a question and its answer are there", async () => {
  const sessions = createMemorySessionStore();
  const ask = toolCall("ask_user", { question: "Which?", options: ["red", "blue"] });
  const engine = newEngine({ provider: scripted([ask, text("Red it is.")]), tools: [createAskUserTool()], sessions });
  const chat = await chatWith(engine);
  const asked = await chat.say("Ask me.");
  await expectSame(sessions, chat.messages);
  const question = asked.parts.find(({ type }) => type === "data-question") as { data: { toolCallId: string } };

  await chat.addOutput(question.data.toolCallId, "red");

  await expectSame(sessions, chat.messages);
  const { messages } = await stored(sessions);
  expect(messages.at(-1)!.parts).toContainEqual(
    expect.objectContaining({ type: "data-question", data: expect.objectContaining({ isAnswered: true }) }),
  );
});

const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "Work." });
const withWorker = [deploy, ...createSubagentTools({ subagents: [worker] })];
const task = (id: string) => toolCall("task", { prompt: "Deploy.", subagent_type: "worker" }, { id });
const partsOf = (messages: readonly object[]) => comparable(messages).map(({ parts }) => parts);

test("a sub-agent's call is one of its own, also with the id of one of the main agent's", async () => {
  const sessions = createMemorySessionStore();
  const turns = [
    toolCall("deploy", { by: "main" }, { id: "deploy:0" }),
    text("Done."),
    task("task:0"),
    toolCall("deploy", { by: "worker" }, { id: "deploy:0" }),
    text("Child done."),
    text("All done."),
    task("call:0"),
    toolCall("deploy", {}, { id: "call:0" }),
    text("Child done."),
    text("All done again."),
  ];
  const chat = await chatWith(newEngine({ provider: scripted(turns), tools: withWorker, sessions }));

  for (const words of ["Deploy.", "Let it deploy.", "Again."]) {
    await chat.say(words);
    expect(partsOf((await stored(sessions)).messages).at(-1)).toEqual(partsOf(chat.messages).at(-1));
    await chat.approve(true);
  }

  expect(chat.messages.at(-1)!.parts.at(-1)).toMatchObject({ text: "All done again." });
});

const CHILD_TURNS = [task("task:0"), toolCall("deploy"), text("Child done."), text("All done."), text("Next.")];
const OUTCOME = "The outcome is in the sub-agent's session.";

test.each([
  [true, { state: "output-available", output: OUTCOME }, { content: OUTCOME, metadata: { status: "unknown" } }],
  [false, { state: "output-denied" }, { content: "It was denied.", metadata: { status: "denied" } }],
])(
  "a sub-agent's call has ended once it was answered (allowed: %s) and the run went on",
  async (allow, part, result) => {
    const sessions = createMemorySessionStore();
    const engine = newEngine({ provider: scripted(CHILD_TURNS), tools: withWorker, sessions });
    const chat = await chatWith(engine);
    await chat.say("Go.");
    await chat.approve(allow);

    const { messages } = await stored(sessions);
    const [prompt, live] = chat.messages;
    const parts = live!.parts.map((one) => (one.type === "tool-deploy" ? { ...one, ...part } : one));
    expect(partsOf(messages)).toEqual(partsOf([prompt!, { ...live!, parts }]));
    await validateUIMessages({ messages });

    const agUi = (await toAgUiMessages(sessions.read("chat-1"))).messages;
    const asked = agUi.findIndex(({ toolCalls }) => toolCalls?.[0]?.function.name === "deploy");
    const toolCallId = agUi[asked]!.toolCalls![0]!.id;
    expect(agUi[asked + 1]).toMatchObject({ role: "tool", toolCallId, ...result });
    const said = [...agUi, { id: "next", role: "user", content: "And now?" }];
    const body = JSON.stringify({ threadId: "chat-1", runId: "next", messages: said, tools: [], context: [] });
    const headers = { "content-type": "application/json" };
    const shown = await readPrompt(new Request("http://page.test", { method: "POST", headers, body }));
    const next = await (await createRunHub({ engine }).send(shown)).result;
    expect(next.text).toBe("Next.");
    expect((await stored(sessions)).messages).toHaveLength(4);
  },
);

test("a sub-agent's call whose question was left for a new prompt is denied", async () => {
  const sessions = createMemorySessionStore();
  const chat = await chatWith(newEngine({ provider: scripted(CHILD_TURNS), tools: withWorker, sessions }));
  await chat.say("Go.");
  await chat.say("Something else.");

  const { messages } = await stored(sessions);
  const [called, asked] = messages[1]!.parts.filter(({ type }) => type.startsWith("tool-"));
  expect(called).toMatchObject({ type: "tool-task", state: "output-denied" });
  expect(called).not.toHaveProperty("output");
  expect(asked).toMatchObject({
    state: "output-denied",
    approval: { approved: false, reason: "It was not answered." },
  });
  const agUi = (await toAgUiMessages(sessions.read("chat-1"))).messages;
  expect(agUi.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool", "user", "assistant"]);
  expect(agUi[4]).toMatchObject({ content: "It was not answered.", metadata: { status: "denied" } });
});

test("each question of sub-agents with the same calls has an answer of its own, and an end", async () => {
  const sessions = createMemorySessionStore();
  const ask = toolCall("ask_user", { question: "Which?" }, { id: "ask:0" });
  const provider = scripted([[task("task:0"), task("task:1")], ask, ask, text("Red."), text("Blue."), text("Done.")]);
  const engine = newEngine({ provider, tools: [createAskUserTool(), ...withWorker], sessions });
  const asked = await engine.run("Go.", { sessionId: "chat-1" });
  expect(asked.pending).toHaveLength(2);
  const states = async () =>
    (await stored(sessions)).messages[1]!.parts.flatMap(({ state, data }) => [state, Object(data).isAnswered]);

  const [first, second] = asked.pending!;
  await engine.resume("chat-1", { answers: [{ id: first!.id, value: "red" }] }).result;
  expect((await states()).filter((state) => typeof state === "boolean")).toEqual([true, false]);
  await engine.resume("chat-1", { answers: [{ id: second!.id, value: "blue" }] }).result;

  expect((await states()).filter((state) => state !== undefined)).toEqual([
    ...["output-available", "output-available"],
    ...["output-available", true, "output-available", true],
    "done",
  ]);
  const calls = (await toAgUiMessages(sessions.read("chat-1"))).messages.flatMap(({ toolCalls = [] }) => toolCalls);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
});

test("pages go back from the newest message to the first, each message once", async () => {
  const sessions = createMemorySessionStore();
  const chat = await chatWith(newEngine({ provider: scripted(["1", "2", "3"].map((words) => text(words))), sessions }));
  for (const words of ["a", "b", "c"]) await chat.say(words);
  const all = (await stored(sessions)).messages;

  const pages: (readonly object[])[] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const page = await stored(sessions, { limit: 4, before: before ?? undefined });
    pages.unshift(page.messages);
    before = page.before;
  }

  expect(pages.map((page) => page.length)).toEqual([2, 4]);
  expect(pages.flat()).toEqual(all);
  await expect(stored(sessions, { before: "nothing" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test("a reload during a run shows both halves: what was stored, and the stream of the run that is left out", async () => {
  const sessions = createMemorySessionStore();
  const engine = newEngine({ provider: scripted([text("First."), toolCall("deploy"), text("Done.")]), sessions });
  const hub = createRunHub({ engine });
  await engine.run("One", { sessionId: "chat-1" });
  const run = hub.start("Two", { sessionId: "chat-1" });
  await run.result;

  const { messages } = await stored(sessions, { withoutRun: run.id });
  const response = toResponse(hub.subscribe(run.id), { format: "ui-messages" });

  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(await response.text()).toContain("approval");
});

test("what was steered splits the answer, other texts of the harness are not shown, and a compaction is a mark", async () => {
  const entries = [
    { type: "message", message: { role: "user", content: [{ type: "text", text: "Go." }] } },
    { type: "message", message: { role: "user", origin: "reminder", content: [{ type: "text", text: "secret" }] } },
    { type: "message", message: { role: "assistant", content: [{ type: "text", text: "One." }] } },
    {
      type: "view-edit",
      stage: "summary",
      from: "1",
      to: "2",
      replacement: [],
      report: { stage: "summary", beforeTokens: 9, afterTokens: 3, removedTurns: 1, durationMs: 1, costUsd: 0 },
    },
    { type: "message", message: { role: "user", origin: "steering", content: [{ type: "text", text: "Faster." }] } },
    { type: "message", message: { role: "assistant", content: [{ type: "text", text: "Two." }] } },
  ].map((record, index) => ({
    v: 1,
    id: `${index}`,
    parent: index ? `${index - 1}` : null,
    at: 1,
    runId: "r",
    turn: 1,
    ...record,
  }));

  const { messages } = await toUiMessages(entries as unknown as SessionEntry[]);

  expect(messages.map(({ role, parts }) => [role, parts.map(({ text: words, data }) => words ?? data)])).toEqual([
    ["user", ["Go."]],
    ["assistant", [undefined, "One.", { stage: "summary", beforeTokens: 9, afterTokens: 3 }]],
    ["user", ["Faster."]],
    ["assistant", [undefined, "Two."]],
  ]);
  expect(messages[2]!.metadata).toEqual({ steering: true });
});
