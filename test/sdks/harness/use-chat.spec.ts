// `useChat` in a browser over `HarnessAgent`, by the route of the guide. Every request is served by another instance, which has the
// session store and, as JSON, the state that the one before returned.
import { fileURLToPath } from "node:url";
import { tool } from "ai";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import type { ProviderAdapter } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { openChromium } from "../../browser/chromium.js";
import { blocksOf, readPage } from "../../docs/pages.js";
import { deploy } from "../../http/agents.js";
import { serve } from "../../http/loopback.js";
import { moduleOf } from "./guide-code.js";
import { newDirectory, newHost } from "./hosts.js";

let context: BrowserContext;
let closeBrowser: (() => Promise<void>) | undefined;
let script = "";
let areApprovalsAnswered = "";
let createRoute: (createAgent: () => unknown, states: object) => (request: Request) => Promise<Response>;

beforeAll(async () => {
  const entry = fileURLToPath(new URL("../use-chat/use-chat-page.jsx", import.meta.url));
  const define = { "process.env.NODE_ENV": '"production"' };
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false, define });
  script = outputFiles[0]!.text;
  const blocks = blocksOf(readPage("docs/guides/your-agent-behind-the-ai-sdk.md"));
  const codeWith = (words: string) => blocks.find(({ code }) => code.includes(words))!.code;
  ({ createRoute } = await import(await moduleOf(codeWith("createUIMessageStreamResponse"))));
  areApprovalsAnswered = codeWith("areApprovalsAnswered").replace(
    "export function",
    "window.areApprovalsAnswered = function",
  );
  ({ context, close: closeBrowser } = await openChromium());
});
afterAll(async () => closeBrowser?.());

const weather = tool({
  description: "Says what the weather is.",
  inputSchema: z.object({ place: z.string() }),
  execute: async ({ place }) => `Rain in ${place}.`,
});

const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Deploy.", tools: ["deploy"] });

async function openChat(provider: ProviderAdapter, { toolApproval = {}, pageScript = "" } = {}) {
  const place = { directory: newDirectory() };
  const states = new Map<string, object>();
  const agent = { tools: { weather }, permissionMode: "allow-edits", toolApproval };
  const tools = [deploy, ...createSubagentTools({ subagents: [helper] })];
  const createAgent = () => newHost(place, { provider, engine: { tools }, agent }).host;
  const chat = createRoute(createAgent, {
    get: (id: string) => states.get(id),
    set: (id: string, state: object) => states.set(id, JSON.parse(JSON.stringify(state))),
  });
  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("<!doctype html><body><script src='/app.js'></script>", HTML);
    if (pathname === "/app.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    return request.method === "POST" ? chat(request) : new Response(null, { status: 404 });
  });
  const page = await context.newPage();
  onTestFinished(async () => {
    await page.close();
    await server.close();
  });
  page.setDefaultTimeout(180_000);
  await page.addInitScript(pageScript);
  await page.goto(server.url);
  return { page, states };
}

const HTML = { headers: { "content-type": "text/html" } };
const ready = (page: Page) => page.locator("main[data-status=ready]").waitFor();
const outputs = (page: Page) => page.locator("[data-state] output").allTextContents();
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

test.each([
  ["Approve", "output-available", "Deployed."],
  ["Deny", "output-error", ""],
])("useChat shows what the agent asks, and %s reaches the call in another instance", async (name, state, output) => {
  const turn = [text("I will."), toolCall("deploy", { to: "production" })];
  const { page } = await openChat(scripted([turn, text("That is it.")]));
  await press(page, "Say deploy");
  await page.locator("[data-state=approval-requested]").waitFor();
  await ready(page);
  await press(page, name);
  await page.getByText("That is it.").waitFor();
  await ready(page);

  const call = page.locator("[data-state]");
  expect(await call.getAttribute("data-state")).toBe(state);
  expect(await call.locator("code").textContent()).toBe('{"to":"production"}');
  expect(await call.locator("output").textContent()).toBe(output);
  expect(await page.locator("article").count()).toBe(2);
});

