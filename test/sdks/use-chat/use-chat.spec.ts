import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createRunHub, type RunHubOptions, readPrompt, toErrorResponse, toResponse } from "../../../src/http/index.js";
import { AgentEngine, type ProviderAdapter } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createAskUserTool } from "../../../src/tools/index.js";
import { openChromium } from "../../browser/chromium.js";
import { deploy, gate, look, talking } from "../../http/agents.js";
import { serve } from "../../http/loopback.js";

let context: BrowserContext;
let closeBrowser: (() => Promise<void>) | undefined;
let script = "";
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const entry = fileURLToPath(new URL("use-chat-page.jsx", import.meta.url));
  const define = { "process.env.NODE_ENV": '"production"' };
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false, define });
  script = outputFiles[0]!.text;
  ({ context, close: closeBrowser } = await openChromium());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => closeBrowser?.());

/** A page with `useChat`, and a server as the guide shows it. */
async function openChat(provider: ProviderAdapter, options: Partial<RunHubOptions> = {}) {
  const engine = new AgentEngine({ provider, tools: [deploy, look, createAskUserTool()] });
  const hub = createRunHub({ engine, ...options });
  const format = "ui-messages";
  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("<!doctype html><body><script src='/app.js'></script>", HTML);
    if (pathname === "/app.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    try {
      const resumed = /^\/chat\/(.+)\/stream$/.exec(pathname)?.[1];
      const running = resumed && hub.findRunning(resumed);
      if (request.method === "GET")
        return running ? toResponse(running, { format }) : new Response(null, { status: 204 });
      return toResponse(await hub.send(await readPrompt(request)), { format });
    } catch (error) {
      return toErrorResponse(error);
    }
  });
  const page = await context.newPage();
  closing.push(server.close, () => page.close());
  page.setDefaultTimeout(45_000);
  await page.goto(server.url);
  return { page, hub, url: server.url };
}

const HTML = { headers: { "content-type": "text/html" } };
const ready = (page: Page) => page.locator("main[data-status=ready]").waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

test.each([
  ["Approve", "output-available", "Deployed."],
  ["Deny", "output-denied", ""],
])(
  "useChat sends the approval %s by itself, and the answer goes on in the same message",
  async (name, state, output) => {
    const turn = { text: "I will.", toolCalls: [toolCall("deploy", { to: "production" })], argumentChunkSize: 4 };
    const { page } = await openChat(scripted([turn, text("That is it.")]));
    await press(page, "Say deploy");
    await page.locator("[data-state=approval-requested]").waitFor();
    await press(page, name);
    await page.getByText("That is it.").waitFor();
    await ready(page);

    const call = page.locator("[data-state]");
    expect(await call.count()).toBe(1);
    expect(await call.getAttribute("data-state")).toBe(state);
    expect(await call.locator("code").textContent()).toBe('{"to":"production"}');
    expect(await call.locator("output").textContent()).toBe(output);
    expect(await page.locator("article").count()).toBe(2);
  },
);

test("useChat shows a call's arguments while they stream", async () => {
  const held = gate();
  const provider: ProviderAdapter = {
    id: "slow",
    model: "slow",
    async *stream({ messages }) {
      yield { type: "message-start" };
      if (messages.length === 1) {
        yield { type: "tool-call-start", index: 0, id: "c", name: "look" };
        yield { type: "tool-call-delta", index: 0, json: '{"where":"behind' };
        await held.opened;
        yield { type: "tool-call-delta", index: 0, json: ' the door"}' };
        yield {
          type: "tool-call-end",
          index: 0,
          call: { id: "c", name: "look", arguments: { where: "behind the door" } },
        };
      } else yield { type: "text-delta", text: "Done." };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  const { page } = await openChat(provider);
  await press(page, "Say write");

  await page.locator("[data-state=input-streaming]", { hasText: '{"where":"behind"}' }).waitFor();
  held.open();
  await page.locator("[data-state=output-available]", { hasText: '{"where":"behind the door"}' }).waitFor();
  await page.getByText("Done.").waitFor();
});

test("a page of useChat that was reloaded goes on with the run", async () => {
  const held = gate();
  const { page, url } = await openChat(talking(20, (word) => (word === 10 ? held.opened : undefined)));
  await press(page, "Say write");
  await page.getByText("0 1 2 3 4 5 6 7 8 9").waitFor();

  await page.goto("about:blank");
  await page.goto(`${url}/#resume`);
  await page.getByText("0 1 2 3 4 5 6 7 8 9").waitFor();
  held.open();

  await page.getByText("17 18 19").waitFor();
  await ready(page);
});

test("useChat answers a question of ask_user", async () => {
  const provider = scripted([toolCall("ask_user", { question: "Which colour?" }), text("It is blue.")]);
  const { page } = await openChat(provider);
  await press(page, "Say write");
  await press(page, "Which colour?");

  await page.getByText("It is blue.").waitFor();
  expect(await page.locator("[data-state] output").textContent()).toBe("blue");
});

test("a run that is refused is an error of the request, with the status that fits", async () => {
  const held = gate();
  const { page, hub } = await openChat(
    talking(3, () => held.opened),
    { whenBusy: "refuse" },
  );
  const run = hub.start("Somebody else.", { sessionId: "chat-1" });
  await run.started;
  const refused = page.waitForResponse((response) => response.url().endsWith("/chat"));
  await press(page, "Say write");

  expect((await refused).status()).toBe(409);
  await page.locator("#error", { hasText: "SESSION_BUSY" }).waitFor();
  held.open();
  await run.result;
});
