import { expect, test } from "vitest";
import type { SessionEntry } from "../../../src/contracts/session.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { sessionStoreContract } from "../../../src/testing/index.js";

for (const c of sessionStoreContract(() => createMemorySessionStore())) test(c.name, c.run);

test("entries are kept as they are given, not copied", async () => {
  const store = createMemorySessionStore();
  const entry = makeEntry();

  await store.append("a", [entry]);

  expect((await readAll(store, "a"))[0]).toBe(entry);
});

test("a reader sees the session as it was when read was called", async () => {
  const store = createMemorySessionStore();
  await store.append("a", [makeEntry(), makeEntry()]);
  const entries = store.read("a");

  await store.append("a", [makeEntry()]);
  await store.delete("a");

  expect(await collect(entries)).toHaveLength(2);
});

test("beyond maxSessions the least recently used session is dropped", async () => {
  const store = createMemorySessionStore({ maxSessions: 3 });
  for (const id of ["a", "b", "c", "d"]) await store.append(id, [makeEntry()]);
  await store.append("b", [makeEntry()]);
  await readAll(store, "c");
  await (await store.lock("d"))();
  await store.append("e", [makeEntry()]);

  const kept = await idsOf(store);

  expect(kept.sort()).toEqual(["c", "d", "e"]);
});

test("a locked session is never dropped, and the count is restored once it is released", async () => {
  const store = createMemorySessionStore({ maxSessions: 2 });
  const releases = [];
  for (const id of ["a", "b", "c"]) {
    releases.push(await store.lock(id));
    await store.append(id, [makeEntry()]);
  }
  await store.append("d", [makeEntry()]);

  const whileLocked = await idsOf(store);
  for (const release of releases) await release();
  const afterwards = await idsOf(store);

  expect(whileLocked.sort()).toEqual(["a", "b", "c", "d"]);
  expect(afterwards).toHaveLength(2);
});

test("what was just appended is never what is dropped", async () => {
  const store = createMemorySessionStore({ maxSessions: 1 });
  const release = await store.lock("a");
  await store.append("a", [makeEntry()]);

  await store.append("b", [makeEntry()]);

  expect(await readAll(store, "b")).toHaveLength(1);
  await release();
  expect(await idsOf(store)).toHaveLength(1);
});

test("sessions of the same millisecond are listed by their last append", async () => {
  const store = createMemorySessionStore();
  for (const id of ["a", "b", "c", "a"]) await store.append(id, [makeEntry()]);

  expect(await idsOf(store)).toEqual(["a", "c", "b"]);
});

test("a busy session is refused with a message that says what to do", async () => {
  const store = createMemorySessionStore();
  await store.lock("tuesday");

  await expect(store.lock("tuesday")).rejects.toMatchObject({
    code: "SESSION_BUSY",
    message: 'Session "tuesday" is in use by another run. Wait until its run has ended, or use another session id.',
  });
});

test("a maxSessions below 1 is refused", () => {
  for (const maxSessions of [0, -1, Number.NaN, "many" as unknown as number]) {
    expect(() => createMemorySessionStore({ maxSessions })).toThrow(
      expect.objectContaining({
        code: "OPTION_INVALID",
        message: expect.stringContaining("maxSessions"),
      }),
    );
  }
});

type Store = ReturnType<typeof createMemorySessionStore>;

function makeEntry(): SessionEntry {
  return Object.freeze({ v: 1, id: "e", parent: null, at: 1_000, runId: "r", turn: 1, type: "run-start" });
}

function readAll(store: Store, id: string): Promise<SessionEntry[]> {
  return collect(store.read(id));
}

async function idsOf(store: Store): Promise<string[]> {
  return (await collect(store.list())).map((info) => info.id);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
