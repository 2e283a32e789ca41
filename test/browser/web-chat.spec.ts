import fc from "fast-check";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { openChromium } from "./chromium.js";

const [FIX, EXPLAIN] = ["Find out why tests fail, and fix the code", "Explain this repository to me"];
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 375, height: 720 };

let context: BrowserContext;
let closeBrowser: (() => Promise<void>) | undefined;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ context, close: closeBrowser } = await openChromium());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => closeBrowser?.());

/** A chat and a page that shows it. Whatever the page reports as an error fails the test. */
async function openChat({ paceMs = 1, viewport = DESKTOP, maxEvents = 10_000 } = {}) {
  const chat = new ChatProcess(paceMs, maxEvents);
  closing.push(() => chat.close());
  await chat.start();
  const page = await context.newPage();
  closing.push(() => page.close());
  page.setDefaultTimeout(180_000);
  await page.setViewportSize(viewport);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    const isConnection = message.text().includes("Failed to load resource") || message.text().includes("ERR_");
    if (message.type() === "error" && !isConnection) faults.push(message.text());
  });
  await page.goto(chat.url);
  await page.getByText("What shall we do?").waitFor();
  return { chat, page, faults };
}

const transcriptOf = (page: Page) => page.locator("#transcript").evaluate((element) => element.textContent);
const ended = (page: Page) => page.locator("#state:not(.running):not(.waiting)", { hasText: "tokens" }).waitFor();

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** What a page shows that has followed a session is what a page shows that only reads it. */
async function expectNothingLost(page: Page): Promise<void> {
  const followed = await transcriptOf(page);
  await page.reload();
  await page.locator("#transcript .prose").first().waitFor();
  expect(await transcriptOf(page)).toBe(followed);
}

