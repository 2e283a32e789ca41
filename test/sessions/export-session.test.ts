import { expect, test } from "vitest";
import type { SessionStore } from "../../src/contracts/session.js";
import { AgentEngine, defineTool } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import {
  createFileSessionStore,
  createMemorySessionStore,
  exportSession,
  importSession,
  rewindSession,
  type SessionExport,
} from "../../src/sessions/index.js";
import { AWKWARD_JSON } from "../../src/testing/stores/sample-entries.js";
import { collect, entries, idsOf, temporaryDirectory } from "./kit.js";

const ask = defineTool({ name: "ask", description: "Asks.", permission: "execute", execute: async () => "asked" });

/** A session with tool calls, a branch that was left, and a question that waits. */
async function livedSession(): Promise<SessionStore> {
  const sessions = createMemorySessionStore();
  const provider = scripted([text("one"), toolCall("ask")]);
  const engine = new AgentEngine({ provider, tools: [ask], sessions });
  await engine.run("first", { sessionId: "s" });
  await rewindSession(sessions, "s", (await idsOf(sessions, "s"))[0]!);
  await engine.run("second", { sessionId: "s" });
  return sessions;
}

test("an exported session is one JSON file, and imported elsewhere it is the same session", async () => {
  const from = await livedSession();
  const to = createFileSessionStore({ dir: temporaryDirectory() });

  const json = await exportSession(from, "s");
  const id = await importSession(to, json);

  expect(JSON.parse(json)).toMatchObject({ format: "loopwright-session", v: 1, id: "s" });
  expect(id).toBe("s");
  expect(await collect(to.read("s"))).toEqual(JSON.parse(JSON.stringify(await collect(from.read("s")))));
  expect(await exportSession(to, "s")).toBe(json);
});

test("an imported session goes on: its question is answered under its new id", async () => {
  const json = await exportSession(await livedSession(), "s");
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([text("done")]), tools: [ask], sessions });

  const id = await importSession(sessions, JSON.parse(json) as SessionExport, "t");
  const [question] = (await engine.resume(id).result).pending;
  const result = await engine.resume("t", { answers: [{ id: question!.id, decision: "allow" }] }).result;

  expect(question).toMatchObject({ sessionId: "t" });
  expect(result).toMatchObject({ status: "completed", text: "done" });
});

test("every JSON value survives export and import", async () => {
  const store = createMemorySessionStore();
  const sent = entries(AWKWARD_JSON.length).map((entry, index) => ({
    ...entry,
    data: JSON.parse(AWKWARD_JSON[index]!),
  }));
  await store.append("s", sent);

  await importSession(store, await exportSession(store, "s"), "t");

  expect(JSON.stringify(await collect(store.read("t")))).toBe(JSON.stringify(sent));
});

test("an export cut off at any character is refused, and nothing of it is kept", async () => {
  const from = createMemorySessionStore();
  await from.append("s", entries(2));
  const json = (await exportSession(from, "s")).trimEnd();
  const to = createMemorySessionStore();

  for (let length = 0; length < json.length; length++) {
    await expect(importSession(to, json.slice(0, length))).rejects.toMatchObject({ code: "SESSION_CORRUPT" });
  }

  expect(await collect(to.list())).toEqual([]);
});

const prompt = {
  ...entries(1)[0]!,
  type: "message",
  message: { role: "user", content: [{ type: "text", text: "hi" }] },
};
const result = { toolCallId: "a", name: "x", output: "", isError: false, status: "success", durationMs: 0 };

test.each<[string, string, unknown]>([
  ["another format", "SESSION_CORRUPT", { format: "other" }],
  ["no entries", "SESSION_CORRUPT", { entries: [] }],
  ["no id", "SESSION_CORRUPT", { id: "" }],
  ["a newer file", "SESSION_VERSION", { v: 2 }],
  ["a newer entry", "SESSION_VERSION", { entries: [{ ...entries(1)[0], v: 2 }] }],
  ["an entry that is not one", "SESSION_CORRUPT", { entries: [null] }],
  ["an entry without a date", "SESSION_CORRUPT", { entries: [{ ...entries(1)[0], at: undefined }] }],
  ["an entry that follows none", "SESSION_CORRUPT", { entries: entries(2, 3) }],
  ["an entry that follows itself", "SESSION_CORRUPT", { entries: [{ ...entries(1)[0], parent: "e0" }] }],
  ["an id used twice", "SESSION_CORRUPT", { entries: [...entries(1), ...entries(1)] }],
  [
    "a message that is not one",
    "SESSION_CORRUPT",
    { entries: [{ ...prompt, message: { role: "user", content: "hi" } }] },
  ],
  ["a system message", "SESSION_CORRUPT", { entries: [{ ...prompt, message: { role: "system", content: [] } }] }],
  ["an unknown type", "TRANSCRIPT_INVALID", { entries: [{ ...entries(1)[0], type: "what" }] }],
  ["a result without its call", "TRANSCRIPT_INVALID", { entries: [{ ...entries(1)[0], type: "tool-result", result }] }],
  ["a question about nothing", "SESSION_CORRUPT", { entries: [{ ...entries(1)[0], type: "pending" }] }],
])("%s is refused with %s, and nothing of it is kept", async (_what, code, change) => {
  const store = createMemorySessionStore();
  const good = { format: "loopwright-session", v: 1, id: "s", entries: entries(1) };

  const work = importSession(store, { ...good, ...(change as object) } as SessionExport);

  await expect(work).rejects.toMatchObject({ code });
  expect(await collect(store.list())).toEqual([]);
});

test("a session that exists is never imported over, and an unknown one not exported", async () => {
  const store = createMemorySessionStore();
  await store.append("s", entries(1));
  const json = await exportSession(store, "s");

  await expect(importSession(store, json)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(exportSession(store, "t")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });

  expect(await idsOf(store, "s")).toEqual(["e0"]);
});
