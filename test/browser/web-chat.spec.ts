// The example's page in Chromium: it uses nothing but the routes of createChatRoutes().
import { mkdirSync } from "node:fs";
import fc from "fast-check";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeFindings } from "./axe.js";
import { ChatProcess } from "./chat-process.js";
import { openChromium } from "./chromium.js";

const PICTURES = process.env.SCREENSHOTS;

let context: BrowserContext;
let closeBrowser: (() => Promise<void>) | undefined;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ context, close: closeBrowser } = await openChromium());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await context.clearCookies();
});
afterAll(async () => closeBrowser?.());

async function start(paceMs = 1, maxEvents = 10_000): Promise<ChatProcess> {
  const server = new ChatProcess(paceMs, maxEvents);
  closing.push(() => server.close());
  await server.start();
  return server;
}

/** Whatever the page reports as an error fails the test. */
async function openPage(server: ChatProcess, { width = 1_280, height = 800 } = {}) {
  const page = await context.newPage();
  closing.push(() => page.close());
  page.setDefaultTimeout(180_000);
  await page.setViewportSize({ width, height });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(server.url);
  return { page, faults };
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  await page.locator("#messages > li.user").last().filter({ hasText: text }).waitFor();
  await idle(page);
}

/** The run has ended, and the page shows what is stored. */
async function idle(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.locator("#messages > li.assistant .under").last().waitFor();
}

const texts = (page: Page) => page.locator("#messages > li .body").allInnerTexts();
const titles = (page: Page) => page.locator("#list button").allInnerTexts();

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

test("one edits, asks again, goes back to another version, and what the model is sent is what the page shows", async () => {
  const server = await start();
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await say(page, "A river?");
  await say(page, "Another?");
  expect(await texts(page)).toEqual([
    "A river?",
    "Answer 1, to message 1: A river?",
    "Another?",
    "Answer 2, to message 2: Another?",
  ]);

  await page.getByRole("button", { name: "Again" }).last().click();
  await expect.poll(() => texts(page).then((all) => all.at(-1))).toBe("Answer 3, to message 2: Another?");
  await idle(page);
  await page.getByRole("button", { name: "Edit" }).first().click();
  await say(page, "A lake?");
  expect(await texts(page)).toEqual(["A lake?", "Answer 4, to message 1: A lake?"]);

  await page.locator("#branches button").first().click();
  await expect.poll(() => texts(page).then((all) => all[0])).toBe("A river?");
  await say(page, "A third?");
  const shown = await texts(page);
  expect([shown[0], shown.at(-1)]).toEqual(["A river?", "Answer 5, to message 3: A third?"]);
  await page.reload();
  await expect.poll(() => texts(page)).toEqual(shown);
  expect(faults).toEqual([]);
});

