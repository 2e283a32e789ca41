import { randomUUID } from "node:crypto";
import { ConfigurationError, SessionError } from "../../contracts/errors.js";
import type { Release, SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { readListFilter } from "../../engine/transcript/list-filter.js";
import { releaseOnce } from "../../engine/transcript/memory-session-store.js";
import { byDefault, checkOptions, numberFrom, type OptionTable } from "../../json/check-options.js";
import { clip } from "../../text/cut.js";
import { entryJson } from "../entry-line.js";
import { Database, failingAs } from "./database.js";
import { LockHolder } from "./lock-holder.js";
import { isStorable, POSTGRES_OPTIONS, type PostgresOptions } from "./options.js";
import { batchOf, type RowLock, SessionRows } from "./session-rows.js";

/** Options of `createPostgresSessionStore()`. */
export interface PostgresSessionStoreOptions extends PostgresOptions {
  /**
   * The life of a lock after its holder last renewed it; it is renewed three times in that time. The sessions of a
   * process that died can be locked after it. Unit: milliseconds. Default: 5_000.
   */
  readonly leaseMs?: number | undefined;
}

const OPTIONS = {
  ...POSTGRES_OPTIONS,
  leaseMs: byDefault(5_000, numberFrom(100, "milliseconds", 600_000)),
} satisfies OptionTable<PostgresSessionStoreOptions>;

/** An index entry of PostgreSQL holds about 2,700 bytes. */
const MAX_ID_BYTES = 1_000;

/**
 * Keeps sessions in PostgreSQL, for processes on any number of machines. The tables are made by `migrate`.
 *
 * - One writer at a time: `lock` takes a lock with a lease. A holder that was paused and comes back after another has taken
 *   the lock cannot append any more: its append fails with `SESSION_WRITE`, and nothing of it is kept.
 * - An append is one statement: kept whole or not at all, and as durable as the server's commits are.
 * - After a lost connection a statement is sent again, for up to 30 seconds; entries are never kept twice.
 * - Reading takes no lock, and 500 entries at a time.
 * - Session ids of more than 1,000 bytes, or with characters PostgreSQL does not keep, are refused with `OPTION_INVALID`.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createPostgresSessionStore(options: PostgresSessionStoreOptions): SessionStore {
  const { pool, tenant, schema, leaseMs } = checkOptions("createPostgresSessionStore()", options, OPTIONS);
  return new PostgresSessionStore(new SessionRows(new Database(pool, schema), tenant), leaseMs);
}

/** A session this store has locked, or is changing. */
interface SessionInUse {
  readonly id: string;
  /** The last change asked for: changes of a session wait for each other. */
  changed: Promise<unknown>;
  changes: number;
  isLocked: boolean;
  lock: RowLock | null;
}

class PostgresSessionStore implements SessionStore {
  readonly #inUse = new Map<string, SessionInUse>();
  readonly #holder: LockHolder;

  constructor(
    private readonly rows: SessionRows,
    leaseMs: number,
  ) {
    this.#holder = new LockHolder(rows.database, leaseMs);
  }

  async append(id: string, entries: readonly SessionEntry[]): Promise<void> {
    checkId(id);
    if (entries.length === 0) return;
    // Now, so that later changes of the array or its entries change nothing.
    const batch = batchOf(randomUUID(), entries.map(entryJson), entries);
    await this.#inTurn(id, `Session "${clip(id, 100)}" could not be written`, async (session) => {
      if (session.isLocked) {
        if (!session.lock || !(await this.rows.appendLocked(session.lock, batch))) throw lockLost(id);
      } else if (!(await this.rows.appendFree(id, batch))) throw busy(id, "is in use by another process");
    });
  }

  async *read(id: string): AsyncGenerator<SessionEntry> {
    checkId(id);
    const rows = this.rows.read(id);
    for (;;) {
      const what = `Session "${clip(id, 100)}" could not be read`;
      const { done, value } = await failingAs("SESSION_READ", what, () => rows.next());
      if (done) return;
      yield parseSessionEntry(id, value);
    }
  }

  async lock(id: string): Promise<Release> {
    checkId(id);
    const session = this.#sessionOf(id);
    if (session.isLocked) throw busy(id, "is in use by another run of this process");
    session.isLocked = true;
    try {
      await this.#inTurn(id, `Session "${clip(id, 100)}" could not be locked`, () => this.#take(session));
    } catch (error) {
      session.isLocked = false;
      this.#forget(session);
      throw error;
    }
    return releaseOnce(() => this.#release(session));
  }

  async *list(filter?: { readonly prefix?: string; readonly limit?: number }): AsyncGenerator<SessionInfo> {
    const { prefix, limit } = readListFilter(filter);
    if (!isStorable(prefix)) return;
    yield* await failingAs("SESSION_READ", "The sessions could not be listed", () => this.rows.list(prefix, limit));
  }

  async delete(id: string): Promise<void> {
    checkId(id);
    await this.#inTurn(id, `Session "${clip(id, 100)}" could not be deleted`, async (session) => {
      const isGone = !session.isLocked && (await this.rows.delete(id));
      if (!isGone) throw busy(id, "cannot be deleted while a run uses it");
    });
  }

  async #take(session: SessionInUse): Promise<void> {
    await this.#holder.enter();
    try {
      session.lock = await this.rows.lock(session.id, this.#holder.id);
      if (!session.lock) throw busy(session.id, "is in use by another process");
    } catch (error) {
      this.#holder.leave();
      throw error;
    }
  }

  async #release(session: SessionInUse): Promise<void> {
    try {
      await this.#inTurn(session.id, `Session "${clip(session.id, 100)}" could not be unlocked`, async () => {
        const { lock } = session;
        session.isLocked = false;
        session.lock = null;
        this.#holder.leave();
        if (lock) await this.rows.unlock(lock);
      });
    } finally {
      this.#forget(session);
    }
  }

  #sessionOf(id: string): SessionInUse {
    let session = this.#inUse.get(id);
    if (!session) {
      session = { id, changed: Promise.resolve(), changes: 0, isLocked: false, lock: null };
      this.#inUse.set(id, session);
    }
    return session;
  }

  /** Does the work once every earlier change of the session is done. */
  async #inTurn(id: string, failure: string, work: (session: SessionInUse) => Promise<void>): Promise<void> {
    const session = this.#sessionOf(id);
    session.changes++;
    const turn = session.changed.then(() => work(session));
    session.changed = turn.catch(() => {});
    try {
      await failingAs("SESSION_WRITE", failure, () => turn);
    } finally {
      session.changes--;
      this.#forget(session);
    }
  }

  #forget(session: SessionInUse): void {
    if (session.changes === 0 && !session.isLocked) this.#inUse.delete(session.id);
  }
}

