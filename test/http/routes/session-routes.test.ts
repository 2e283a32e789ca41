// The sessions of a product over each store: list, search, rename, archive, share, delete.
import { readdirSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import type { ChatRoutesOptions, ChatSessionPage } from "../../../src/http/index.js";
import type { SessionStore } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore, createMemorySessionStore } from "../../../src/sessions/index.js";
import { createPostgresSessionStore } from "../../../src/sessions/postgres/index.js";
import { createSubagentTools, defineSubagent } from "../../../src/subagents/index.js";
import { createArtifactStore } from "../../../src/workspace/index.js";
import { testDatabase } from "../../postgres/kit.js";
import { collect, temporaryDirectory } from "../../sessions/kit.js";
import { gate, look, talking } from "../agents.js";
import { message, open } from "./kit.js";

const { pool, close } = await testDatabase();
afterAll(close);
let tenants = 0;

const stores: [string, () => SessionStore][] = [
  ["memory", () => createMemorySessionStore()],
  ["file", () => createFileSessionStore({ dir: temporaryDirectory(), durability: "process" })],
  ["PostgreSQL", () => createPostgresSessionStore({ pool, tenant: `t${++tenants}` })],
];

function chats(make: () => SessionStore, turns: readonly unknown[], more: Partial<ChatRoutesOptions> = {}) {
  const sessions = make();
  const all = open(turns, more, sessions);
  const list = async (query = "", user = "ann") => {
    const response = await all.send(user, "GET", `/chat${query}`);
    return (await response.json()) as ChatSessionPage;
  };
  const say = async (id: string, words: string) =>
    (await all.send(id.split("-")[0]!, "POST", "/chat", message(id, words))).text();
  const titles = async (query?: string, user?: string) => (await list(query, user)).sessions.map(({ title }) => title);
  return { ...all, sessions, list, say, titles };
}

const answers = (count: number) => Array.from({ length: count }, (_, index) => text(`Answer ${index + 1}.`));

test.each(stores)("a user's chats are listed newest first, in pages, by titles and words (%s)", async (_, make) => {
  const { say, list, titles, send } = chats(make, answers(5));
  await say("ann-1", "Which  rivers\nflow through Köln?");
  await say("ann-2", "x".repeat(200));
  await say("eve-1", "Eve's own.");
  await say("ann-3", "Bread, please.");
  await say("ann-1", "And through Basel?");

  expect(await titles()).toEqual(["Which rivers flow through Köln?", "Bread, please.", `${"x".repeat(79)}…`]);
  expect(await titles("", "eve")).toEqual(["Eve's own."]);
  const first = await list("?limit=2");
  expect(first.sessions.map(({ id }) => id)).toEqual(["ann-1", "ann-3"]);
  const rest = await list(`?limit=2&before=${encodeURIComponent(first.before!)}`);
  expect([rest.sessions.map(({ id }) => id), rest.before]).toEqual([["ann-2"], null]);

  expect(await titles("?search=basel")).toEqual(["Which rivers flow through Köln?"]);
  expect(await titles(`?search=${encodeURIComponent("ANSWER 4")}`)).toEqual(["Bread, please."]);
  expect(await titles("?search=own")).toEqual([]);
  for (const wrong of ["?limit=0", "?limit=x", "?limit=5000", "?before=x"])
    expect((await send("ann", "GET", `/chat${wrong}`)).status).toBe(400);
});

test.each(stores)("a chat is renamed and archived (%s)", async (_, make) => {
  const { say, titles, list, send } = chats(make, answers(2));
  await say("ann-1", "First.");
  await say("ann-2", "Second.");

  expect((await send("ann", "PATCH", "/chat/ann-1", { title: " <b>Mine</b>\n" })).status).toBe(204);
  expect((await send("ann", "PATCH", "/chat/ann-2", { archived: true })).status).toBe(204);

  expect(await titles()).toEqual(["<b>Mine</b>"]);
  expect(await titles("?search=mine")).toEqual(["<b>Mine</b>"]);
  expect(await titles("?archived=true")).toEqual(["Second."]);
  await send("ann", "PATCH", "/chat/ann-2", { archived: false });
  await send("ann", "PATCH", "/chat/ann-1", { title: null });
  const { sessions } = await list();
  expect(sessions.map(({ title, isArchived, share }) => [title, isArchived, share])).toEqual([
    ["Second.", false, null],
    ["First.", false, null],
  ]);
  for (const wrong of [{}, { title: 3 }, { title: "x".repeat(201) }, { archived: "yes" }, { owner: "eve" }, [], "x"])
    expect((await send("ann", "PATCH", "/chat/ann-1", wrong)).status).toBe(400);
  expect((await send("ann", "PATCH", "/chat/ann-9", { title: "None." })).status).toBe(404);
});

