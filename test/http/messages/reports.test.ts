// What users of chats have reported, replayed with the AI SDK's own client over the routes.
import type { UIMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { createChatRoutes } from "../../../src/http/index.js";
import type { ProviderAdapter } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { gate, newEngine, talking } from "../agents.js";
import { serve } from "../loopback.js";
import { Page, saidOf } from "../page-client.js";

async function open(provider: ProviderAdapter) {
  const engine = newEngine({ provider, sessions: createMemorySessionStore() });
  const routes = createChatRoutes({ engine, identify: () => ({ id: "ann" }), authorize: () => true });
  const server = await serve(routes.handle);
  onTestFinished(server.close);
  const stored = async () => {
    const response = await fetch(`${server.url}/chat/chat-1`);
    return ((await response.json()) as { messages: UIMessage[] }).messages;
  };
  return { url: server.url, stored, page: new Page(server.url) };
}

const textsOf = (messages: readonly UIMessage[]) => saidOf(messages).map((one) => one.text);

test("regenerate and an edited message put no second copy of the prompt into the session", async () => {
  const provider = scripted([text("One."), text("Two."), text("Three.")]);
  const { page, stored } = await open(provider);
  await page.say("A river?");
  await page.regenerate();
  await page.say("A lake?", page.messages[0]!.id);

  expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
  expect(textsOf(await stored())).toEqual(["A lake?", "Three."]);
});

test("an old chat is not empty when it is opened, and a new one with resume shows no error", async () => {
  const { page, url, stored } = await open(scripted([text("One.")]));
  await page.resumeStream();
  expect([page.error, page.messages]).toEqual([undefined, []]);
  await page.say("A river?");

  const opened = new Page(url, await stored());
  await opened.resumeStream();

  expect(opened.error).toBeUndefined();
  expect(textsOf(opened.messages)).toEqual(["A river?", "One."]);
});

test("a page that is reloaded in the middle of an answer shows both halves once", async () => {
  const [begun, held] = [gate(), gate()];
  const { page, url, stored } = await open(
    talking(4, (word) => {
      if (word < 2) return;
      begun.open();
      return held.opened;
    }),
  );
  const sent = page.say("Talk.");
  await begun.opened;
  const reloaded = new Page(url, await stored());
  const resumed = reloaded.resumeStream();
  await expect.poll(() => textsOf(reloaded.messages)[1], { timeout: 60_000 }).toBe("0 1 ");
  held.open();
  await Promise.all([sent, resumed]);

  expect(textsOf(reloaded.messages)).toEqual(["Talk.", "0 1 2 3 "]);
  expect(textsOf(page.messages)).toEqual(textsOf(reloaded.messages));
});

test("stop ends the run, and the next message meets no conflict", async () => {
  const [begun, held] = [gate(), gate()];
  const { page, url } = await open(
    talking(2, (word) => {
      if (word === 0) return;
      begun.open();
      return held.opened;
    }),
  );
  const sent = page.say("Talk.");
  await begun.opened;
  await page.stop();
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/chat/chat-1/stop`, { method: "POST", headers, body: "{}" });
  held.open();
  await sent;
  await page.say("And now?");

  expect(page.error).toBeUndefined();
  expect(textsOf(page.messages).at(-1)).toBe("0 1 ");
});

test("an approval goes on in the same message, also on a page that was opened since", async () => {
  const { page, url, stored } = await open(scripted([[text("I deploy it."), toolCall("deploy")], text("It is live.")]));
  await page.say("Deploy.");

  const opened = new Page(url, await stored());
  const asked = opened.messages[1]!.parts.find((part) => "approval" in part) as { approval: { id: string } };
  await opened.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await opened.sendMessage();

  expect(opened.error).toBeUndefined();
  expect(opened.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(textsOf(opened.messages)).toEqual(["Deploy.", "I deploy it.It is live."]);
  expect(saidOf(await stored())).toEqual(saidOf(opened.messages));
});
