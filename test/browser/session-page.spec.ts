// The session page in a real browser: hostile transcripts under its policy, long ones, its keys, and a live one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { AgentEngine, type SessionEntry } from "../../src/index.js";
import { createSessionPage, renderSession, type SessionPageOptions } from "../../src/observability/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { mail, page as readPage } from "../flow/mail-tools.js";
import { HOSTILE_TEXTS, hostileSession } from "../observability/page/hostile-session.js";
import { longSession } from "../observability/page/long-session.js";
import { programSession } from "../observability/page/program-session.js";
import { sampleSession } from "../observability/page/sample-session.js";
import { openChromium } from "./chromium.js";

let directory: string;
let browser: Awaited<ReturnType<typeof openChromium>>;
let page: Page;
let faults: string[];
let requests: string[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-session-page-"));
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => page?.close());

async function open(url: string): Promise<void> {
  page = await browser.context.newPage();
  [faults, requests] = [[], []];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => faults.push(message.text()));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.goto(url);
}

async function show(entries: readonly SessionEntry[], options?: SessionPageOptions): Promise<void> {
  const file = join(directory, "session.html");
  writeFileSync(file, await renderSession({ id: "session", entries }, options));
  await open(`file://${file}`);
}

function entriesOf(...records: object[]): SessionEntry[] {
  return records.map((record, index) => {
    const parent = index === 0 ? null : `e${index - 1}`;
    return { v: 1, id: `e${index}`, parent, at: 1_000 * (index + 1), runId: "r", turn: 1, ...record } as never;
  });
}

test("nothing of a hostile transcript runs, leaves the page or hides", async () => {
  const evil = HOSTILE_TEXTS.join("\n");
  const everywhere = HOSTILE_TEXTS.flatMap((text) => [
    { type: "message", message: { role: "user", content: [{ type: "text", text }], origin: text } },
    {
      type: "message",
      message: {
        role: "assistant",
        provider: text,
        model: text,
        finishReason: text,
        content: [
          { type: "text", text },
          { type: "reasoning", text },
          { type: "tool-call", id: text, name: text, arguments: { [text]: text, __proto__: text } },
        ],
      },
    },
    {
      type: "pending",
      request: { id: text, toolCallId: text, tool: text, reason: text, kind: text, input: text, agentPath: [text] },
    },
    { type: "answer", answer: { id: text, by: text, decision: text, reason: text, value: text } },
    {
      type: "tool-result",
      result: {
        toolCallId: text,
        name: text,
        status: text,
        isError: true,
        output: text,
        details: { diff: `${text}\n@@ -1 +1 @@\n+${text}`, [text]: text },
        artifact: { path: text },
      },
    },
    {
      type: "view-edit",
      stage: text,
      replacement: [{ role: text, content: [{ type: "text", text }] }],
      report: { stage: text },
    },
    { type: "epoch", cause: text, system: [{ id: text, text }], tools: [{ name: text, description: text }] },
    {
      type: "custom",
      name: `scheduler/plan`,
      data: { goal: text, kind: text, tasks: [{ id: text, title: text, dependsOn: [text] }] },
    },
    { type: "run-end", status: text },
    { type: text, text },
  ]);
  const image = {
    type: "image",
    mediaType: "image/svg+xml",
    data: btoa("<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'/>"),
  };
  await show(
    entriesOf(...everywhere, {
      type: "message",
      message: { role: "user", content: [image, { type: "image", mediaType: `image/png"onerror="x`, data: "x" }] },
    }),
    { title: evil },
  );

  let rows = 0;
  for (let scrolled = 0; scrolled < 60; scrolled++) {
    rows += await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      scrollBy(0, 600);
      return document.querySelectorAll(".row").length;
    });
    await page.waitForTimeout(20);
  }
  const state = await page.evaluate(() => ({
    pwned: "pwned" in window,
    scripts: document.scripts.length,
    active: document.querySelectorAll("iframe, link, object, embed, img, a[href]:not([href^='#'])").length,
    reordering: [..."\u202a\u202b\u202d\u202e\u2066\u2067\0\u001b"].some((one) =>
      document.getElementById("page")!.textContent.includes(one),
    ),
    isNamed: document.getElementById("page")!.textContent.includes("U+202E"),
  }));

  expect(faults).toEqual([]);
  expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
  expect(state).toEqual({
    pwned: false,
    scripts: 2,
    active: 0,
    reordering: false,
    isNamed: true,
  });
  expect(rows).toBeGreaterThan(1_000);
});

test("text that is hidden in variation selectors and blank letters is shown by its codes, and an emoji is as it is", async () => {
  const secret = [..."no"].map((one) => String.fromCodePoint(0xe0100 + one.charCodeAt(0) - 16)).join("");
  const content = [{ type: "text" as const, text: `Well\u2714\ufe0f${secret}\ufe00\ufe01\u3164\u2800.` }];
  await show(entriesOf({ type: "message", message: { role: "user", content } }), { title: "Hidden" });

  const shown = await page.evaluate(() => document.getElementById("page")!.textContent);

  expect(shown).toContain("Well\u2714\ufe0fU+E015EU+E015FU+FE00U+FE01U+3164U+2800.");
});