test("two approvals of one step are asked and answered one after the other", async () => {
  const turn = [toolCall("deploy", { to: "staging" }), toolCall("deploy", { to: "production" })];
  const { page } = await openChat(scripted([turn, text("That is it.")]));
  await press(page, "Say deploy");
  await page.locator("[data-state=approval-requested]", { hasText: "staging" }).waitFor();
  await ready(page);
  await press(page, "Approve");
  await page.locator("[data-state=approval-requested]", { hasText: "production" }).waitFor();
  await ready(page);
  await press(page, "Deny");
  await page.getByText("That is it.").waitFor();
  await ready(page);

  expect(await outputs(page)).toEqual(["Deployed.", "Waiting for an approval.", ""]);
  expect(await page.locator("[data-state]").last().getAttribute("data-state")).toBe("output-error");
});

test("an approval of a tool of the application is answered beside one of the engine", async () => {
  const turn = [toolCall("deploy", { to: "staging" }), toolCall("weather", { place: "Bergen" })];
  const { page } = await openChat(scripted([turn, text("That is it.")]), {
    toolApproval: { weather: "user-approval" },
    pageScript: areApprovalsAnswered,
  });
  await press(page, "Say deploy");
  for (const about of ["Bergen", "staging"]) {
    await page.locator("[data-state=approval-requested]", { hasText: about }).waitFor();
    await ready(page);
    await press(page, "Approve");
  }
  await page.getByText("That is it.").waitFor();
  await ready(page);

  expect((await outputs(page)).slice(1)).toEqual(["Rain in Bergen.", "Deployed."]);
});

test("the approvals of a sub-agent are asked and answered while its call waits", async () => {
  const task = toolCall("task", { subagent_type: "helper", prompt: "Deploy it.", description: "Deploy" });
  const call = (to: string) => toolCall("deploy", { to });
  const provider = scripted([task, call("staging"), call("production"), text("Both."), text("That is it.")]);
  const { page } = await openChat(provider);
  await press(page, "Say deploy");
  for (const place of ["staging", "production"]) {
    await page.locator("[data-state=approval-requested]", { hasText: place }).waitFor();
    await ready(page);
    await press(page, "Approve");
  }
  await page.getByText("That is it.").waitFor();
  await ready(page);

  expect(await page.locator("[data-state=output-available]").count()).toBe(await page.locator("[data-state]").count());
  expect((await outputs(page)).filter((output) => output === "Deployed.")).toHaveLength(2);
  expect((await outputs(page)).at(-1)).toContain("Both.");
});

test("useChat shows the call of a host tool and what it answers, and the next message has both", async () => {
  const provider = scripted([toolCall("weather", { place: "Bergen" }), text("Take a coat."), text("I said so.")]);
  const { page, states } = await openChat(provider);
  await press(page, "Say write");
  await page.getByText("Take a coat.").waitFor();
  await ready(page);
  await press(page, "Say write");
  await page.getByText("I said so.").waitFor();
  await ready(page);

  expect(await page.locator("[data-state=output-available] output").textContent()).toBe("Rain in Bergen.");
  expect(JSON.stringify(provider.requests[2]?.messages)).toContain("Take a coat.");
  expect(JSON.stringify(states.get("chat-1")).length).toBeLessThan(1_000);
});

test("a message that is stopped in the page ends its turn, and the next one is answered", async () => {
  const { page, states } = await openChat(
    scripted([text("One two three.", { chunkSize: 2, chunkDelayMs: 400 }), text("Next.")]),
  );
  await press(page, "Say write");
  await page.getByText("On").waitFor();
  await press(page, "Stop");
  await ready(page);
  await expect.poll(() => states.has("chat-1")).toBe(true);
  await press(page, "Say write");

  await page.getByText("Next.").waitFor();
});
