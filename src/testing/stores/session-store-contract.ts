import { isHarnessError } from "../../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { type ContractCase, claim, claimFailure, claimSame, collect, show, within } from "../contract-case.js";
import { AWKWARD_IDS, AWKWARD_JSON, FULL_ENTRIES, makeEntries, makeEntry } from "./sample-entries.js";

/**
 * The promises of every `SessionStore`.
 *
 * `makeStore` is called once for each case. The stores may share what they keep: each case uses session ids of its own.
 *
 * @example
 * for (const c of sessionStoreContract(() => createMemorySessionStore())) test(c.name, c.run);
 */
export function sessionStoreContract(makeStore: () => SessionStore | Promise<SessionStore>): ContractCase[] {
  const cases = { ...entryCases, ...lockCases, ...deleteCases, ...listCases };
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      const store = await makeStore();
      await within(CASE_TIMEOUT_MS, check(store, `contract-${globalThis.crypto.randomUUID()}`), name);
    },
  }));
}

const CASE_TIMEOUT_MS = 60_000;

/** Checks one claim on a store; `id` is a session id nobody else uses. */
type Check = (store: SessionStore, id: string) => Promise<void>;

const entryCases: Record<string, Check> = {
  "an unknown session reads as empty": async (store, id) => {
    claimSame(await collect(store.read(id)), [], "entries of an unknown session");
  },

  "entries are read back whole and in order, over several appends": async (store, id) => {
    const entries = makeEntries(7);

    await store.append(id, entries.slice(0, 3));
    await store.append(id, entries.slice(3, 4));
    await store.append(id, entries.slice(4));

    claimSame(await collect(store.read(id)), entries, "entries");
  },

  "every JSON value survives": survive(() => AWKWARD_JSON.map((json, at) => makeEntry(at, { data: JSON.parse(json) }))),

  "entries keep all of their fields, also those of a later version": survive(() => FULL_ENTRIES),

  "a megabyte in one entry and thousands of entries in one append survive": survive(() => [
    makeEntry(0, { data: "ab\n€😀 ".repeat(150_000) }),
    ...makeEntries(5_000, 1),
  ]),

  "changing the array after append changes nothing": async (store, id) => {
    const entries = makeEntries(2);
    const passed = [...entries];

    const appended = store.append(id, passed);
    passed.length = 0;
    passed.push(makeEntry(9));
    await appended;

    claimSame(await collect(store.read(id)), entries, "entries");
  },

  "appending nothing changes nothing": async (store, id) => {
    const entries = makeEntries(1);

    await store.append(id, []);
    await store.append(id, entries);
    await store.append(id, []);

    claimSame(await collect(store.read(id)), entries, "entries");
  },

  "appends that are not awaited keep their order": async (store, id) => {
    const entries = makeEntries(40);

    await Promise.all(entries.map((entry) => store.append(id, [entry])));

    claimSame(await collect(store.read(id)), entries, "entries");
  },

  "sessions do not mix, however alike their ids": async (store, id) => {
    const ids = [id, `${id}-`, `${id}-1`, `${id}-2`];

    await Promise.all(ids.map((each, index) => store.append(each, [makeEntry(index)])));

    for (const [index, each] of ids.entries())
      claimSame(await collect(store.read(each)), [makeEntry(index)], `entries of ${show(each)}`);
  },

  "awkward session ids are kept apart or refused with a HarnessError": async (store, id) => {
    const ids = AWKWARD_IDS.map((awkward) => awkward.replaceAll("ID", id));
    const accepted: [string, SessionEntry][] = [];

    for (const [index, each] of ids.entries()) {
      const entry = makeEntry(index);
      const refusal = await store.append(each, [entry]).catch((error: unknown) => error);
      const problem = `append to session ${show(each)} failed without a HarnessError: ${show(refusal)}`;
      if (refusal === undefined) accepted.push([each, entry]);
      else claim(isHarnessError(refusal), problem);
    }

    for (const [each, entry] of accepted)
      claimSame(await collect(store.read(each)), [entry], `entries of session ${show(each)}`);
  },

  "a reader gets what was there, however much is appended meanwhile": async (store, id) => {
    const entries = makeEntries(20);
    await store.append(id, entries.slice(0, 5));

    const seen: SessionEntry[] = [];
    for await (const entry of store.read(id)) {
      seen.push(entry);
      if (seen.length <= 3) await store.append(id, entries.slice(seen.length * 5, seen.length * 5 + 5));
      claim(seen.length <= entries.length, "a reader was given more entries than there are.");
    }

    claim(seen.length >= 5, `a reader was given ${seen.length} of 5 entries that were there when it began.`);
    claimSame(seen, entries.slice(0, seen.length), "entries read during appends");
    claimSame(await collect(store.read(id)), entries, "entries read afterwards");
  },

  "readers do not disturb each other, also when one leaves early": async (store, id) => {
    const entries = makeEntries(10);
    await store.append(id, entries);

    const [all] = await Promise.all([collect(store.read(id)), readOne(store, id), readOne(store, id)]);

    claimSame(all, entries, "entries");
    claimSame(await collect(store.read(id)), entries, "entries read again");
  },
};