test("2,000 turns of hostile fields run nothing, lose nothing, and stay readable on a telephone", async () => {
  await show(hostileSession(2_000), { title: "Hostile" });
  await page.setViewportSize({ width: 390, height: 844 });
  const found = async (word: string) => {
    await page.keyboard.press("/");
    await page.keyboard.type(word);
    await page.waitForFunction(() => document.querySelector(".found")?.textContent?.includes("row"));
    const text = await page.evaluate(() => document.querySelector(".found")!.textContent);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector(".found")?.textContent === "");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    return text;
  };

  const all = await found("needle-");
  const last = await found("needle-2000");
  const widths: number[] = [];
  for (let scrolled = 0; scrolled < 20; scrolled++) {
    widths.push(
      await page.evaluate(async () => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        scrollBy(0, 800);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return document.documentElement.scrollWidth;
      }),
    );
  }
  await page.keyboard.press("Shift+G");
  await page.waitForFunction(() => document.querySelector(".selected")?.textContent?.includes("Run ends"));
  const state = await page.evaluate(() => ({
    pwned: "pwned" in window || "pwned" in Object.prototype,
    scripts: document.scripts.length,
    active: document.querySelectorAll("iframe, link, object, embed, img, a[href]:not([href^='#'])").length,
    head: document.querySelector(".page-head")!.getBoundingClientRect().height < 844,
  }));

  expect([all, last]).toEqual(["2,000 rows", "1 row"]);
  expect(new Set(widths)).toEqual(new Set([390]));
  expect(state).toEqual({ pwned: false, scripts: 2, active: 0, head: true });
  expect(faults).toEqual([]);
  expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
});

test("even markup that reached the page could run nothing and load nothing: the policy holds", async () => {
  await show(entriesOf({ type: "run-start" }));
  const outcome = await page.evaluate(async () => {
    const attempt = (act: () => void) => {
      try {
        act();
        return "done";
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement("script");
    return {
      markup: attempt(() => document.body.insertAdjacentHTML("beforeend", "<b>x</b>")),
      script: attempt(() => (script.text = "window.pwned=1")),
      handler: attempt(() => {
        document.body.setAttribute("onclick", "window.pwned=1");
        document.body.click();
      }),
      fetched: await fetch("https://evil.example/").then(
        () => "done",
        (error: Error) => error.name,
      ),
      pwned: "pwned" in window,
    };
  });

  expect(outcome).toEqual({
    markup: "TypeError",
    script: "TypeError",
    handler: expect.any(String),
    fetched: "TypeError",
    pwned: false,
  });
});

test("a session of 2,000 turns fills only what is near, and finds a word in all of it", async () => {
  await show(longSession(2_000));
  const count = () =>
    page.evaluate(() => ({
      turns: document.querySelectorAll(".turn").length,
      nodes: document.querySelectorAll("*").length,
      rows: document.querySelectorAll(".row").length,
    }));

  const atFirst = await count();
  await page.keyboard.press("Shift+G");
  await page.waitForFunction(() => document.querySelector(".selected")?.textContent?.includes("Run ends"));
  await page.waitForTimeout(100);
  const atEnd = await count();
  await page.keyboard.press("/");
  await page.keyboard.type("Step 1337:");
  await page.waitForFunction(() => document.querySelector(".found")?.textContent === "1 row");
  const found = await page.evaluate(() => document.querySelector(".turn:not([hidden]) mark")?.textContent);

  expect(faults).toEqual([]);
  expect(atFirst.turns).toBe(2_000);
  for (const { rows, nodes } of [atFirst, atEnd]) {
    expect(rows).toBeLessThan(200);
    expect(nodes).toBeLessThan(12_000);
  }
  expect(found).toBe("Step 1337:");
});

test("rows are reached, opened, searched and filtered by keys", async () => {
  const sample = await sampleSession();
  await show(sample.entries, { sessions: sample.store, artifacts: sample.artifacts, audit: sample.audit() });
  await sample.remove();
  const selected = () => page.evaluate(() => document.querySelector(".selected")?.firstElementChild?.textContent);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return selected();
  };

  expect(await press("j", "j", "j")).toBe("User");
  expect(await press("k")).toMatch(/^System prompt and tools/);
  await press("Enter");
  expect(await page.evaluate(() => document.querySelector<HTMLDetailsElement>(".selected")!.open)).toBe(true);
  await press("?");
  expect(await page.evaluate(() => document.querySelector("dialog")!.open)).toBe(true);
  await press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog")!.open);
  await press("e");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".row .tool-name")].some((one) => one.textContent === "edit_file"),
  );
  expect(await page.evaluate(() => document.querySelectorAll(".row.prompt").length)).toBe(0);
  await press("e", "t");
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toMatch(/dark|light/);
  await press("/");
  await page.keyboard.type("one past");
  await page.waitForFunction(() => document.querySelectorAll("mark").length > 0);
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    location.hash = "#t2";
  });
  // What is shown is drawn again once the address has changed, and what is far away is not drawn at all.
  await page.waitForFunction(() => {
    const nested = document.querySelector(".nested");
    if (nested) nested.scrollIntoView({ block: "center" });
    else document.querySelector<HTMLElement>(".chip.agent")?.click();
    return document.querySelector(".nested .turn .tool-name");
  });
  expect(await page.evaluate(() => document.querySelector(".nested")!.textContent)).toContain("read_file");
  expect(faults).toEqual([]);
});