test("a chat whose run is under way is renamed, and says that it runs", async () => {
  const held = gate();
  const { send, hub } = open([], {}, createMemorySessionStore(), { provider: talking(2, () => held.opened) });
  await send("ann", "POST", "/chat", message("ann-1", "Go."));

  expect((await send("ann", "PATCH", "/chat/ann-1", { title: "Going." })).status).toBe(204);

  const { sessions } = (await (await send("ann", "GET", "/chat")).json()) as ChatSessionPage;
  expect(sessions).toMatchObject([{ id: "ann-1", title: "Going.", isRunning: true }]);
  held.open();
  await hub.stop("ann-1");
});

test("a model of the host makes titles; what it throws leaves the prompt, and a name that a person gave stays", async () => {
  const asked: unknown[] = [];
  const titleFor: ChatRoutesOptions["titleFor"] = (about) => {
    asked.push(about);
    if (asked.length === 1) throw new Error("no model");
    return "\nRivers of Cologne\n\nIt names the subject.";
  };
  const onError = vi.fn();
  const { say, titles, send } = chats(() => createMemorySessionStore(), answers(4), { titleFor, onError });
  await say("ann-1", "Which rivers?");
  expect(await titles()).toEqual(["Which rivers?"]);
  await vi.waitFor(() => expect(onError.mock.calls).toEqual([[new Error("no model")]]));
  await say("ann-1", "Tell me.");
  await expect.poll(() => titles()).toEqual(["Rivers of Cologne"]);

  await send("ann", "PATCH", "/chat/ann-1", { title: "Mine" });
  await say("ann-1", "More.");

  expect(await titles()).toEqual(["Mine"]);
  expect(asked).toEqual([
    { user: { id: "ann" }, session: "ann-1", prompt: "Which rivers?" },
    { user: { id: "ann" }, session: "ann-1", prompt: "Which rivers?" },
  ]);
});

test.each(stores)(
  "a shared chat is a page for anybody, as it was when it was shared, until it is not (%s)",
  async (_, make) => {
    const script = '<script>alert(1)</script><img src=x onerror="alert(2)">';
    const { say, send, list } = chats(
      make,
      [
        [{ type: "reasoning", text: "A secret thought." }, toolCall("look", { key: "a secret input" })] as never,
        text(script),
        text("Later answer."),
      ],
      {},
    );
    await say("ann-1", `Look. ${script}`);
    const shared = (await (await send("ann", "POST", "/chat/ann-1/share")).json()) as { token: string; path: string };
    await say("ann-1", "Said later.");

    const response = await send(null, "GET", shared.path);
    const page = await response.text();

    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).toContain("&lt;script&gt;alert(1)");
    expect(page).toContain("Used look.");
    for (const hidden of ["<script", "<img", "secret", "ann-1", "later"])
      expect(page.toLowerCase()).not.toContain(hidden);
    expect((await list()).sessions[0]!.share).toBe(shared.token);

    const again = (await (await send("ann", "POST", "/chat/ann-1/share")).json()) as { path: string };
    expect((await send(null, "GET", shared.path)).status).toBe(404);
    expect(await (await send(null, "GET", again.path)).text()).toContain("Said later.");
    expect((await send("ann", "DELETE", "/chat/ann-1/share")).status).toBe(204);
    expect((await send(null, "GET", again.path)).status).toBe(404);
    for (const token of ["ann-1", "x", "-".repeat(48), "sub-chat-1"])
      expect((await send(null, "GET", `/chat/${token}/shared`)).status).toBe(404);
  },
);

