// A page of useChat's own client that is reloaded, or answers a question, while the message it shows is not finished.
import { isToolUIPart, type UIMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { createChatRoutes, createRunHub } from "../../../src/http/index.js";
import { defineTool, type EngineOptions, type SessionEntry, type SessionStore } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { gate, look, newEngine } from "../agents.js";
import { serve } from "../loopback.js";
import { Page } from "../page-client.js";

const sessionId = "chat-1";

async function open(turns: readonly unknown[], tools: EngineOptions["tools"], sessions: SessionStore) {
  const hub = createRunHub({ engine: newEngine({ provider: scripted(turns as never), sessions, tools }) });
  const routes = createChatRoutes({ engine: hub, identify: () => ({ id: "ann" }), authorize: () => true });
  const server = await serve(routes.handle);
  onTestFinished(server.close);
  const stored = async (): Promise<UIMessage[]> =>
    ((await (await fetch(`${server.url}/chat/${sessionId}`)).json()) as { messages: UIMessage[] }).messages;
  return { hub, stored, page: (messages?: UIMessage[]) => new Page(server.url, messages) };
}

/** A tool that does not end before `end` is called. */
const held = (permission: "execute" | "read_only" = "execute") => {
  const { opened, open: end } = gate();
  const started = gate();
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys.",
    permission,
    execute: async () => {
      started.open();
      await opened;
      return "Live.";
    },
  });
  return { deploy, started: started.opened, end };
};

const worker = defineSubagent({
  name: "worker",
  description: "Works.",
  systemPrompt: "Work.",
  tools: ["deploy", "ask_user"],
});
const delegate = toolCall("task", { subagent_type: "worker", prompt: "Work." });
const workerTools = createSubagentTools({ subagents: [worker] });

const callsOf = (messages: readonly UIMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (isToolUIPart(part) ? [`${part.type} ${part.state}`] : [])));
const textsOf = (messages: readonly UIMessage[]) =>
  messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""));

/** Reloads the page in the run that an answer began, and sends one more message when that run has ended. */
async function reloadedIn(chat: Awaited<ReturnType<typeof open>>, end: () => void) {
  const kept = await chat.stored();
  const reloaded = chat.page(structuredClone(kept));
  const resumed = reloaded.resumeStream();
  while (callsOf(reloaded.messages).length === 0 || reloaded.status !== "streaming")
    await new Promise((resolve) => setTimeout(resolve, 2));
  end();
  await resumed;
  const [shown, now] = [structuredClone(reloaded.messages), await chat.stored()];
  await reloaded.say("And now?");
  return { kept, shown, now, reloaded };
}

test.each([
  { of: "the agent", before: [["Going. ", toolCall("deploy")]], after: [text("Done.")], is: 1 },
  {
    of: "a sub-agent",
    before: [["Going. ", delegate], toolCall("deploy")],
    after: [text("I did."), text("Done.")],
    is: 2,
  },
])("a page that is reloaded after it approved a call of $of goes on with the one message", async (one) => {
  const { deploy, started, end } = held();
  const turns = [...one.before, ...one.after, text("Next.")];
  const chat = await open(turns, [deploy, ...workerTools], createMemorySessionStore());
  const first = chat.page();
  await first.say("Deploy.");
  const asked = first.messages.at(-1)!.parts.find((part) => isToolUIPart(part) && part.state === "approval-requested");
  const { approval } = asked as { approval: { id: string } };
  void first.addToolApprovalResponse({ id: approval.id, approved: true });
  void first.sendMessage();
  await started;

  const { kept, shown, now, reloaded } = await reloadedIn(chat, end);

  expect(callsOf(kept)).toContain("tool-deploy approval-responded");
  expect(textsOf(shown)).toEqual(["Deploy.", "Going. Done."]);
  expect(callsOf(shown)).toHaveLength(one.is);
  expect(callsOf(shown)).toContain("tool-deploy output-available");
  expect(shown.map(({ id }) => id)).toEqual(now.map(({ id }) => id));
  expect(textsOf(now)).toEqual(textsOf(shown));
  expect(reloaded.error).toBeUndefined();
  expect(textsOf(reloaded.messages)).toEqual(["Deploy.", "Going. Done.", "And now?", "Next."]);
});

test("a page that is loaded after a crash, when the run goes on, shows one message for it", async () => {
  const sessions = createMemorySessionStore();
  const killed = held("read_only");
  const turns = [
    ["One. ", toolCall("look")],
    ["Two. ", toolCall("deploy")],
  ];
  const before = await open(turns, [look, killed.deploy], sessions);
  const run = await before.hub.send({ sessionId, input: "Go.", answers: [] });
  await killed.started;
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(sessionId)) entries.push(entry);
  run.abort();
  killed.end();
  const copy = createMemorySessionStore();
  await copy.append(sessionId, entries);
  const { deploy, started, end } = held("read_only");
  const chat = await open(
    [["Two. ", toolCall("deploy", {}, { id: "later" })], text("Three."), text("Next.")],
    [look, deploy],
    copy,
  );
  await chat.hub.answer([], { sessionId });
  await started;

  const { shown, now, reloaded } = await reloadedIn(chat, end);

  expect(textsOf(shown)).toEqual(["Go.", "One. Two. Three."]);
  expect(textsOf(now)).toEqual(textsOf(shown));
  expect(shown.map(({ id }) => id)).toEqual(now.map(({ id }) => id));
  expect(textsOf(reloaded.messages)).toEqual(["Go.", "One. Two. Three.", "And now?", "Next."]);
});

test.each(["live", "reloaded"])(
  "a sub-agent's question is answered by its toolCallId, on a page that is %s",
  async (is) => {
    const ask = toolCall("ask_user", { question: "Colour?", free_text: true });
    const heard = ({ lastToolResult }: { lastToolResult?: { output: unknown } | undefined }) =>
      text(`${lastToolResult?.output}!`);
    const chat = await open(
      [delegate, ask, heard, heard],
      [createAskUserTool(), ...workerTools],
      createMemorySessionStore(),
    );
    const first = chat.page();
    await first.say("Go.");
    const page = is === "live" ? first : chat.page(await chat.stored());
    const question = page.messages.at(-1)!.parts.find(({ type }) => type === "data-question");
    const { toolCallId } = (question as unknown as { data: { toolCallId: string } }).data;
    expect(callsOf(page.messages)).toContain("tool-ask_user input-available");

    await page.addToolOutput({ tool: "ask_user", toolCallId, output: "Blue" } as never);
    await page.sendMessage();

    expect(page.error).toBeUndefined();
    expect(textsOf(page.messages)).toEqual(["Go.", "Blue!!"]);
    expect(callsOf(page.messages)).toEqual(["tool-task output-available", "tool-ask_user output-available"]);
  },
);
