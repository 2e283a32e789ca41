import type { UIMessage } from "ai";
import fc from "fast-check";
import { createChatRoutes, createRunHub, type RunSource, toUiMessageStream, toUiMessages } from "loopwright/http";
import { withPrograms } from "loopwright/programs";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { expect, onTestFinished, test } from "vitest";
import { defineTool, type SessionStore, ToolRegistry } from "../../../src/index.js";
import { runs } from "../../runs.js";
import { deploy, gate, look, newEngine } from "../agents.js";
import { allEvents, serve } from "../loopback.js";
import { Page, serveChat } from "../page-client.js";
import { chatWith } from "../views/chat-client.js";

const program = (source: string) => toolCall("run_program", { program: source });
const LOOKS = "for (const at of [1, 2]) await tools.look({ at });";
const DEPLOYS = "await Promise.all([tools.look({}), tools.deploy({})]);";

function programEngine(turns: readonly unknown[]) {
  const sessions = createMemorySessionStore();
  const tools = withPrograms(new ToolRegistry([deploy, look]));
  return { sessions, engine: newEngine({ provider: scripted(turns as never), tools, sessions }) };
}

interface ToolPart {
  readonly toolCallId: string;
  readonly state: string;
  readonly approval?: object;
  readonly callProviderMetadata?: { readonly loopwright: { readonly within: string } };
}

const partsOf = (messages: readonly { readonly parts: readonly object[] }[]) =>
  messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => "toolCallId" in part));

const comparable = (messages: readonly object[]) =>
  JSON.parse(
    JSON.stringify(messages, (key, value) => (key === "costUsd" || key === "requestReason" ? undefined : value)),
  ).map(({ role, metadata, parts }: Record<string, unknown>) => ({ role, metadata, parts }));

async function expectSame(sessions: SessionStore, live: readonly UIMessage[]): Promise<void> {
  const { messages } = await toUiMessages(sessions.read("chat-1"), { sessionId: "chat-1", sessions });
  expect(comparable(messages)).toEqual(comparable(live));
}

test("the calls of a program are parts that say within which call, live and stored alike", async () => {
  const { engine, sessions } = programEngine([program(`${LOOKS} return "seen";`), text("Done.")]);
  const chat = await chatWith(engine);

  await chat.say("Look.");

  const [run, ...inner] = partsOf(chat.messages);
  expect(run).not.toHaveProperty("callProviderMetadata");
  expect(inner.map(({ toolCallId, callProviderMetadata }) => [toolCallId, callProviderMetadata])).toEqual(
    [1, 2].map((wave) => [`${run!.toolCallId}.${wave}.1`, { loopwright: { within: run!.toolCallId } }]),
  );
  await expectSame(sessions, chat.messages);
});

const pieces = fc.array(fc.constantFrom(LOOKS, DEPLOYS, "try { await tools.deploy({ n: 1 }) } catch {}"), {
  minLength: 1,
  maxLength: 3,
});
const chats = fc.array(fc.record({ pieces, allows: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 2,
});

test("a stored chat with programs is what a client has after it, at each question and at the end", async () => {
  await fc.assert(
    fc.asyncProperty(chats, async (asked) => {
      const turns = asked.flatMap((one) => [program(one.pieces.join("\n")), text("Done.")]);
      const { engine, sessions } = programEngine(turns);
      const chat = await chatWith(engine);
      for (const { allows } of asked) {
        await chat.say("Go.");
        for (const allow of allows) {
          await expectSame(sessions, chat.messages);
          if (!partsOf(chat.messages).some(({ state }) => state === "approval-requested")) break;
          await chat.approve(allow);
        }
        await expectSame(sessions, chat.messages);
      }
      await engine.close();
    }),
    { numRuns: runs(4, 15, 300) },
  );
});

test("the page of a stored chat answers what a program asks, and goes on", async () => {
  const { engine } = programEngine([program(`${DEPLOYS} return "up";`), text("It is up."), text("Bye.")]);
  const routes = createChatRoutes({ engine, identify: () => ({ id: "ann" }), authorize: () => true });
  const server = await serve(routes.handle);
  onTestFinished(server.close);
  const before = new Page(server.url);
  await before.say("Deploy.");

  const { messages } = (await (await fetch(`${server.url}/chat/chat-1`)).json()) as { messages: UIMessage[] };
  const after = new Page(server.url, messages);
  const [question] = partsOf(after.messages).filter(({ approval }) => approval !== undefined);
  expect(question).toMatchObject({ state: "approval-requested", toolCallId: expect.stringMatching(/\.1\.2$/) });
  expect(partsOf(after.messages)).toHaveLength(3);
  await after.addToolApprovalResponse({ id: Object(question!.approval).id, approved: true });
  await after.sendMessage();
  await after.say("Thanks.");

  expect(after.messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))).toEqual(
    [["Deploy."], ["It is up."], ["Thanks."], ["Bye."]],
  );
  expect(partsOf(after.messages).map(({ state }) => state)).toEqual(Array(3).fill("output-available"));
});

test("a page that shows the calls of a program is where its session is", async () => {
  const { engine } = programEngine([program(LOOKS), text("One."), text("Two."), text("Three.")]);
  const page = new Page(await serveChat(createRunHub({ engine })));

  await page.say("First.");
  await page.say("Second.");
  await page.say("Second, in other words.", page.messages[2]!.id);

  expect(page.error).toBeUndefined();
  expect(page.messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))).toEqual([
    ["First."],
    ["One."],
    ["Second, in other words."],
    ["Three."],
  ]);
});

test("a client whose events are gone gets from the session what a program has called, and then what it calls", async () => {
  const [begun, held] = [gate(), gate()];
  const execute = async () => {
    begun.open();
    await held.opened;
    return "waited";
  };
  const wait = defineTool({ name: "wait", description: "Waits.", permission: "none", execute });
  const engine = newEngine({
    provider: scripted([program(`${LOOKS} await tools.wait({}); return "seen";`), text("Done.")]),
    tools: withPrograms(new ToolRegistry([look, wait])),
    sessions: createMemorySessionStore(),
  });
  const hub = createRunHub({ engine, maxEvents: 1 });
  const run = hub.start("go");
  const shown = async (source: RunSource) => (await allEvents(toUiMessageStream(source))).map(({ data }) => data);
  await begun.opened;

  const meanwhile = shown(hub.subscribe(run.id, 1));
  held.open();
  await run.result;

  for (const chunks of [await meanwhile, await shown(hub.subscribe(run.id, 1))]) {
    const idsOf = (type: string) => chunks.filter((chunk) => chunk.type === type).map(({ toolCallId }) => toolCallId);
    const [p] = idsOf("tool-input-available");
    const inner = [1, 2, 3].map((wave) => `${p}.${wave}.1`);
    expect(idsOf("tool-input-available")).toEqual([p, ...inner]);
    expect(idsOf("tool-output-available")).toEqual([...inner, p]);
  }
});
