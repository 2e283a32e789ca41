import { type UIMessage, type UIMessageChunk, uiMessageChunkSchema, validateUIMessages } from "ai";
import { expect, test } from "vitest";
import { createRunHub, toResponse, toUiMessageStream } from "../../../src/http/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { deploy, newEngine, talking } from "../agents.js";
import { allEvents } from "../loopback.js";
import { chatWith, textOf } from "./chat-client.js";

const tool = (message: UIMessage, name: string) =>
  message.parts.find(({ type }) => type === `tool-${name}`) as unknown as Record<string, unknown>;

async function expectValid(stream: ReadableStream<Uint8Array>): Promise<UIMessageChunk[]> {
  const events = await allEvents(stream);
  expect(events.at(-1)?.data).toBe("[DONE]");
  const schema = typeof uiMessageChunkSchema === "function" ? uiMessageChunkSchema() : uiMessageChunkSchema;
  for (const { data } of events.slice(0, -1)) expect(await schema.validate!(data)).toMatchObject({ success: true });
  return events.slice(0, -1).map(({ data }) => data);
}

test("text, reasoning and tools reach the AI SDK's reader, and the message is valid", async () => {
  const turn = [{ reasoning: "Hm." }, "Let me look.", toolCall("look")];
  const chat = await chatWith(newEngine({ provider: scripted([turn, text("Done.")]) }));

  const message = await chat.say("Look.");

  expect(message.metadata).toMatchObject({ sessionId: "chat-1", status: "completed" });
  expect(textOf(message)).toBe("Let me look.Done.");
  expect(tool(message, "look")).toMatchObject({ state: "output-available", output: "Seen." });
  await validateUIMessages({ messages: chat.messages });
});

test("a call's arguments stream in before the call is made", async () => {
  const turn = { toolCalls: [toolCall("look", { where: "behind the door" })], argumentChunkSize: 8 };
  const engine = newEngine({ provider: scripted([turn, text("Done.")]) });

  const chunks = await expectValid(toUiMessageStream(engine.stream("Look.")));

  const ofCall = chunks.filter((chunk) => chunk.type.startsWith("tool-"));
  const deltas = ofCall.flatMap((chunk) => (chunk.type === "tool-input-delta" ? chunk.inputTextDelta : []));
  expect(ofCall[0]).toMatchObject({ type: "tool-input-start", toolName: "look" });
  expect(deltas.length).toBeGreaterThan(2);
  expect(JSON.parse(deltas.join(""))).toEqual({ where: "behind the door" });
  expect(ofCall.map(({ type }) => type).filter((type) => type !== "tool-input-delta")).toEqual([
    "tool-input-start",
    "tool-input-available",
    "tool-output-available",
  ]);
});

test("a call that is cut off while its arguments arrive does not stay open in the chat", async () => {
  const turn = {
    events: [
      { type: "message-start" },
      { type: "tool-call-start", index: 0, id: "c", name: "look" },
      { type: "tool-call-delta", index: 0, json: '{"where":' },
    ],
    error: new Error("broken"),
    errorAfterChunks: 1,
  } as const;
  const engine = newEngine({ provider: scripted([turn]), retry: false });

  const chunks = await expectValid(toUiMessageStream(engine.stream("Look.")));

  expect(chunks).toContainEqual(expect.objectContaining({ type: "tool-input-error", toolCallId: "c" }));
});

test.each([
  [true, { state: "output-available", output: "Deployed." }],
  [false, { state: "output-denied" }],
])("an approval of %s in the chat continues the run and the message", async (approved, end) => {
  const chat = await chatWith(newEngine({ provider: scripted([toolCall("deploy"), text("That is it.")]) }));
  const asked = await chat.say("Deploy.");
  expect(tool(asked, "deploy")).toMatchObject({ state: "approval-requested" });

  const message = await chat.approve(approved);

  expect(tool(message, "deploy")).toMatchObject(end);
  expect(textOf(message)).toBe("That is it.");
  expect(message.parts.filter(({ type }) => type === "tool-deploy")).toHaveLength(1);
  await validateUIMessages({ messages: chat.messages });
});