test("a run is stopped, goes on over a reload, and its question is answered", async () => {
  const server = await start(40);
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await beginStory(page);
  await page.getByRole("button", { name: "Stop" }).click();
  await idle(page);
  const stopped = (await texts(page)).at(-1)!;
  expect(stopped.length).toBeLessThan(1_000);

  await page.getByRole("button", { name: "Again" }).last().click();
  await page.locator("#messages", { hasText: "Answer 2" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await idle(page);
  expect((await texts(page)).at(-1)!.match(/And then the river/g)).toHaveLength(60);

  await page.getByRole("textbox", { name: "Message" }).fill("Remind me of bread");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.locator("#messages", { hasText: "It has been answered." }).waitFor();
  await idle(page);
  expect((await texts(page)).at(-2)).toContain("Remind me of bread");
  expect(faults).toEqual([]);
});

test("chats are listed, named, found, archived, shared and deleted, and nobody sees another's", async () => {
  const server = await start();
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await say(page, "Rivers of Cologne");
  await page.getByRole("button", { name: "New chat" }).click();
  await say(page, "Bread");
  await expect.poll(() => titles(page)).toEqual(["Bread", "Rivers of Cologne"]);

  await page.getByRole("button", { name: "Rename" }).click();
  await page.locator("#value").fill("<b>Baking</b>");
  await page.getByRole("button", { name: "OK" }).click();
  await expect.poll(() => titles(page)).toEqual(["<b>Baking</b>", "Rivers of Cologne"]);
  await page.getByLabel("Search").fill("cologne");
  await expect.poll(() => titles(page)).toEqual(["Rivers of Cologne"]);
  await page.getByLabel("Search").fill("");
  await expect.poll(() => titles(page)).toHaveLength(2);

  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect.poll(() => page.locator("#value").inputValue()).toContain("/shared");
  const link = await page.locator("#value").inputValue();
  await page.getByRole("button", { name: "OK" }).click();
  const url = page.url();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Your name").waitFor();
  await page.goto(link);
  expect(await page.locator("main").textContent()).toContain("Bread");
  expect(await page.locator("h1").textContent()).toBe("<b>Baking</b>");
  expect(await axeFindings(page)).toEqual([]);

  await page.goto(server.url);
  await signIn(page, "eve");
  expect(await titles(page)).toEqual([]);
  await page.goto(url);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(await texts(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Your name").waitFor();
  await signIn(page, "ann");
  await page.goto(url);
  await page.locator("#messages", { hasText: "Bread" }).waitFor();

  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await expect.poll(() => titles(page)).toEqual(["Rivers of Cologne"]);
  await page.getByLabel("Archived").check();
  await expect.poll(() => titles(page)).toEqual(["<b>Baking</b>"]);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect.poll(() => titles(page)).toEqual([]);
  expect((await page.goto(link))!.status()).toBe(404);
  expect(faults).toEqual([]);
});

test("pictures are made smaller in the page, PDFs go as they are, and the server refuses what is larger", async () => {
  const server = await start();
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  const large = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [4_000, 3_000];
    const drawing = canvas.getContext("2d")!;
    for (let n = 0; n < 4_000; n++) {
      drawing.fillStyle = `hsl(${(n * 47) % 360} 80% 50%)`;
      drawing.fillRect((n * 631) % 4_000, (n * 397) % 3_000, 200, 120);
    }
    return canvas.toDataURL("image/png").split(",")[1]!;
  });
  const png = Buffer.from(large, "base64");
  await page.setInputFiles("#attach", [
    { name: "large.png", mimeType: "image/png", buffer: png },
    { name: "paper.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n".padEnd(20_000, "x")) },
  ]);
  await page.getByRole("button", { name: "Remove paper.pdf" }).waitFor();
  await say(page, "See this.");

  const [first] = (await texts(page)).slice(-1);
  const size = Number(/a picture of (\d+) KB/.exec(first!)![1]);
  expect(size).toBeLessThan(1_200);
  expect(first).toContain("application/pdf of 20 KB");
  expect(await page.locator("#messages img").evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_568);
  await say(page, "And now?");
  expect((await texts(page)).at(-1)).toContain("to message 2: And now?");

  await page.setInputFiles("#attach", {
    name: "huge.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.alloc(5_000_000),
  });
  await page.locator("#problem", { hasText: "too large" }).waitFor();
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({ id: "ann.x", input: "x".repeat(7_000_000) });
    return (await fetch("/chat", { method: "POST", headers: { "content-type": "application/json" }, body })).status;
  });
  expect(status).toBe(400);
  expect(faults).toEqual([]);
});

test.each([360, 1_440])(
  "at %i px nothing scrolls sideways, and axe finds nothing wrong in either theme",
  async (width) => {
    const server = await start();
    const { page, faults } = await openPage(server, { width, height: 800 });
    await picture(page, `${width}-sign-in`);
    expect(await axeFindings(page)).toEqual([]);
    await signIn(page, "ann");
    await say(page, `Remind me of ${"very".repeat(60)}long words`).catch(() => {});
    await page.locator("#messages .call").waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.locator("#messages", { hasText: "has been answered" }).waitFor();
    await idle(page);
    await say(page, "[A link](https://example.com), `code`");
    await say(page, "```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    await page.getByRole("button", { name: "Edit" }).first().click();

    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await axeFindings(page)]).toEqual([colorScheme, []]);
      await picture(page, `${width}-${colorScheme}`);
    }
    if (width === 360) {
      await page.getByRole("button", { name: "Chats" }).click();
      await picture(page, "360-chats");
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(faults).toEqual([]);
  },
);

