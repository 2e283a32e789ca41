import { SessionError } from "../../contracts/errors.js";
import type { Release, SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { checkOptions, type OptionTable, optionOf } from "../../json/check-options.js";
import { isListed } from "./child-id.js";

export interface MemorySessionStoreOptions {
  /**
   * Sessions kept. Beyond it the least recently used session that is not locked is dropped, with its entries.
   *
   * Used means appended to, read or locked. While all others are locked there may be more. Default: 1000.
   */
  readonly maxSessions?: number | undefined;
}

const OPTIONS = {
  maxSessions: optionOf((value) => typeof value === "number" && value >= 1, "a number of sessions, at least 1"),
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
  checkOptions("createMemorySessionStore()", options, OPTIONS);
  const { maxSessions = 1000 } = options;
  /** Least recently used first. */
  const sessions = new Map<string, StoredSession>();
  const locked = new Set<string>();
  let appends = 0;

  function touch(id: string): StoredSession | undefined {
    const session = sessions.get(id);
    if (session === undefined) return undefined;
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  }

  /** Never drops `justOpened`: what it was opened for is about to be kept. */
  function dropUnused(justOpened?: string): void {
    if (sessions.size <= maxSessions) return;
    for (const id of sessions.keys()) {
      if (id === justOpened || locked.has(id)) continue;
      sessions.delete(id);
      if (sessions.size <= maxSessions) return;
    }
  }

  function open(id: string): StoredSession {
    const session: StoredSession = { entries: [], appendedAs: 0 };
    sessions.set(id, session);
    dropUnused(id);
    return session;
  }

  return {
    append(id, entries) {
      if (entries.length === 0) return KEPT;
      // What is locked is not dropped, however long ago it was used.
      const session = (locked.has(id) ? sessions.get(id) : touch(id)) ?? open(id);
      for (let at = 0; at < entries.length; at++) session.entries.push(entries[at]!);
      session.appendedAs = ++appends;
      return KEPT;
    },

    read(id) {
      const entries = touch(id)?.entries ?? [];
      return readFirst(entries, entries.length);
    },

    async lock(id) {
      if (locked.has(id)) throw busy(id, "is in use by another run");
      locked.add(id);
      touch(id);
      return releaseOnce(() => {
        locked.delete(id);
        touch(id);
        dropUnused();
      });
    },

    async *list({ prefix = "", limit = Number.POSITIVE_INFINITY } = {}) {
      const matching = [...sessions].filter(([id]) => isListed(id, prefix));
      const infos = matching.map(([id, session]) => ({ info: infoOf(id, session), session }));
      infos.sort((a, b) => b.info.updatedAt - a.info.updatedAt || b.session.appendedAs - a.session.appendedAs);
      for (const { info } of infos.slice(0, Math.max(0, limit))) yield info;
    },

    async delete(id) {
      if (locked.has(id)) throw busy(id, "cannot be deleted while it is in use");
      sessions.delete(id);
    },
  };
}

/** One promise for every append: nothing here has to be waited for. */
const KEPT = Promise.resolve();

async function* readFirst(entries: readonly SessionEntry[], count: number): AsyncGenerator<SessionEntry> {
  for (let index = 0; index < count; index += 1) yield entries[index]!;
}

function releaseOnce(release: () => void): Release {
  let released = false;
  return async () => {
    if (released) return;
    released = true;
    release();
  };
}

function infoOf(id: string, { entries }: StoredSession): SessionInfo {
  return { id, createdAt: entries[0]!.at, updatedAt: entries.at(-1)!.at, entries: entries.length };
}

function busy(id: string, problem: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${id}" ${problem}. Wait until its run has ended, or use another session id.`,
    retryable: true,
  });
}