test("a sub-agent's question is a tool part of its own, and its answer reaches it", async () => {
  const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "Work." });
  const task = toolCall("task", { description: "do it", prompt: "Deploy.", subagent_type: "worker" });
  const engine = newEngine({
    provider: scripted([task, toolCall("deploy"), text("Child done."), text("All done.")]),
    tools: [deploy, ...createSubagentTools({ subagents: [worker] })],
  });
  const chat = await chatWith(engine);
  const asked = await chat.say("Go.");
  expect(tool(asked, "deploy")).toMatchObject({ state: "approval-requested" });

  const message = await chat.approve(true);

  expect(tool(message, "deploy")).toMatchObject({ state: "output-available", output: "Deployed." });
  expect(tool(message, "task")).toMatchObject({ state: "output-available", output: "Child done." });
  expect(textOf(message)).toBe("All done.");
});

test("a question is a data part, and the output the client adds to its call answers it", async () => {
  const ask = toolCall("ask_user", { question: "Which?", options: ["red", "blue"] });
  const engine = newEngine({
    provider: scripted([ask, text("Red it is.")]),
    tools: [createAskUserTool()],
  });
  const chat = await chatWith(engine);
  const asked = await chat.say("Ask me.");
  const question = asked.parts.find(({ type }) => type === "data-question") as { data: { toolCallId: string } };

  const message = await chat.addOutput(question.data.toolCallId, "red");

  expect(textOf(message)).toBe("Red it is.");
  expect(message.parts.find(({ type }) => type === "data-question")).toMatchObject({ data: { isAnswered: true } });
});

test("every chunk is one the AI SDK knows, however a run ends", async () => {
  const ends = [
    newEngine({ provider: scripted([toolCall("look"), text("Done.")]) }).stream("a"),
    newEngine({ provider: scripted([toolCall("deploy")]) }).stream("b"),
    newEngine({ provider: scripted([new Error("no")]), retry: false }).stream("c"),
    newEngine({ provider: scripted([toolCall("look")]), limits: { maxTurns: 1 } }).stream("d"),
  ];
  const finishes = [];
  for (const run of ends) finishes.push((await expectValid(toUiMessageStream(run))).at(-1));

  expect(finishes).toMatchObject([
    { type: "finish", finishReason: "stop" },
    { type: "finish", finishReason: "tool-calls" },
    { type: "finish", finishReason: "error" },
    { type: "finish", finishReason: "length" },
  ]);
});

test("a run whose first events are gone is shown from its session", async () => {
  const engine = newEngine({ provider: scripted([toolCall("look"), text("Done.")]) });
  const hub = createRunHub({ engine, maxEvents: 3 });
  const run = hub.start("go");
  await run.idle;

  const chunks = await expectValid(toUiMessageStream(run));

  expect(chunks).toContainEqual({ type: "tool-output-available", toolCallId: expect.any(String), output: "Seen." });
  expect(chunks).toContainEqual(expect.objectContaining({ type: "text-delta", delta: "Done." }));
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
});

test("the response carries the header that useChat looks for", () => {
  const run = newEngine({ provider: scripted([text("Hi.")]) }).stream("hi");

  expect(toResponse(run, { format: "ui-messages" }).headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
});

test("a client that falls behind what the hub keeps is told so, instead of shown a gap", async () => {
  const hub = createRunHub({ engine: newEngine({ provider: talking(40) }), maxEvents: 5 });
  const run = hub.start("go");
  const stream = toUiMessageStream(run);
  await run.idle;

  const chunks = await expectValid(stream);

  expect(chunks.at(-1)).toMatchObject({ type: "error", errorText: expect.stringContaining("EVENTS_GONE") });
});
