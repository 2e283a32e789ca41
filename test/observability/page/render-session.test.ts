import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { SessionEntry } from "loopwright";
import { createSessionPage, queryAudit, renderSession } from "loopwright/observability";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageSession } from "../../../src/observability/page/page-entry.js";
import { runs } from "../../runs.js";
import { ASSETS, pageAssets } from "./bundle-page.js";
import { programSession } from "./program-session.js";
import { type SampleSession, sampleSession } from "./sample-session.js";

let sample: SampleSession;

beforeAll(async () => {
  sample = await sampleSession();
});
afterAll(() => sample.remove());

const exported = () => ({ id: sample.id, entries: sample.entries });

/** What lies in a page as data. */
function dataOf(html: string): PageSession {
  return JSON.parse(/<script type="application\/json" id="session">(.*?)<\/script>/s.exec(html)![1]!) as PageSession;
}

function user(text: unknown, more: object = {}): SessionEntry {
  const base = { v: 1, id: "a", parent: null, at: 1, runId: "r", turn: 0 };
  return { ...base, type: "message", message: { role: "user", content: [{ type: "text", text }] }, ...more } as never;
}

test("the page's script and style are those of client/ (npm run page writes them)", async () => {
  const written = readFileSync(ASSETS, "utf8").replace(/\s+/g, "");

  expect(written).toBe((await pageAssets()).replace(/\s+/g, ""));
});

test("a page is one file under a policy that allows its own script and style alone", async () => {
  const html = await renderSession(exported());

  expect(html).toMatch(/^<!doctype html>/);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).toContain("default-src 'none'; script-src 'sha256-");
  expect(html).not.toMatch(/(?:src|href)="(?!#)/);
  expect(html.length - JSON.stringify(dataOf(html)).length).toBeLessThan(60_000);
});

test("a session is read from a store, an export or a parsed file alike", async () => {
  const pages = [
    await renderSession(sample.store.read(sample.id)),
    await renderSession(exported()),
    await renderSession(JSON.parse(JSON.stringify(exported()))),
  ];

  const [first, ...others] = pages.map((html) => dataOf(html).entries);
  expect(first).toHaveLength(sample.entries.length);
  for (const entries of others) expect(entries).toEqual(first);
});

test("a result from outside says where it comes from", async () => {
  const sources = [
    { kind: "web", name: "example.com", untrusted: true },
    { kind: "tool", name: "grep" },
    { kind: "mcp", name: "mails", untrusted: true },
  ];
  const result = { toolCallId: "c", name: "web_fetch", status: "success", isError: false, output: "x", durationMs: 1 };
  const labels = [{ integrity: "untrusted", sources }, { integrity: "trusted", sources: [] }, undefined];
  const entries = labels.map((label, at) => ({ ...user("x"), id: `e${at}`, type: "tool-result", result, label }));

  const page = dataOf(await renderSession({ id: "s", entries: entries as never }));

  const outside = page.entries.map((entry) => entry.type === "tool-result" && entry.outside);
  expect(outside).toEqual([["web:example.com", "mcp:mails"], undefined, undefined]);
});

test("a question says which places made it ask, and nothing of suggestions that are not understood", async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `web:${at}.example`);
  const suggestions = [
    [{ type: "trustSources", sources: ["web:x.example", 7] }],
    [{ type: "addRules", rules: ["Read"] }, null, { type: "trustSources", sources: "web:x.example" }],
    [{ type: "trustSources", sources: many }],
    "none",
  ];
  const entries = suggestions.map((each, at) => {
    const request = { id: `q${at}`, toolCallId: "c", kind: "approval", tool: "t", reason: "r", suggestions: each };
    return { ...user("x"), id: `e${at}`, type: "pending", request };
  });

  const page = dataOf(await renderSession({ id: "s", entries: entries as never }));

  const because = page.entries.map((entry) => entry.type === "pending" && entry.because);
  expect(because).toEqual([["web:x.example", "7"], [], many.slice(0, 32), []]);
});

test("sub-agents, offloaded output, costs and decisions are on the page when their sources are given", async () => {
  const { store: sessions, artifacts } = sample;
  const prices = () => 0.25;
  const page = dataOf(await renderSession(exported(), { sessions, artifacts, audit: sample.audit(), prices }));

  const agents = Object.values(page.agents);
  const offloaded = page.entries.find((entry) => entry.type === "tool-result" && entry.artifact);
  expect(agents).toHaveLength(1);
  expect(agents[0]!.entries.some(({ type }) => type === "assistant")).toBe(true);
  expect(offloaded).toMatchObject({ name: "bash", artifact: { text: expect.stringMatching(/^1\n2\n[\s\S]*9000/) } });
  expect(page.entries.find(({ type }) => type === "assistant")).toMatchObject({ costUsd: 0.25 });
  expect(page.notes.map(({ kind }) => kind)).toContain("decision");
  expect(page.notes).toContainEqual(expect.objectContaining({ kind: "decision", outcome: "deny", tool: "bash" }));
});