test("a task is done in the page: tool calls, diffs, sub-agents, approvals and a question", async () => {
  const { page, faults } = await openChat();
  await page.getByRole("button", { name: FIX }).click();

  const question = page.locator(".question");
  await question.getByText("Run this command?").waitFor();
  await page.keyboard.press("a"); // Always: the rule counts for the next run of the tests.
  await question.getByText("Edit src/tokens.js?").waitFor();
  expect(await question.locator(".line.added").textContent()).toContain("(?:\\.\\d+)?");
  await question.getByRole("button", { name: /Always allow/ }).click();
  await question.getByText("Shall I add one?").waitFor();
  await page.keyboard.press("1");
  await question.getByText("Edit README.md?").waitFor();
  await question.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("heading", { name: "Fixed" }).waitFor();
  await ended(page);

  const subagent = page.locator(".tool", { hasText: "Where amounts are read" }).first();
  await subagent.locator("summary").first().click();
  expect(await subagent.locator(".nested .tool").count()).toBe(2);
  expect(await page.locator(".tool.done", { hasText: "src/parse.js" }).locator(".line.removed").count()).toBe(1);
  expect(await page.locator(".prose table tbody tr").count()).toBe(3);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("a page that is reloaded while the agent writes goes on with it", async () => {
  const { page, faults } = await openChat({ paceMs: 20 });
  await page.getByRole("button", { name: EXPLAIN }).click();
  await page.getByRole("heading", { name: "short-duration" }).waitFor();

  await page.reload();
  await page.locator("#state.running").waitFor();
  await page.getByRole("link", { name: "MDN" }).waitFor();
  await ended(page);

  expect(await page.getByRole("heading", { name: "short-duration" }).count()).toBe(1);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("a page that is reloaded in a run with more events than the server keeps goes on from the session", async () => {
  const { chat, page, faults } = await openChat({ paceMs: 20, maxEvents: 20 });
  await page.getByRole("button", { name: EXPLAIN }).click();
  await page.getByRole("heading", { name: "short-duration" }).waitFor();

  await page.reload();
  await page.locator("#state.running").waitFor();
  chat.cut();
  await page.getByRole("link", { name: "MDN" }).waitFor();
  await ended(page);
  // What the page could not know while the message was written comes with the session.
  await page.getByRole("heading", { name: "short-duration" }).waitFor();

  expect(await page.getByRole("heading", { name: "short-duration" }).count()).toBe(1);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("a server that is killed and started again goes on with the run, and the page with it", async () => {
  const { chat, page, faults } = await openChat({ paceMs: 20 });
  await page.getByRole("button", { name: EXPLAIN }).click();
  await page.getByRole("heading", { name: "short-duration" }).waitFor();

  await chat.kill();
  await page.getByText("Connection lost.").waitFor();
  await chat.start();
  await page.getByText("Connection lost.").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "MDN" }).waitFor();
  await ended(page);

  expect(await page.getByRole("heading", { name: "short-duration" }).count()).toBe(1);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("what was said to a run that works is read, also by a reloaded page and after a restart of the server", async () => {
  const { chat, page, faults } = await openChat({ paceMs: 40 });
  await page.getByRole("button", { name: EXPLAIN }).click();
  await page.getByRole("heading", { name: "short-duration" }).waitFor();
  await say(page, "Say a word on tests.");
  await page.getByText("will be read at the next step").waitFor();

  await page.reload();
  // On a slow machine it may have been read by now.
  await page.getByText("Say a word on tests.").first().waitFor();
  await chat.kill();
  await chat.start();
  await page.locator(".message.agent blockquote", { hasText: "Say a word on tests." }).waitFor();
  await ended(page);

  expect(await page.locator(".message.user").count()).toBe(2);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("a question outlives the server; what was allowed for good stays allowed", async () => {
  const { chat, page } = await openChat();
  await page.getByRole("button", { name: FIX }).click();
  await page.getByRole("button", { name: /Always allow/ }).click();
  await page.getByText("Edit src/tokens.js?").waitFor();

  await chat.kill();
  await chat.start();
  await page.reload();
  await page.getByRole("button", { name: /Always allow/ }).click();

  // The tests run again without a question.
  await page.getByRole("heading", { name: "Shall I add one?" }).waitFor();
  await page.getByRole("button", { name: /No, leave/ }).click();
  await page.getByRole("heading", { name: "Fixed" }).waitFor();
  await ended(page);
  await expectNothingLost(page);
});

test("connections that are cut again and again lose nothing", async () => {
  const { chat, page, faults } = await openChat({ paceMs: 4 });
  // Not for ever: a slow machine takes longer than that to connect again.
  let cuts = 30;
  const cutting = setInterval(() => cuts-- > 0 && chat.cut(), 230);
  try {
    await say(page, EXPLAIN);
    await page.getByRole("link", { name: "MDN" }).waitFor();
  } finally {
    clearInterval(cutting);
  }
  await ended(page);

  expect(await page.locator(".message.user").count()).toBe(1);
  expect(faults).toEqual([]);
  await expectNothingLost(page);
});

test("on a phone one approves and denies with a reason, and nothing is wider than the screen", async () => {
  const { page } = await openChat({ viewport: PHONE });
  const isTooWide = () =>
    page.evaluate(
      () => document.body.scrollWidth > innerWidth || document.querySelector("main")!.scrollWidth > innerWidth,
    );
  await page.getByRole("button", { name: FIX }).click();
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByText("Edit src/tokens.js?").waitFor();
  expect(await isTooWide()).toBe(false);
  await page.getByRole("button", { name: "Deny…" }).click();
  await page.getByRole("textbox", { name: "Reason for the denial" }).fill("Not this file.");
  await page.keyboard.press("Enter");
  await ended(page);

  await page.getByText("denied: Not this file.").waitFor();
  await page.getByText("I leave edit_file alone").waitFor();
  expect(await isTooWide()).toBe(false);
  await page.getByRole("button", { name: "Sessions" }).click();
  await page.locator("#new").click();
  await page.getByText("What shall we do?").waitFor();
  await page.locator("#side").waitFor({ state: "hidden" });
});

test("one steers a run, stops it, and goes on; sessions are listed and deleted", async () => {
  const { page, faults } = await openChat({ paceMs: 20 });
  await page.getByRole("button", { name: EXPLAIN }).click();
  await page.locator("#state.running").waitFor();
  await say(page, "Be **brief**, <img src=x onerror=alert(1)> please. [x](javascript:alert(1))");
  await page.locator(".message.agent blockquote strong", { hasText: "brief" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Stopped.").waitFor();

  expect(await page.locator("#transcript img, #transcript a[href^=javascript]").count()).toBe(0);
  await say(page, "Hello?");
  await page.getByText("knows two tasks only").waitFor();
  await ended(page);
  expect(await page.locator("#sessions li").count()).toBe(1);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.locator("#sessions li").hover();
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("What shall we do?").waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#sessions li").length === 0);
  expect(faults).toEqual([]);
});

const MARKS = [
  "`",
  "```\n",
  "*",
  "**",
  "_",
  "~~",
  "[",
  "](",
  ")",
  "!",
  "<script>",
  "<img src=x onerror=x()>",
  "javascript:",
  "https://a.b/?c",
];
const MORE = [
  "data:text/html,",
  '"',
  "\n",
  "\n\n",
  "- ",
  "1. ",
  "> ",
  "# ",
  "|",
  "|-|\n",
  "\\",
  "a",
  " ",
  "&lt;",
  "//evil.example",
];

test("whatever a model writes, its Markdown becomes harmless elements alone", async () => {
  const { page, faults } = await openChat();
  const written = fc.sample(
    fc.array(fc.constantFrom(...MARKS, ...MORE), { maxLength: 30 }).map((pieces) => pieces.join("")),
    2_000,
  );

  // As a string, since the test's own bundler would change a dynamic import.
  const module = await page.evaluateHandle<{ markdown(text: string): Element }>('import("/markdown.js")');
  const found = await module.evaluate(({ markdown }, texts) => {
    const names = new Set<string>();
    const links = new Set<string>();
    const attributes = new Set<string>();
    for (const text of texts) {
      for (const element of markdown(text).querySelectorAll("*")) {
        names.add(element.localName);
        if (element instanceof HTMLAnchorElement) links.add(new URL(element.href).protocol);
        for (const { name } of element.attributes) attributes.add(name);
      }
    }
    return { names: [...names], links: [...links], attributes: [...attributes] };
  }, written);

  const harmless =
    "a blockquote button code del div em h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul";
  expect(found.names.filter((name) => !harmless.split(" ").includes(name))).toEqual([]);
  expect(found.links).toEqual(["https:"]);
  expect(found.attributes.filter((name) => /^on|style|src/.test(name))).toEqual([]);
  expect(faults).toEqual([]);
});
