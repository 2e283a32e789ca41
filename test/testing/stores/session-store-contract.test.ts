import { expect, test } from "vitest";
import type { SessionEntry, SessionStore } from "../../../src/contracts/session.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { sessionStoreContract } from "../../../src/testing/index.js";
import { failingCases } from "../failing-cases.js";

test("a correct store passes every case, also when all cases share one store", async () => {
  const shared = createMemorySessionStore();

  expect(await failingCases(sessionStoreContract(() => shared))).toEqual([]);
});

/** A correct store with one thing broken, and a case that must notice. */
const BROKEN: Record<string, [(store: SessionStore) => Partial<SessionStore>, string]> = {
  "keeps the caller's array": [() => keepingArrays(), "changing the array after append changes nothing"],
  "drops the newest entry": [
    (store) => ({ append: (id, entries) => store.append(id, entries.slice(0, -1)) }),
    "entries are read back whole and in order, over several appends",
  ],
  "loses __proto__ keys": [
    (store) => ({ append: (id, entries) => store.append(id, entries.map(withoutProto)) }),
    "every JSON value survives",
  ],
  "forgets labels": [
    (store) => ({
      append: (id, entries) =>
        store.append(
          id,
          entries.map((entry) => ({ ...entry, label: undefined }) as SessionEntry),
        ),
    }),
    "entries keep all of their fields, also those of a later version",
  ],
  "appends out of order": [
    (store) => ({
      async append(id, entries) {
        if (entries[0]?.id.endsWith("7")) await new Promise((resolve) => setTimeout(resolve, 5));
        await store.append(id, entries);
      },
    }),
    "appends that are not awaited keep their order",
  ],
  "spreads an append over the call stack": [
    (store) => ({
      async append(id, entries) {
        if (entries.length > 4_000) throw new RangeError("Maximum call stack size exceeded");
        await store.append(id, entries);
      },
    }),
    "a megabyte in one entry and thousands of entries in one append survive",
  ],
  "mixes sessions of one prefix": [
    (store) => ({
      append: (id, entries) => store.append(id.slice(0, 45), entries),
      read: (id) => store.read(id.slice(0, 45)),
    }),
    "sessions do not mix, however alike their ids",
  ],
  "ignores case in ids": [
    (store) => ({
      append: (id, entries) => store.append(id.toLowerCase(), entries),
      read: (id) => store.read(id.toLowerCase()),
    }),
    "awkward session ids are kept apart or refused with a HarnessError",
  ],
  "throws plain errors for ids": [
    (store) => ({
      async append(id, entries) {
        if (id.includes("/")) throw new Error("ENOENT");
        await store.append(id, entries);
      },
    }),
    "awkward session ids are kept apart or refused with a HarnessError",
  ],
  "reads an unknown session as an error": [
    (store) => ({
      async *read(id) {
        const entries = [];
        for await (const entry of store.read(id)) entries.push(entry);
        if (entries.length === 0) throw new Error("unknown session");
        yield* entries;
      },
    }),
    "an unknown session reads as empty",
  ],
  "reads newest first": [
    (store) => ({
      async *read(id) {
        const entries = [];
        for await (const entry of store.read(id)) entries.unshift(entry);
        yield* entries;
      },
    }),
    "a reader gets what was there, however much is appended meanwhile",
  ],
  "never locks": [
    () => ({ lock: async () => async () => {} }),
    "a second lock is refused with SESSION_BUSY and names the session",
  ],
  "waits for the lock after a moment": [
    (store) => ({
      async lock(id) {
        await store.lock(`${id}${Math.random()}`);
        return async () => {};
      },
    }),
    "of many who want the lock at once one gets it",
  ],
  "opens another's lock with an old release": [
    (store) => lockingByName(store),
    "a released session can be locked again, and an old release does not open it",
  ],
  "has one lock for all": [(store) => ({ lock: () => store.lock("all") }), "sessions are locked one by one"],
  "frees the session with an append": [
    (store) => {
      const releases = new Map<string, () => Promise<void>>();
      return {
        async lock(id) {
          const release = await store.lock(id);
          releases.set(id, release);
          return release;
        },
        async append(id, entries) {
          await store.append(id, entries);
          await releases.get(id)?.();
        },
      };
    },
    "an append under way does not free the session",
  ],
  "appends nothing while locked": [
    (store) => {
      const locked = new Set<string>();
      return {
        lock: (id) => {
          locked.add(id);
          return store.lock(id);
        },
        append: async (id, entries) => (locked.has(id) ? undefined : store.append(id, entries)),
      };
    },
    "the holder of the lock appends and reads",
  ],
  "deletes nothing": [() => ({ delete: async () => {} }), "a deleted session is empty, unlisted, and can begin again"],
  "deletes by prefix": [
    (store) => ({
      async delete(id) {
        for await (const info of store.list({ prefix: id })) await store.delete(info.id);
      },
    }),
    "deleting an unknown session is not an error, and touches no other",
  ],
  "deletes locked sessions": [
    (store) => ({
      lock: (id) => store.lock(`lock of ${id}`),
    }),
    "a locked session is not deleted",
  ],
  "lists oldest first": [
    (store) => ({
      async *list(filter) {
        const infos = [];
        for await (const info of store.list({ ...filter })) infos.unshift(info);
        yield* infos;
      },
    }),
    "sessions are listed newest first, with times and counts",
  ],
  "ignores the limit": [
    (store) => ({ list: (filter) => store.list({ prefix: filter?.prefix ?? "" }) }),
    "a prefix is taken literally, and a limit keeps the newest",
  ],
  "lists only with a filter": [
    (store) => ({ list: (filter) => store.list(filter ?? { limit: 0 }) }),
    "without a filter every session is listed once",
  ],
  "lists sub-agents like other sessions": [
    (store) => ({
      async *list(filter) {
        yield* store.list(filter);
        if (!filter?.prefix?.startsWith("sub-")) yield* store.list({ prefix: "sub-" });
      },
    }),
    "the sessions of sub-agents are listed only for a prefix that asks for them",
  ],
  "begins a session for an append of nothing": [
    (store) => ({ append: (id, entries) => store.append(id, entries.length > 0 ? entries : [entryOf("nothing")]) }),
    "appending nothing changes nothing",
  ],
  "has one reader at a time": [
    (store) => {
      let reading = false;
      return {
        async *read(id) {
          if (reading) throw new Error("already reading");
          reading = true;
          yield* store.read(id);
          reading = false;
        },
      };
    },
    "readers do not disturb each other, also when one leaves early",
  ],
};

