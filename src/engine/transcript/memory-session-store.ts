import { SessionError } from "../../contracts/errors.js";
import type { Release, SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { byDefault, checkOptions, type OptionTable, optionOf } from "../../json/check-options.js";
import { isListed } from "./child-id.js";
import { readListFilter } from "./list-filter.js";

/** Options of `createMemorySessionStore()`. */
export interface MemorySessionStoreOptions {
  /**
   * Sessions kept. Beyond it the least recently used session that is not locked is dropped, with its entries.
   *
   * Used means appended to, read or locked. While all others are locked there may be more. Default: 1000.
   */
  readonly maxSessions?: number | undefined;
}

const OPTIONS = {
  maxSessions: byDefault(
    1_000,
    optionOf((value) => typeof value === "number" && value >= 1, "a number of sessions, at least 1"),
  ),
} satisfies OptionTable<MemorySessionStoreOptions>;

interface StoredSession {
  readonly entries: SessionEntry[];
  /** Orders sessions whose newest entries are of the same millisecond. */
  appendedAs: number;
}

/**
 * Keeps sessions in this process; they end with it.
 *
 * Entries are kept as they are given, not copied: they belong to the store from then on and must not change. The array
 * they came in stays the caller's. A reader sees the session as it was when `read` was called.
 *
 * @throws ConfigurationError `OPTION_INVALID` unless `maxSessions` is at least 1
 */
export function createMemorySessionStore(options: MemorySessionStoreOptions = {}): SessionStore {
  const { maxSessions } = checkOptions("createMemorySessionStore()", options, OPTIONS);
  const sessions = new Map<string, StoredSession>();
  const locked = new Set<string>();
  /** The sessions that are not locked, least recently used first: dropping one looks at no other. */
  const idle = new Set<string>();
  let appends = 0;

  function touch(id: string): StoredSession | undefined {
    if (idle.delete(id)) idle.add(id);
    return sessions.get(id);
  }

  /** Never drops `justOpened`: what it was opened for is about to be kept. */
  function dropUnused(justOpened?: string): void {
    while (sessions.size > maxSessions) {
      const [oldest] = idle;
      // It is the newest, so nothing else is idle.
      if (oldest === undefined || oldest === justOpened) return;
      idle.delete(oldest);
      sessions.delete(oldest);
    }
  }

  function open(id: string): StoredSession {
    const session: StoredSession = { entries: [], appendedAs: 0 };
    sessions.set(id, session);
    if (!locked.has(id)) idle.add(id);
    dropUnused(id);
    return session;
  }

  return {
    append(id, entries) {
      if (entries.length === 0) return KEPT;
      const session = touch(id) ?? open(id);
      for (let at = 0; at < entries.length; at++) session.entries.push(entries[at]!);
      session.appendedAs = ++appends;
      return KEPT;
    },

    read(id) {
      const entries = touch(id)?.entries ?? [];
      return readFirst(entries, entries.length);
    },

    async lock(id) {
      if (locked.has(id)) throw sessionInUse(id, "is in use by another run");
      locked.add(id);
      idle.delete(id);
      return releaseOnce(() => {
        locked.delete(id);
        if (sessions.has(id)) idle.add(id);
        dropUnused();
      });
    },

    async *list(filter) {
      const { prefix, limit } = readListFilter(filter);
      const matching = [...sessions].filter(([id]) => isListed(id, prefix));
      const infos = matching.map(([id, session]) => ({ info: infoOf(id, session), session }));
      infos.sort((a, b) => b.info.updatedAt - a.info.updatedAt || b.session.appendedAs - a.session.appendedAs);
      for (const { info } of infos.slice(0, limit)) yield info;
    },

    async delete(id) {
      if (locked.has(id)) throw sessionInUse(id, "cannot be deleted while it is in use");
      idle.delete(id);
      sessions.delete(id);
    },
  };
}

/** One promise for every append: nothing here has to be waited for. */
const KEPT = Promise.resolve();

async function* readFirst(entries: readonly SessionEntry[], count: number): AsyncGenerator<SessionEntry> {
  for (let index = 0; index < count; index += 1) yield entries[index]!;
}

/** Gives a lock back, however often it is called. */
export function releaseOnce(release: () => void | Promise<void>): Release {
  let released: Promise<void> | undefined;
  return () => (released ??= Promise.resolve(release()));
}

function infoOf(id: string, { entries }: StoredSession): SessionInfo {
  return { id, createdAt: entries[0]!.at, updatedAt: entries.at(-1)!.at, entries: entries.length };
}

/** A store's refusal to lock or delete a session that a run uses. `problem` says who uses it. */
export function sessionInUse(id: string, problem: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${id}" ${problem}. Wait until its run has ended, or use another session id.`,
    retryable: true,
  });
}
