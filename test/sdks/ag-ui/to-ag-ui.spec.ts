import { HttpAgent } from "@ag-ui/client";
import { EventSchema } from "@ag-ui/core/schemas";
import { afterEach, expect, test } from "vitest";
import { createRunHub, readPrompt, toAgUi, toAgUiMessages, toResponse } from "../../../src/http/index.js";
import { type AgentEngine, ToolRegistry } from "../../../src/index.js";
import { withPrograms } from "../../../src/programs/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { cutOff, deploy, look, newEngine, stumbling } from "../../http/agents.js";
import { allEvents, serve } from "../../http/loopback.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server as the guide shows it, and AG-UI's own client, which checks the order of the events. */
async function agentOf(engine: AgentEngine): Promise<HttpAgent> {
  const server = await serve(async (request) => {
    const { sessionId, input, answers } = await readPrompt(request);
    const run = answers.length > 0 ? engine.resume(sessionId!, { answers }) : engine.stream(input, { sessionId });
    return toResponse(run, { format: "ag-ui", threadId: sessionId, heartbeatMs: 1 });
  });
  closing.push(server.close);
  return new HttpAgent({ url: server.url, threadId: "thread-1" });
}

function say(agent: HttpAgent, words: string) {
  agent.addMessage({ id: `user-${agent.messages.length}`, role: "user", content: words });
  return agent.runAgent();
}

const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "Work." });
const task = toolCall("task", { description: "do it", prompt: "Deploy.", subagent_type: "worker" });

test("AG-UI's client reads text, tool calls and their results", async () => {
  const agent = await agentOf(newEngine({ provider: scripted([["Let me look.", toolCall("look")], text("Done.")]) }));

  await say(agent, "Look.");

  const [, first, ...rest] = agent.messages;
  expect(first).toMatchObject({ role: "assistant", content: "Let me look." });
  expect(agent.messages.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []) : []))).toMatchObject([
    { function: { name: "look", arguments: "{}" } },
  ]);
  expect(rest.find(({ role }) => role === "tool")).toMatchObject({ content: "Seen." });
  expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." });
});

test("a call's arguments stream in, and make one call", async () => {
  const turn = { toolCalls: [toolCall("look", { where: "behind the door" })], argumentChunkSize: 8 };
  const engine = newEngine({ provider: scripted([turn, text("Done.")]) });
  const events = (await allEvents(toAgUi(engine.stream("Look.")))).map(({ data }) => data);
  const agent = await agentOf(newEngine({ provider: scripted([turn, text("Done.")]) }));

  await say(agent, "Look.");

  const ofCall = events.filter(({ type }) => type.startsWith("TOOL_CALL_"));
  expect(ofCall[0]).toMatchObject({ type: "TOOL_CALL_START", toolCallName: "look" });
  expect(ofCall.filter(({ type }) => type === "TOOL_CALL_ARGS").length).toBeGreaterThan(2);
  expect(ofCall.filter(({ type }) => type === "TOOL_CALL_END")).toHaveLength(1);
  const calls = agent.messages.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []) : []));
  expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([{ where: "behind the door" }]);
});

test("a model call that begins again says which calls are void", async () => {
  const events = (
    await allEvents(toAgUi(newEngine({ provider: scripted([cutOff, text("Done.")]) }).stream("Look.")))
  ).map(({ data }) => data);
  const agent = await agentOf(newEngine({ provider: scripted([cutOff, text("Done.")]) }));

  await say(agent, "Look.");

  expect(events.find(({ name }) => name === "model-restart")).toMatchObject({ value: { toolCallIds: ["c"] } });
  expect(events.filter(({ type }) => type === "TOOL_CALL_RESULT")).toHaveLength(1);
  expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." });
});

test.each([
  [{ approved: true }, "Deployed."],
  [{ approved: false, reason: "Not on Friday." }, expect.stringContaining("Not on Friday.")],
])("an interrupt answered with %o continues the run", async (payload, output) => {
  const agent = await agentOf(newEngine({ provider: scripted([toolCall("deploy"), text("That is it.")]) }));
  await say(agent, "Deploy.");
  const [interrupt] = agent.pendingInterrupts;
  expect(interrupt).toMatchObject({ reason: "tool_call", metadata: { tool: "deploy" } });

  await agent.runAgent({ resume: [{ interruptId: interrupt!.id, status: "resolved", payload }] });

  expect(agent.messages.find(({ role }) => role === "tool")).toMatchObject({ content: output });
  expect(agent.messages.at(-1)).toMatchObject({ content: "That is it." });
  const calls = agent.messages.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []) : []));
  expect(calls).toHaveLength(1);
});

test("sub-agents are attributed, and their questions reach the client", async () => {
  const engine = newEngine({
    provider: scripted([task, toolCall("deploy"), text("Child done."), text("All done.")]),
    tools: [deploy, ...createSubagentTools({ subagents: [worker] })],
  });
  const agent = await agentOf(engine);
  await say(agent, "Go.");
  const [interrupt] = agent.pendingInterrupts;

  await agent.runAgent({ resume: [{ interruptId: interrupt!.id, status: "resolved", payload: { approved: true } }] });

  expect(agent.messages.at(-1)).toMatchObject({ content: "All done." });
  const ofChild = agent.messages.find((message) => message.role === "assistant" && message.content === "Child done.");
  expect(ofChild).toMatchObject({ subagentRunId: expect.any(String) });
});

