import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionStore } from "../../src/contracts/session.js";
import { AgentEngine, defineTool, validateTranscript } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import {
  createFileSessionStore,
  createMemorySessionStore,
  forkSession,
  rewindSession,
} from "../../src/sessions/index.js";
import { collect, entries, idsOf, temporaryDirectory } from "./kit.js";

const stores: [string, () => SessionStore][] = [
  ["memory", () => createMemorySessionStore()],
  ["file", () => createFileSessionStore({ dir: temporaryDirectory(), durability: "process" })],
];

/** The id of the entry that holds the n-th message of a role. */
async function entryOf(store: SessionStore, id: string, role: string, n: number): Promise<string> {
  const said = (await collect(store.read(id))).filter(
    (entry) => entry.type === "message" && entry.message.role === role,
  );
  return said[n]!.id;
}

function textsOf(messages: readonly { readonly content: readonly unknown[] }[]): unknown[] {
  return messages.map(({ content }) => (content[0] as { text?: string }).text);
}

test.each(stores)(
  "a fork goes on from an entry with the past of its original, which stays as it is (%s)",
  async (_, make) => {
    const sessions = make();
    const provider = scripted([text("one"), text("two"), text("other two"), text("three")]);
    const engine = new AgentEngine({ provider, sessions });
    await engine.run("first", { sessionId: "s" });
    await engine.run("second", { sessionId: "s" });
    const before = await collect(sessions.read("s"));

    const fork = await forkSession(sessions, "s", await entryOf(sessions, "s", "assistant", 0));
    const inFork = await engine.run("other second", { sessionId: fork });
    const inOriginal = await engine.run("third", { sessionId: "s" });

    expect(textsOf(inFork.messages())).toEqual(["first", "one", "other second", "other two"]);
    expect(textsOf(inOriginal.messages())).toEqual(["first", "one", "second", "two", "third", "three"]);
    expect((await collect(sessions.read("s"))).slice(0, before.length)).toEqual(before);
  },
);

test.each(stores)("a rewound session goes on from the entry, and can be brought back (%s)", async (_, make) => {
  const sessions = make();
  const engine = new AgentEngine({
    provider: scripted([text("one"), text("two"), text("2"), text("three")]),
    sessions,
  });
  await engine.run("first", { sessionId: "s" });
  await engine.run("second", { sessionId: "s" });
  const newest = (await collect(sessions.read("s"))).at(-1)!.id;

  await rewindSession(sessions, "s", await entryOf(sessions, "s", "assistant", 0));
  const rewound = await engine.run("other second", { sessionId: "s" });
  await rewindSession(sessions, "s", newest);
  const back = await engine.run("third", { sessionId: "s" });

  expect(textsOf(rewound.messages())).toEqual(["first", "one", "other second", "2"]);
  expect(textsOf(back.messages())).toEqual(["first", "one", "second", "two", "third", "three"]);
});

test("rewinding to a prompt and resuming asks the model again", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([text("bad"), text("better")]), sessions });
  await engine.run("a poem", { sessionId: "s" });

  await rewindSession(sessions, "s", await entryOf(sessions, "s", "user", 0));
  const result = await engine.resume("s").result;

  expect(result).toMatchObject({ status: "completed", text: "better" });
  expect(textsOf(result.messages())).toEqual(["a poem", "better"]);
});

test("rewinding to a prompt offers it back, and a new prompt takes its place", async () => {
  for (const sessions of [createMemorySessionStore(), createFileSessionStore({ dir: temporaryDirectory() })]) {
    const engine = new AgentEngine({
      provider: scripted([text("one"), text("bad"), text("good"), text("three"), text("first again")]),
      sessions,
    });
    await engine.run("hello", { sessionId: "s" });
    await engine.run("a poem", { sessionId: "s" });

    const { prompt } = await rewindSession(sessions, "s", await entryOf(sessions, "s", "user", 1));
    const edited = await engine.run("a haiku", { sessionId: "s" });
    const later = await engine.run("another", { sessionId: "s" });
    const again = await rewindSession(sessions, "s", await entryOf(sessions, "s", "user", 0));
    const fresh = await engine.run("hi", { sessionId: "s" });

    expect(prompt).toEqual([{ type: "text", text: "a poem" }]);
    expect(textsOf(edited.messages())).toEqual(["hello", "one", "a haiku", "good"]);
    expect(textsOf(later.messages())).toEqual(["hello", "one", "a haiku", "good", "another", "three"]);
    expect(again.prompt).toEqual([{ type: "text", text: "hello" }]);
    expect(textsOf(fresh.messages())).toEqual(["hi", "first again"]);
    expect((await rewindSession(sessions, "s", await entryOf(sessions, "s", "assistant", 0))).prompt).toBeNull();
  }
});