test("the calls of a program are on the page while it waits and when it has ended", async () => {
  const { engine, sessions, stored, allow } = await programSession();
  const pageNow = async () => dataOf(await renderSession({ id: "shop", entries: await stored() }, { sessions }));
  const made = ({ agents }: PageSession) =>
    Object.values(agents).map(({ entries }) =>
      entries.flatMap((entry) => (entry.type === "assistant" && entry.isOfTool ? [entry.parts.length] : [])),
    );

  const waiting = await pageNow();
  await allow().result;
  const done = await pageNow();
  await engine.close();

  expect([waiting, done].map(made)).toEqual([[[3, 1]], [[3, 1]]]);
  const result = done.entries.find((entry) => entry.type === "tool-result");
  expect(result).toMatchObject({ name: "run_program", calls: Object.keys(done.agents)[0] });
  expect(Object.values(done.agents)[0]!.entries.filter(({ type }) => type === "tool-result")).toHaveLength(4);
});

test("secrets are left out, and further shapes of them with redact", async () => {
  const secret = `sk-ant-${"a1B2c3D4".repeat(4)}`;
  const entries = [user(`the key is ${secret}, the ticket ACME-4711`)];

  const cleaned = await renderSession({ id: "s", entries });
  const more = await renderSession({ id: "s", entries }, { redact: [/ACME-\d+/] });
  const raw = await renderSession({ id: "s", entries }, { redact: false });

  expect(cleaned).not.toContain(secret);
  expect(cleaned).toContain("ACME-4711");
  expect(more).not.toMatch(/ACME-4711|sk-ant/);
  expect(raw).toContain(secret);
});

test("what is not an entry is shown as not understood, and a source that fails later ends the page with the reason", async () => {
  async function* source() {
    yield null as never;
    yield { v: 1, id: "b", type: "hologram", depth: 3 } as never;
    yield user(17 as never, { message: { role: "user", content: "no parts" } });
    throw new Error("line 4 is damaged");
  }

  const { entries } = dataOf(await renderSession(source()));

  expect(entries.map(({ type }) => type)).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  expect(entries[1]).toMatchObject({ name: "hologram", text: expect.stringContaining("depth") });
  expect(entries[3]).toMatchObject({ name: "could not be read further", text: "line 4 is damaged" });
});

test("a source that fails at once makes renderSession reject", async () => {
  // biome-ignore lint/correctness/useYield: it fails before
  async function* source(): AsyncGenerator<SessionEntry> {
    throw new Error("no such disk");
  }

  await expect(renderSession(source())).rejects.toThrow("no such disk");
  await expect(renderSession("session" as never)).rejects.toThrow(/source.*exportSession/);
});

test("an audit trail that cannot be read further, or holds what is no record, makes no page fail", async () => {
  async function* audit() {
    yield* [null, 7, "x", { type: "notice", code: 1, message: { a: 1 } }] as never[];
    yield {
      type: "permission-decision",
      behavior: "deny",
      tool: "bash",
      toolCallId: "c",
      runId: "r",
      turn: 0,
    } as never;
    throw new Error("line 9 is damaged");
  }

  const page = dataOf(await renderSession({ id: "s", entries: [user("hello")] }, { audit: audit() }));
  const empty = dataOf(await renderSession({ id: "s", entries: [] }, { audit: audit() }));

  expect(page.notes.map(({ kind }) => kind)).toEqual(["notice", "decision"]);
  expect(page.entries.map(({ type }) => type)).toEqual(["user", "unknown"]);
  for (const { entries } of [page, empty])
    expect(entries.at(-1)).toMatchObject({ name: "the audit trail could not be read", text: "line 9 is damaged" });
});

test("records in an array are refused with a word on what is wanted", async () => {
  const source = { id: "s", entries: [user("hello")] };

  await expect(renderSession(source, { audit: [] as never })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining("queryAudit()"),
  });
});

test("long texts and deep values are cut", async () => {
  let deep: unknown = "end";
  for (let depth = 0; depth < 5_000; depth++) deep = [deep];
  const entries = [user("x".repeat(3_000_000)), user("", { type: "custom", name: "deep", data: deep })];

  const html = await renderSession({ id: "s", entries });

  expect(html.length).toBeLessThan(400_000);
  expect(html).toContain("[cut here: 2800000 more characters]");
});

test("nothing in the file controls a terminal or reorders what is read in an editor, and the page has every character", async () => {
  const text = "a\u202eb\u202c \u2066c\u2069 \u009b31m\u007f\u001b[2J\u061c\u200f";

  const html = await renderSession({ id: "s", entries: [user(text)] }, { title: text });

  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(html).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  expect(JSON.stringify(dataOf(html))).toContain(JSON.stringify(text).slice(1, -1));
});