const lockCases: Record<string, Check> = {
  "a second lock is refused with SESSION_BUSY and names the session": async (store, id) => {
    const release = await store.lock(id);

    const error = await claimFailure(() => store.lock(id), "SESSION_BUSY", "a second lock");

    claim(error.message.includes(id), `the message of SESSION_BUSY does not name the session: ${show(error)}`);
    await release();
  },

  "of many who want the lock at once one gets it": async (store, id) => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => store.lock(id)));

    const locks = outcomes.filter((outcome) => outcome.status === "fulfilled");
    claim(locks.length === 1, `${locks.length} of 8 got the lock of one session; expected 1.`);
    await locks[0]!.value();
  },

  "a released session can be locked again, and an old release does not open it": async (store, id) => {
    const release = await store.lock(id);
    await release();
    const releaseNext = await store.lock(id);

    await release();

    await claimFailure(() => store.lock(id), "SESSION_BUSY", "a lock after an old release was called again");
    await releaseNext();
  },

  "sessions are locked one by one": async (store, id) => {
    const release = await store.lock(id);

    const releaseOther = await store.lock(`${id}-other`);

    await Promise.all([release(), releaseOther()]);
  },

  "an append under way does not free the session": async (store, id) => {
    const entries = makeEntries(1);
    const release = await store.lock(id);

    const appending = store.append(id, entries);
    await claimFailure(() => store.lock(id), "SESSION_BUSY", "a lock while the holder appends");
    await appending;
    await claimFailure(() => store.lock(id), "SESSION_BUSY", "a lock after the holder has appended");
    await release();

    const releaseNext = await store.lock(id);
    claimSame(await collect(store.read(id)), entries, "what the next holder reads");
    await releaseNext();
  },

  "the holder of the lock appends and reads": async (store, id) => {
    const entries = makeEntries(2);
    const release = await store.lock(id);

    await store.append(id, entries);
    const held = await collect(store.read(id));
    await release();

    claimSame(held, entries, "entries while locked");
    claimSame(await collect(store.read(id)), entries, "entries after the release");
  },
};