test("what came from outside is marked, with its place", async () => {
  const entries = longSession(1).map((entry) => {
    const sources = [{ kind: "web" as const, name: "example.com", untrusted: true as const }];
    return entry.type === "tool-result" ? { ...entry, label: { integrity: "untrusted", sources } } : entry;
  });
  await show(entries as SessionEntry[]);
  const row = page.locator("details.call").first();
  await row.locator("> summary").click();

  expect(await row.locator("> summary .chip.untrusted").textContent()).toBe("untrusted");
  expect(await row.locator(".fact", { has: page.locator(".untrusted") }).textContent()).toBe(
    "untrustedweb:example.com",
  );
  expect(faults).toEqual([]);
});

test("a question leads to the results that brought in what it asks about, and they lead back", async () => {
  const sessions = createMemorySessionStore();
  const notes = {
    ...readPage,
    name: "read_notes",
    definition: () => ({ ...readPage.definition(), name: "read_notes" }),
  };
  const calls = [toolCall("read_page", {}), toolCall("read_notes", {}), toolCall("send_mail", { to: "eve@x.example" })];
  const allow = ["read_page", "read_notes", "send_mail"];
  const permissions = createPermissionChecker({ rules: { allow }, flow: {} });
  const engine = new AgentEngine({ provider: scripted(calls), sessions, tools: [readPage, notes, mail], permissions });
  expect((await engine.run("Go on", { sessionId: "s" })).status).toBe("needs-approval");
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read("s")) entries.push(entry);
  await show(entries);
  const call = (name: string) =>
    page.locator("details.call", { has: page.locator(`summary .tool-name:text-is("${name}")`) });

  await call("send_mail").locator("> summary").click();
  const path = call("send_mail").locator(".path");
  expect(await path.textContent()).toBe("web:x.exampleread_page→read_notes");
  await path.getByText("read_page").click();
  await page.waitForSelector("details.call.selected .tool-name:text-is('read_page')");

  await call("read_page").locator("> summary").click();
  const back = call("read_page").locator(".path");
  expect(await back.textContent()).toBe("Made ask:send_mail");
  await back.getByText("send_mail").click();
  await page.waitForSelector("details.call.selected .tool-name:text-is('send_mail')");
  expect(faults).toEqual([]);
});

test("a live page shows what is added while it is open", async () => {
  const entries = longSession(2);
  async function* read() {
    yield* entries;
  }
  const answer = createSessionPage({ read, title: "Live", everyMs: 50 });
  const server = createServer(async (request, response) => {
    const reply = await answer(new Request(`http://${request.headers.host}${request.url}`));
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => document.querySelectorAll(".turn").length === 2);
    entries.push({ ...entries[1]!, id: "new-1", parent: entries.at(-1)!.id, runId: "run-2", turn: 0 });
    entries.push({ ...entries[2]!, id: "new-2", parent: "new-1", runId: "run-2", turn: 1 });
    await page.waitForFunction(() => document.querySelectorAll(".turn").length === 3);

    expect(faults.filter((one) => !one.includes("favicon"))).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a program is seen in colours, with its calls and the question of one below it", async () => {
  const { engine, sessions, stored, allow } = await programSession();
  await show(await stored(), { sessions, sessionId: "shop" });
  const row = () => page.locator("details.call", { hasText: "run_program" }).first();
  const chips = () => row().locator("> summary .chip").allTextContents();

  expect(await chips()).toEqual(["waiting", "4 calls"]);

  await allow().result;
  await engine.close();
  await page.close();
  await show(await stored(), { sessions, sessionId: "shop" });
  await row().locator("> summary").click();

  expect(await chips()).toEqual(["4 calls"]);
  const colored = (kind: string) => row().locator(`.js-${kind}`).allTextContents();
  expect(await colored("comment")).toEqual(["// Pays what is open"]);
  expect(await colored("keyword")).toEqual(["const", "await", "return", "await"]);
  expect(await colored("string")).toEqual(['"bob"']);
  expect(await colored("called")).toEqual(["look", "pay"]);
  expect(await row().locator(".nested-head b").textContent()).toBe("Its calls");
  expect(await row().locator(".nested .tool-name").allTextContents()).toEqual(["look", "look", "look", "pay"]);
  expect(await page.locator(".figures").textContent()).not.toContain("Sub-agents");
  expect(faults).toEqual([]);
});