/** Sends a message whose answer is long, and waits for its beginning. */
async function beginStory(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill("A story");
  await page.keyboard.press("Enter");
  await page.locator("#messages", { hasText: "And then the river" }).waitFor();
}

/** The story was told once and whole, and a page that only reads it shows the same. */
async function expectWholeStory(page: Page): Promise<void> {
  await idle(page);
  const shown = await texts(page);
  expect(shown.join("\n").match(/And then the river/g)).toHaveLength(60);
  expect(shown.filter((text) => text === "A story")).toHaveLength(1);
  await page.reload();
  await expect.poll(() => texts(page), { timeout: 180_000 }).toEqual(shown);
}

test("a server that is killed and started again goes on with the answer, and the page with it", async () => {
  const server = await start(40);
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await say(page, "First");
  await beginStory(page);

  await server.kill();
  await server.start();

  await expectWholeStory(page);
  await say(page, "Still there?");
  expect((await texts(page)).at(-1)).toMatch(/^Answer \d, to message 3: Still there\?/);
  expect(faults).toEqual([]);
});

test("a page that is reloaded in a run with more events than the server keeps goes on from the session", async () => {
  const server = await start(40, 20);
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await beginStory(page);

  await page.reload();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  server.cut();

  await expectWholeStory(page);
  expect(faults).toEqual([]);
});

test("connections that are cut again and again lose nothing", async () => {
  const server = await start(40);
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  await beginStory(page);
  const length = async () => (await texts(page)).join("").length;
  let cuts = 0;
  // Each time something new has come, however long that takes: a slow machine is cut less often, not more.
  for (let seen = await length(); cuts < 12 && (await page.getByRole("button", { name: "Stop" }).isVisible()); ) {
    if ((await length()) <= seen) continue;
    server.cut();
    cuts++;
    seen = await length();
  }

  expect(cuts).toBeGreaterThan(0);
  await expectWholeStory(page);
  expect(faults).toEqual([]);
});

/** A page reads its chat before it asks for a run under way, and once more after that. What it returns lets the second one through. */
async function holdSecondRead(page: Page): Promise<() => Promise<void>> {
  const READ = /\/chat\/[^/?]+\?/;
  let reads = 0;
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(READ, async (route) => {
    if (++reads === 2) await held;
    await route.continue();
  });
  return async () => {
    const read = page.waitForResponse(READ);
    letThrough();
    await (await read).finished();
    // Two frames: what was read is drawn.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.unroute(READ);
  };
}

test("a question is answered in the page, also after a restart of the server", async () => {
  const server = await start();
  const { page, faults } = await openPage(server);
  await signIn(page, "ann");
  const ask = async () => {
    await page.getByRole("textbox", { name: "Message" }).fill("Ask me");
    await page.keyboard.press("Enter");
  };
  await ask();
  await page.getByRole("button", { name: "The Elbe" }).click();
  await page.locator("#messages", { hasText: "has been answered" }).waitFor();
  await idle(page);

  await ask();
  await page.getByLabel("Your answer").waitFor();
  await server.kill();
  await server.start();
  const readAgain = await holdSecondRead(page);
  await page.reload();
  await page.getByLabel("Your answer").fill("The Od");
  await readAgain();
  await page.keyboard.type("er");
  await page.keyboard.press("Enter");
  await page.locator("#messages > li.assistant").nth(1).filter({ hasText: "has been answered" }).waitFor();
  await idle(page);

  expect(await page.locator("#messages pre", { hasText: /^The (Elbe|Oder)$/ }).allTextContents()).toEqual([
    "The Elbe",
    "The Oder",
  ]);
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
  const { page, faults } = await openPage(await start());
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
