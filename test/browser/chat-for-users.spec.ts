// The example's page in Chromium: it uses nothing but the routes of createChatRoutes().
import { mkdirSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.js";
import { lowContrast } from "./contrast.js";
import { UsersProcess } from "./users-process.js";

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

async function start(paceMs = 1): Promise<UsersProcess> {
  const server = new UsersProcess(paceMs);
  closing.push(() => server.close());
  await server.start();
  return server;
}

/** Whatever the page reports as an error fails the test. */
async function openPage(server: UsersProcess, { width = 1_280, height = 800 } = {}) {
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
  const begin = async (words: string) => {
    await page.getByRole("textbox", { name: "Message" }).fill(words);
    await page.keyboard.press("Enter");
    await page.locator("#messages", { hasText: "And then the river" }).waitFor();
  };
  await begin("A story");
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
  await page.locator("#messages", { hasText: "The reminder has been answered." }).waitFor();
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
  expect(await lowContrast(page)).toEqual([]);

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
  "at %i px nothing scrolls sideways, and all text has a contrast of AA in both themes",
  async (width) => {
    const server = await start();
    const { page, faults } = await openPage(server, { width, height: 800 });
    await picture(page, `${width}-sign-in`);
    await signIn(page, "ann");
    await say(page, `Remind me of ${"very".repeat(60)}long words`).catch(() => {});
    await page.locator("#messages .call").waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.locator("#messages", { hasText: "has been answered" }).waitFor();
    await idle(page);
    await page.getByRole("button", { name: "Edit" }).first().click();

    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await lowContrast(page)]).toEqual([colorScheme, []]);
      await picture(page, `${width}-${colorScheme}`);
    }
    if (width === 360) {
      await page.getByRole("button", { name: "Chats" }).click();
      await picture(page, "360-chats");
      expect(await lowContrast(page)).toEqual([]);
    }
    const unnamed = await page.locator("button:visible, input:visible, textarea:visible").evaluateAll((all) =>
      all
        .filter((one) => {
          const labels = (one as HTMLInputElement).labels?.length ?? 0;
          return one.textContent!.trim() === "" && labels === 0 && !one.hasAttribute("aria-labelledby");
        })
        .map((one) => one.outerHTML),
    );
    expect(unnamed).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(faults).toEqual([]);
  },
);

test("a server that is killed while it answers loses nothing that was said, and the chat goes on", async () => {
  const server = await start(40);
  const { page } = await openPage(server);
  await signIn(page, "ann");
  await say(page, "First");
  await page.getByRole("textbox", { name: "Message" }).fill("A story");
  await page.keyboard.press("Enter");
  await page.locator("#messages", { hasText: "And then the river" }).waitFor();

  await server.kill();
  await server.start();
  await idle(page);

  expect((await texts(page)).slice(0, 3)).toEqual(["First", "Answer 1, to message 1: First", "A story"]);
  await say(page, "Still there?");
  expect((await texts(page)).at(-1)).toMatch(/^Answer \d, to message 3: Still there\?/);
});