const deleteCases: Record<string, Check> = {
  "a deleted session is empty, unlisted, and can begin again": async (store, id) => {
    await store.append(id, makeEntries(3));

    await store.delete(id);

    claimSame(await collect(store.read(id)), [], "entries after delete");
    claimSame(await collect(store.list({ prefix: id })), [], "sessions after delete");
    await store.append(id, [makeEntry(7)]);
    claimSame(await collect(store.read(id)), [makeEntry(7)], "entries appended after delete");
  },

  "deleting an unknown session is not an error, and touches no other": async (store, id) => {
    await store.append(`${id}-other`, makeEntries(1));

    await store.delete(id);

    claimSame(await collect(store.read(`${id}-other`)), makeEntries(1), "entries of another session");
  },

  "a locked session is not deleted": async (store, id) => {
    const release = await store.lock(id);
    await store.append(id, makeEntries(2));

    await claimFailure(() => store.delete(id), "SESSION_BUSY", "deleting a locked session");

    claimSame(await collect(store.read(id)), makeEntries(2), "entries after the refused delete");
    await release();
    await store.delete(id);
    claimSame(await collect(store.read(id)), [], "entries after the delete");
  },
};

const listCases: Record<string, Check> = {
  "the sessions of sub-agents are listed only for a prefix that asks for them": async (store, id) => {
    const child = `sub-${id}`;
    await store.append(id, makeEntries(1));
    await store.append(child, makeEntries(1));

    const ours = (await listedIds(store, {})).filter((each) => each.includes(id));
    const withS = await listedIds(store, { prefix: "s" });

    claimSame(ours, [id], "all sessions");
    claimSame(withS.includes(child), false, "the sub-agent's among those with the prefix s");
    claimSame(await listedIds(store, { prefix: child }), [child], "sessions with the sub-agent's prefix");
    await store.delete(child);
  },

  "sessions are listed newest first, with times and counts": async (store, id) => {
    await store.append(`${id}-a`, [makeEntry(0, { at: 1_000 }), makeEntry(1, { at: 4_000 })]);
    await store.append(`${id}-b`, [makeEntry(0, { at: 2_000 })]);
    await store.append(`${id}-c`, [makeEntry(0, { at: 3_000 })]);

    claimSame(
      await collect(store.list({ prefix: id })),
      [
        { id: `${id}-a`, createdAt: 1_000, updatedAt: 4_000, entries: 2 },
        { id: `${id}-c`, createdAt: 3_000, updatedAt: 3_000, entries: 1 },
        { id: `${id}-b`, createdAt: 2_000, updatedAt: 2_000, entries: 1 },
      ],
      "sessions",
    );
  },

  "a prefix is taken literally, and a limit keeps the newest": async (store, id) => {
    const ids = [`${id}-x-1`, `${id}-x-2`, `${id}-x-3`, `${id}-y-1`];
    for (const [index, each] of ids.entries()) await store.append(each, [makeEntry(0, { at: 1_000 + index })]);

    claimSame(await listedIds(store, { prefix: `${id}-x` }), [ids[2], ids[1], ids[0]], "sessions with a prefix");
    claimSame(await listedIds(store, { prefix: id, limit: 2 }), [ids[3], ids[2]], "sessions with a limit of 2");
    claimSame(await listedIds(store, { prefix: id, limit: 0 }), [], "sessions with a limit of 0");
    for (const prefix of ["*", ".", "%", "_"].map((pattern) => `${id}${pattern}x`)) {
      claimSame(await listedIds(store, { prefix }), [], `sessions with the prefix ${show(prefix)}`);
    }
  },

  "without a filter every session is listed once": async (store, id) => {
    await store.append(id, makeEntries(1));

    const listed = (await listedIds(store)).filter((each) => each === id);

    claim(listed.length === 1, `a session is listed ${listed.length} times; expected once.`);
  },
};

function survive(make: () => readonly SessionEntry[]): Check {
  return async (store, id) => {
    const entries = make();
    await store.append(id, entries);
    claimSame(await collect(store.read(id)), entries, "entries");
  };
}

async function listedIds(store: SessionStore, filter?: Parameters<SessionStore["list"]>[0]): Promise<string[]> {
  return (await collect(store.list(filter))).map(({ id }) => id);
}

async function readOne(store: SessionStore, id: string): Promise<void> {
  for await (const _ of store.read(id)) return;
}