for (const [defect, [breakIt, noticing]] of Object.entries(BROKEN)) {
  test(`a store that ${defect} fails`, async () => {
    const makeStore = () => {
      const store = createMemorySessionStore();
      return { ...store, ...breakIt(store) };
    };

    expect(await failingCases(sessionStoreContract(makeStore))).toContain(noticing);
  });
}

test("every case is failed by some broken store", () => {
  const noticed = new Set(Object.values(BROKEN).map(([, noticing]) => noticing));

  expect(sessionStoreContract(createMemorySessionStore).map((c) => c.name)).toEqual(
    expect.arrayContaining([...noticed]),
  );
  expect(noticed.size).toBe(sessionStoreContract(createMemorySessionStore).length);
});

function keepingArrays(): Partial<SessionStore> {
  const batches: [string, readonly SessionEntry[]][] = [];
  return {
    append: async (id, entries) => void batches.push([id, entries]),
    async *read(id) {
      for (const [batchId, entries] of batches) if (batchId === id) yield* entries;
    },
  };
}

function lockingByName(store: SessionStore): Partial<SessionStore> {
  const releases = new Map<string, () => Promise<void>>();
  return {
    async lock(id) {
      releases.set(id, await store.lock(id));
      return async () => releases.get(id)?.();
    },
  };
}

function withoutProto(entry: SessionEntry): SessionEntry {
  return JSON.parse(JSON.stringify(entry), (key, value) => (key === "__proto__" ? undefined : value));
}

function entryOf(id: string): SessionEntry {
  return { v: 1, id, parent: null, at: 1_000, runId: "r", turn: 1, type: "run-start" };
}