test.each(stores)(
  "a deleted chat leaves nothing: no sub-agent, artifact, title or shared page (%s)",
  async (_, make) => {
    const artifacts = temporaryDirectory();
    const forgotten: string[] = [];
    const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Help.", tools: [] });
    const sessions = make();
    const forget = async (id: string) => void forgotten.push(id);
    const turns = [
      [toolCall("look"), toolCall("task", { subagent_type: "helper", prompt: "Help." })],
      text("I helped."),
      text("Done."),
    ];
    const { send } = open(turns, { forget }, sessions, {
      tools: [{ ...look, maxResultChars: 3 }, ...createSubagentTools({ subagents: [helper] })],
      artifacts: createArtifactStore({ dir: artifacts, keep: true }),
    });
    await (await send("ann", "POST", "/chat", message("ann-1", "Go."))).text();
    await send("ann", "PATCH", "/chat/ann-1", { title: "Mine." });
    const { path } = (await (await send("ann", "POST", "/chat/ann-1/share")).json()) as { path: string };
    expect((await collect(sessions.list({ prefix: "sub-" }))).length).toBe(3);
    expect(readdirSync(artifacts)).not.toEqual([]);

    expect((await send("ann", "DELETE", "/chat/ann-1")).status).toBe(204);

    expect(await collect(sessions.list())).toEqual([]);
    expect(await collect(sessions.list({ prefix: "sub-" }))).toEqual([]);
    expect(readdirSync(artifacts)).toEqual([]);
    expect(forgotten).toEqual(["ann-1"]);
    expect((await send(null, "GET", path)).status).toBe(404);
    expect((await send("ann", "DELETE", "/chat/ann-1")).status).toBe(404);
  },
);

test("a chat that is deleted while its agent works is stopped first", async () => {
  const { send, hub, sessions } = open([], {}, createMemorySessionStore(), { provider: talking(1_000) });
  await send("ann", "POST", "/chat", message("ann-1", "Go."));

  expect((await send("ann", "DELETE", "/chat/ann-1")).status).toBe(204);

  expect(hub.findRunning("ann-1")).toBeUndefined();
  expect(await collect(sessions.list())).toEqual([]);
});

test("what is written beside a chat that is being deleted goes with it: the title of a slow model, a name", async () => {
  const [asked, titled] = [gate(), gate()];
  const { send, sessions } = open([text("Hi.")], {
    titleFor: async () => {
      asked.open();
      await titled.opened;
      return "A secret";
    },
  });
  await (await send("ann", "POST", "/chat", message("ann-1", "Go."))).text();
  await asked.opened;
  const [removed] = await Promise.all([
    send("ann", "DELETE", "/chat/ann-1"),
    send("ann", "PATCH", "/chat/ann-1", { title: "Another secret" }),
  ]);
  expect(removed.status).toBe(204);
  titled.open();

  const left = async () => [...(await collect(sessions.list())), ...(await collect(sessions.list({ prefix: "sub-" })))];
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  // The title may have been on its way when the list was empty.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await left()).toEqual([]);
});

test("a chat that another process uses is refused with 409, and nothing of it goes", async () => {
  const forgotten: string[] = [];
  const { send, sessions } = chats(() => createMemorySessionStore(), answers(1), {
    forget: (id) => void forgotten.push(id),
  });
  await (await send("ann", "POST", "/chat", message("ann-1", "Go."))).text();
  const { path } = (await (await send("ann", "POST", "/chat/ann-1/share")).json()) as { path: string };
  const release = await sessions.lock("ann-1");

  expect((await send("ann", "DELETE", "/chat/ann-1")).status).toBe(409);

  await release();
  expect(forgotten).toEqual([]);
  expect((await send(null, "GET", path)).status).toBe(200);
  expect((await send("ann", "GET", "/chat/ann-1")).status).toBe(200);
});

test("with prefixFor, no other session is asked about", async () => {
  const { say, titles, asked } = chats(() => createMemorySessionStore(), answers(2), {
    prefixFor: ({ id }) => `${id}-`,
  });
  await say("ann-1", "Ann's.");
  await say("eve-1", "Eve's.");
  asked.length = 0;

  expect(await titles()).toEqual(["Ann's."]);
  expect(asked.map(({ session }) => session)).toEqual(["ann-1"]);
});

test("who asks too often is told when to come back, and nobody else is", async () => {
  const { send } = open([], { requestsPerMinute: 5 });
  const statuses = [];
  for (let nth = 0; nth < 7; nth++) statuses.push((await send("ann", "GET", "/chat")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);

  const refused = await send("ann", "GET", "/chat");

  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(12);
  expect((await send("eve", "GET", "/chat")).status).toBe(200);
});

test("an id that is no text or empty is nobody, and only true is a yes", async () => {
  for (const id of [undefined, "", 5] as string[]) {
    const { send, asked } = open([], { identify: () => ({ id }) });
    expect((await send(null, "GET", "/chat/ann-1")).status).toBe(401);
    expect(asked).toEqual([]);
  }
  const { send, read } = open([text("Hello.")], { authorize: () => "no" as unknown as boolean });

  expect((await send("ann", "POST", "/chat", message("ann-1", "Hi."))).status).toBe(404);
  expect(read).toEqual([]);
});