test("forked and rewound at any of its entries, a session with tool calls goes on with a valid transcript", async () => {
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: async () => "acted" });
  const allow = { decide: () => ({ behavior: "allow" as const }) };
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([[toolCall("act"), toolCall("act")], toolCall("act"), text("done")]),
    tools: [act],
    permissions: allow,
    sessions,
  });
  await engine.run("go", { sessionId: "s" });
  const ids = await idsOf(sessions, "s");

  for (const id of ids) {
    const next = new AgentEngine({ provider: scripted([text("new")]), tools: [act], permissions: allow, sessions });
    const fork = await forkSession(sessions, "s", id);
    const { prompt } = await rewindSession(sessions, "s", id);
    const forked = await next.run("again", { sessionId: fork });
    const rewound = await new AgentEngine({ provider: scripted([text("new")]), tools: [act], sessions }).run("again", {
      sessionId: "s",
    });

    expect(validateTranscript(forked.messages()), id).toEqual([]);
    // A fork keeps the prompt that a rewound session is given again.
    const texts = textsOf(forked.messages());
    if (prompt) texts.splice(texts.lastIndexOf("again") - 1, 1);
    expect(textsOf(rewound.messages()), id).toEqual(texts);
  }
  expect(ids.length).toBeGreaterThan(10);
});

test("a fork holds the entries that lead to its own, also from a branch that was left", async () => {
  const store = createMemorySessionStore();
  await store.append("s", entries(4));
  await rewindSession(store, "s", "e1");
  await store.append("s", [{ ...entries(1)[0]!, id: "other", parent: "e1" }]);

  await forkSession(store, "s", "e3", "left");
  await forkSession(store, "s", "other", "taken");

  expect(await idsOf(store, "left")).toEqual(["e0", "e1", "e2", "e3"]);
  expect(await idsOf(store, "taken")).toEqual(["e0", "e1", "other"]);
});

test("a question that waits is answered in the fork by its own session id", async () => {
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: async () => "acted" });
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({
    provider: scripted([toolCall("act"), text("a"), text("b")]),
    tools: [act],
    sessions,
  });
  await engine.run("go", { sessionId: "s" });
  const fork = await forkSession(sessions, "s", (await idsOf(sessions, "s")).at(-1)!, "fork");

  const [waiting] = (await engine.resume(fork).result).pending;
  const answered = await engine.resume(waiting!.sessionId, { answers: [{ id: waiting!.id, decision: "allow" }] })
    .result;

  expect(waiting!.sessionId).toBe("fork");
  expect(answered).toMatchObject({ status: "completed", sessionId: "fork" });
  expect(await engine.resume("s").result).toMatchObject({ status: "needs-approval" });
});

test("forking saves what stands before the damage of a session", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  for (const entry of entries(5)) await store.append("s", [entry]);
  const path = join(dir, "s.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace('"data":"3"', '"data":"4"'));

  const { details } = await idsOf(store, "s").catch((error) => error);
  await forkSession(store, "s", details.lastIntactEntry, "saved");

  expect(await idsOf(store, "saved")).toEqual(["e0", "e1", "e2"]);
});

test("rewinding to the newest entry changes nothing", async () => {
  const store = createMemorySessionStore();
  await store.append("s", entries(2));

  await rewindSession(store, "s", "e1");

  expect(await idsOf(store, "s")).toEqual(["e0", "e1"]);
});

test("what cannot be forked or rewound is refused, and everything stays as it was", async () => {
  const store = createMemorySessionStore();
  await store.append("s", entries(2));
  await store.append("t", entries(1));
  const refused = async (work: Promise<unknown>, code: string, about: string) =>
    expect(work).rejects.toMatchObject({ code, message: expect.stringContaining(about) });

  await refused(forkSession(store, "nobody", "e0"), "SESSION_NOT_FOUND", '"nobody"');
  await refused(rewindSession(store, "nobody", "e0"), "SESSION_NOT_FOUND", '"nobody"');
  await refused(forkSession(store, "s", "e9"), "OPTION_INVALID", '"e9"');
  await refused(rewindSession(store, "s", "e9"), "OPTION_INVALID", '"e9"');
  await refused(forkSession(store, "s", "e0", "t"), "OPTION_INVALID", '"t"');
  await refused(forkSession(store, "s", "e0", "s"), "OPTION_INVALID", '"s"');
  const release = await store.lock("s");
  await refused(rewindSession(store, "s", "e0"), "SESSION_BUSY", '"s"');
  await release();

  expect((await collect(store.list())).map(({ id, entries }) => [id, entries]).sort()).toEqual([
    ["s", 2],
    ["t", 1],
  ]);
  await (await store.lock("t"))();
});

test("a session whose entries follow one that is missing is refused rather than cut short", async () => {
  const sessions = createMemorySessionStore();
  await sessions.append("s", [...entries(2), { ...entries(1)[0]!, id: "e9", parent: "e8" }]);
  await sessions.append("round", [
    entries(1)[0]!,
    { ...entries(1)[0]!, id: "e1", parent: "e2" },
    { ...entries(1)[0]!, id: "e2", parent: "e1" },
  ]);
  const engine = new AgentEngine({ provider: scripted([]), sessions });

  for (const sessionId of ["s", "round"]) {
    const result = await engine.run("go", { sessionId });

    expect(result).toMatchObject({ status: "failed", error: { code: "SESSION_CORRUPT" } });
    const newest = (await idsOf(sessions, sessionId)).at(-1)!;
    await expect(forkSession(sessions, sessionId, newest)).rejects.toMatchObject({ code: "SESSION_CORRUPT" });
  }
});