test("every event has the shape of the protocol, however a run ends", async () => {
  const options = { tools: [deploy, ...createSubagentTools({ subagents: [worker] })] };
  const ends = [
    newEngine({ provider: scripted([toolCall("look"), text("Done.")]) }).stream("a"),
    newEngine({ provider: scripted([task, toolCall("deploy")]), ...options }).stream("b"),
    newEngine({ provider: scripted([new Error("no")]), retry: false }).stream("c"),
    newEngine({ provider: scripted([{ reasoning: "Hm.", text: "x" }]) }).stream("d"),
  ];
  const last = [];
  for (const run of ends) {
    const events = (await allEvents(toAgUi(run))).map(({ data }) => data);
    for (const event of events) expect(EventSchema.safeParse(event)).toMatchObject({ success: true });
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: run.sessionId, runId: run.id });
    last.push(events.at(-1));
  }

  expect(last).toMatchObject([
    { type: "RUN_FINISHED", outcome: { type: "success" }, result: { status: "completed" } },
    { type: "RUN_FINISHED", outcome: { type: "interrupt", interrupts: [{ id: expect.any(String) }] } },
    { type: "RUN_ERROR", code: "PROVIDER_FAILED" },
    { type: "RUN_FINISHED" },
  ]);
});

test("where a model call begins again, the client learns which messages are void", async () => {
  const engine = newEngine({ provider: stumbling(), retry: { baseMs: 1 } });
  const events = (await allEvents(toAgUi(engine.stream("Go.")))).map(({ data }) => data);
  const agent = await agentOf(newEngine({ provider: stumbling(), retry: { baseMs: 1 } }));

  await say(agent, "Go.");

  const first = events.find(({ type }) => type === "TEXT_MESSAGE_START");
  expect(events.find(({ name }) => name === "model-restart")).toMatchObject({
    value: { messageIds: [first.messageId] },
  });
  expect(agent.messages.at(-1)).toMatchObject({ content: "Right" });
});

test("a run whose first events are gone is shown from its session", async () => {
  const hub = createRunHub({
    engine: newEngine({ provider: scripted([toolCall("look"), text("Done.")]) }),
    maxEvents: 3,
  });
  const run = hub.start("go");
  await run.idle;

  const events = (await allEvents(toAgUi(run))).map(({ data }) => data);

  expect(events).toContainEqual(expect.objectContaining({ type: "TOOL_CALL_RESULT", content: "Seen." }));
  expect(events).toContainEqual(expect.objectContaining({ type: "TEXT_MESSAGE_CONTENT", delta: "Done." }));
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
});

test("a stored session is what AG-UI's client has after the same chat, approvals included", async () => {
  const sessions = createMemorySessionStore();
  const thoughtful = [{ reasoning: "Hm." }, "Let me look.", toolCall("look"), toolCall("deploy")];
  const provider = scripted([thoughtful as never, ["More.", toolCall("look")], text("Done."), text("Bye.")]);
  const agent = await agentOf(newEngine({ provider, sessions }));
  const same = async () => {
    const { messages } = await toAgUiMessages(sessions.read("thread-1"));
    const without = ({ id, ...rest }: { readonly id: string; readonly role: string }) =>
      JSON.parse(JSON.stringify(rest.role === "user" ? rest : { id, ...rest }));
    expect(messages.map(without)).toEqual(agent.messages.map(without));
    return messages;
  };

  await say(agent, "Look.");
  await same();
  const [interrupt] = agent.pendingInterrupts;
  await agent.runAgent({ resume: [{ interruptId: interrupt!.id, status: "resolved", payload: { approved: true } }] });
  await same();
  await say(agent, "Thanks.");

  const roles = (await same()).map(({ role }) => role);
  expect(roles.slice(0, 3)).toEqual(["user", "reasoning", "assistant"]);
  expect(roles.filter((role) => role === "tool")).toHaveLength(3);
});

test("the calls of a program say in their metadata which call they are part of, live and stored alike", async () => {
  const sessions = createMemorySessionStore();
  const program =
    "await tools.look({ at: 1 }); await Promise.all([tools.look({ at: 2 }), tools.deploy({})]); await tools.look({ at: 3 });";
  const provider = scripted([toolCall("run_program", { program }), text("Done.")]);
  const tools = withPrograms(new ToolRegistry([deploy, look]));
  const agent = await agentOf(newEngine({ provider, tools, sessions }));
  const same = async () => {
    const { messages } = await toAgUiMessages(sessions.read("thread-1"), { sessionId: "thread-1", sessions });
    const without = ({ id, ...rest }: { readonly id: string; readonly role: string }) =>
      JSON.parse(JSON.stringify(rest.role === "user" ? rest : { id, ...rest }));
    expect(messages.map(without)).toEqual(agent.messages.map(without));
  };

  await say(agent, "Go.");
  await same();
  const [interrupt] = agent.pendingInterrupts;
  await agent.runAgent({ resume: [{ interruptId: interrupt!.id, status: "resolved", payload: { approved: true } }] });
  await same();

  const calls = agent.messages.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []) : []));
  expect(calls.map(({ function: { name } }) => name)).toEqual(["run_program", "look", "look", "deploy", "look"]);
  const [run, ...inner] = calls;
  for (const call of inner) expect(call).toMatchObject({ metadata: { within: run!.id } });
  expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
    { program },
    { at: 1 },
    { at: 2 },
    {},
    { at: 3 },
  ]);
});