/** @throws SessionError `SESSION_CORRUPT`, `SESSION_VERSION` */
export function parseSessionEntry(id: string, json: string): SessionEntry {
  let entry: SessionEntry;
  try {
    entry = JSON.parse(json) as SessionEntry;
  } catch (cause) {
    const message = `An entry of session "${clip(id, 100)}" is not JSON: its row was changed by others. Restore it from a backup.`;
    throw new SessionError("SESSION_CORRUPT", { message, cause });
  }
  if (Number(entry.v) <= 1) return entry;
  throw new SessionError("SESSION_VERSION", {
    message: `Session "${clip(id, 100)}" has entries of a newer version. Read it with the version of the library that wrote them, or a newer one.`,
  });
}

function checkId(id: string): void {
  if (typeof id === "string" && id !== "" && isStorable(id) && Buffer.byteLength(id) <= MAX_ID_BYTES) return;
  throw new ConfigurationError("OPTION_INVALID", {
    message: `${JSON.stringify(clip(String(id), 60))} cannot be the id of a session in PostgreSQL. Use 1 to ${MAX_ID_BYTES} bytes of text, without NUL characters or lone surrogates.`,
  });
}

function lockLost(id: string): SessionError {
  return new SessionError("SESSION_WRITE", {
    message: `Session "${clip(id, 100)}" was taken over: its lock was not renewed in time, and another process has it now. Nothing was appended; resume the session where it is.`,
    details: { sessionId: id, lockLost: true },
  });
}

function busy(id: string, problem: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${clip(id, 100)}" ${problem}. Wait until its run has ended, or use another session id.`,
    retryable: true,
  });
}