test("no entry, however wrong, makes a page fail or leave its JSON block", async () => {
  const hostile = fc.oneof(
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc.constantFrom("</script><script>alert(1)</script>", "<!--<script>", "\u2028\u2029", "]]>", "\u202e", "\ud800"),
  );
  const type = fc.constantFrom(
    ...["message", "tool-result", "pending", "answer", "view-edit", "epoch", "run-end", "custom"],
  );
  const entry = fc.record(
    {
      type,
      id: hostile,
      parent: hostile,
      at: hostile,
      message: hostile,
      result: hostile,
      request: hostile,
      data: hostile,
      details: hostile,
      system: hostile,
      tools: hostile,
      replacement: hostile,
      report: hostile,
      usage: hostile,
    },
    { requiredKeys: ["type"] },
  );
  const property = fc.asyncProperty(fc.array(fc.oneof(entry, hostile), { maxLength: 5 }), async (entries) => {
    const html = await renderSession({ id: "s", entries: entries as never });

    expect(html.match(/<script/gi)).toHaveLength(2);
    expect(html.match(/<\/script/gi)).toHaveLength(2);
    expect(html).not.toContain("<!--");
    expect(dataOf(html).entries).toHaveLength(entries.length);
  });
  await fc.assert(property, { numRuns: runs(30, 500, 5_000) });
});

test("what names sessions wrongly, and a store that refuses them, make no page fail", async () => {
  const base = { v: 1, parent: null, at: 1, runId: "r", turn: 0, type: "custom", name: "scheduler/task" };
  const data = [null, undefined, "x", { task: {}, attempt: 1 }, { task: "a", attempt: 1 }];
  const entries = data.map((data, index) => ({ ...base, id: `e${index}`, data }));
  const asked: string[] = [];
  const sessions = {
    read(id: string): never {
      asked.push(id);
      throw new Error("not a session id");
    },
  };

  const html = await renderSession({ id: "s", entries } as never, { sessions });

  expect(dataOf(html).entries).toHaveLength(entries.length);
  expect(asked).toEqual(["s.a.1"]);
});

test("an id that is no string makes no title, and a title has no secrets", async () => {
  const secret = `sk-ant-api03-${"a".repeat(90)}`;
  const titles = [{ id: 5 }, { id: { a: 1 } }, { id: secret }].map(async (source) => {
    return dataOf(await renderSession({ ...source, entries: [] } as never)).title;
  });

  expect((await Promise.all(titles)).slice(0, 2)).toEqual(["Session", "Session"]);
  expect(await titles[2]).not.toContain(secret);
});

test("a live page says what is new since it was read, and refuses other hosts and methods", async () => {
  const entries = [user("one")];
  async function* read() {
    yield* entries;
  }
  const answer = createSessionPage({ read, title: "Now" });
  const get = (path: string, init?: RequestInit) => answer(new Request(`http://127.0.0.1:7000${path}`, init));

  const page = await get("/");
  entries.push(user("two", { id: "b", parent: "a" }));
  const news = (await (await get("/?from=1&notes=0&agents=0")).json()) as { entries: unknown[] };
  const [foreign, post] = [await answer(new Request("http://evil.example/")), await get("/", { method: "POST" })];

  expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
  expect(dataOf(await page.text())).toMatchObject({ title: "Now", live: { everyMs: 1_000 }, entries: [{ id: "a" }] });
  expect(news).toEqual({ isNewer: true, entries: [expect.objectContaining({ id: "b" })], notes: [] });
  expect([foreign.status, post.status]).toEqual([403, 405]);
});

test("a live page takes a trail that has no file yet for one without records", async () => {
  async function* read() {
    yield user("hello");
  }
  const audit = () => queryAudit(join(tmpdir(), "no-such-directory", "audit.jsonl"));
  const answer = createSessionPage({ read, audit });

  const page = dataOf(await (await answer(new Request("http://127.0.0.1:7000/"))).text());

  expect([page.entries.length, page.notes.length]).toEqual([1, 0]);
});

test("a live page says that its trail could not be read, and when it is read again", async () => {
  let isBroken = true;
  async function* read() {
    yield user("hello");
  }
  async function* audit(): AsyncGenerator<never> {
    if (isBroken) throw new Error("the disk is away");
    yield* [];
  }
  const answer = createSessionPage({ read, audit });
  const get = async (from: number) =>
    (await (await answer(new Request(`http://127.0.0.1:7000/?from=${from}&notes=0&agents=0`))).json()) as {
      entries: { name: string }[];
    };

  const first = await get(1);
  isBroken = false;
  const [second, third] = [await get(2), await get(3)];

  const names = [first, second, third].map(({ entries }) => entries.map(({ name }) => name));
  expect(names).toEqual([["the audit trail could not be read"], ["the audit trail is read again"], []]);
});
