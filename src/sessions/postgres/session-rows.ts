// The statements on sessions and their entries. Each is one round trip; those that write name what must still be true.
import type { SessionEntry, SessionInfo } from "../../contracts/session.js";
import { REWIND } from "../../engine/transcript/rewind.js";
import type { Database, DatabaseTry } from "./database.js";
import type { PostgresQueryable } from "./pool.js";

/** Entries a reader asks for at once, and at first: who wants to know how a session begins reads no more. */
const PAGE = 500;
const FIRST_PAGE = 20;

/** A lock as the database knows it. */
export interface RowLock {
  readonly key: string;
  readonly holder: string;
  readonly fence: string;
}

/** The rows of one append. */
export interface Batch {
  /** Names the append, so that one that is sent twice is made once. */
  readonly append: string;
  readonly jsons: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** It asks something. */
  readonly asks: boolean;
  /** It may settle what was asked. */
  readonly mayAnswer: boolean;
  /** It changes which entries count. */
  readonly rewinds: boolean;
}

export function batchOf(append: string, jsons: readonly string[], entries: readonly SessionEntry[]): Batch {
  const settles = (entry: SessionEntry) =>
    entry.type === "answer" ||
    entry.type === "tool-result" ||
    (entry.type === "message" && entry.message.role === "user");
  return {
    append,
    jsons,
    firstAt: Number(entries[0]?.at) || 0,
    lastAt: Number(entries.at(-1)?.at) || 0,
    asks: entries.some(({ type }) => type === "pending"),
    mayAnswer: entries.some(settles),
    rewinds: entries.some((entry) => entry.type === "custom" && entry.name === REWIND),
  };
}

export class SessionRows {
  readonly #s: string;

  constructor(
    readonly database: Database,
    readonly tenant: string,
  ) {
    this.#s = database.schema;
  }

  /** `null`: somebody else holds it, and is alive. */
  async lock(id: string, holder: string): Promise<RowLock | null> {
    const s = this.#s;
    const { rows } = await this.database.query(
      `INSERT INTO ${s}.sessions AS one (tenant, id, holder, fence) VALUES ($1, $2, $3, 1)
       ON CONFLICT (tenant, id) DO UPDATE SET holder = $3, fence = one.fence + 1
       WHERE one.holder IS NULL OR one.holder = $3 OR NOT ${s}.is_alive(one.holder)
       RETURNING key, fence`,
      [this.tenant, id, holder],
    );
    return rows[0] ? { key: rows[0].key, holder, fence: rows[0].fence } : null;
  }

  /** Leaves no row of a session that was locked and never written. */
  async unlock({ key, holder, fence }: RowLock): Promise<void> {
    const s = this.#s;
    await this.database.query(
      `WITH gone AS (DELETE FROM ${s}.sessions WHERE key = $1 AND holder = $2 AND fence = $3 AND entries = 0)
       UPDATE ${s}.sessions SET holder = NULL WHERE key = $1 AND holder = $2 AND fence = $3 AND entries > 0`,
      [key, holder, fence],
    );
  }

  /** `false`: the lock is no longer its holder's, and nothing was appended. */
  appendLocked(lock: RowLock, batch: Batch): Promise<boolean> {
    const s = this.#s;
    return this.#append(batch, "key = $9 AND holder = $10 AND fence = $11", [lock.key, lock.holder, lock.fence], {
      lock: (client) => client.query(`SELECT key FROM ${s}.sessions WHERE key = $1 FOR UPDATE`, [lock.key]),
    });
  }

  /** `false`: somebody holds the session, and nothing was appended. */
  async appendFree(id: string, batch: Batch): Promise<boolean> {
    const s = this.#s;
    await this.database.query(`INSERT INTO ${s}.sessions (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
      this.tenant,
      id,
    ]);
    const free = `tenant = $9 AND id = $10 AND (holder IS NULL OR NOT ${s}.is_alive(holder))`;
    return this.#append(batch, free, [this.tenant, id], {
      lock: (client) =>
        client.query(`SELECT key FROM ${s}.sessions WHERE tenant = $1 AND id = $2 FOR UPDATE`, [this.tenant, id]),
    });
  }

  async #append(
    batch: Batch,
    condition: string,
    values: readonly unknown[],
    { lock }: { readonly lock: (client: PostgresQueryable) => Promise<{ readonly rows: { key: string }[] }> },
  ): Promise<boolean> {
    const { append, jsons, firstAt, lastAt, asks, mayAnswer, rewinds } = batch;
    const text = `WITH one AS (
         UPDATE ${this.#s}.sessions SET entries = entries + $1, created_at = coalesce(created_at, $2), updated_at = $3,
           appended_at = clock_timestamp(), asking = asking OR $4, stale = stale OR $4 OR $6 OR (asking AND $5)
         WHERE ${condition} RETURNING key, entries)
       INSERT INTO ${this.#s}.session_entries (session, n, append, entry)
       SELECT one.key, one.entries - $1 + item.n, $7, item.entry
       FROM one, unnest($8::text[]) WITH ORDINALITY AS item (entry, n)`;
    const all = [jsons.length, firstAt, lastAt, asks, mayAnswer, rewinds, append, jsons, ...values];
    const isKept = ({ rowCount }: { readonly rowCount: number | null }) => rowCount === jsons.length;
    return this.database.retry(async ({ isRepeated }: DatabaseTry) => {
      if (!isRepeated) return isKept(await this.database.pool.query(text, all));
      // The first try may have been made, or may still be under way: the row lock waits for it.
      return this.database.transaction(async (client) => {
        const [row] = (await lock(client)).rows;
        if (row && (await this.#hasAppend(client, row.key, append))) return true;
        return isKept(await client.query(text, all));
      });
    });
  }

  async #hasAppend(client: PostgresQueryable, key: string, append: string): Promise<boolean> {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT 1 FROM ${this.#s}.session_entries WHERE session = $1 AND append = $2) AS known`,
      [key, append],
    );
    return rows[0].known;
  }

  async *read(id: string): AsyncGenerator<string> {
    const { rows } = await this.database.query(`SELECT key FROM ${this.#s}.sessions WHERE tenant = $1 AND id = $2`, [
      this.tenant,
      id,
    ]);
    if (rows.length > 0) yield* this.entriesOf(rows[0].key);
  }

  /** Page by page; what is appended meanwhile is read, too. */
  async *entriesOf(key: string): AsyncGenerator<string> {
    const text = `SELECT n, entry FROM ${this.#s}.session_entries WHERE session = $1 AND n > $2 ORDER BY n LIMIT $3`;
    for (let [last, size] = ["0", FIRST_PAGE]; ; size = PAGE) {
      const page = (await this.database.query(text, [key, last, size])).rows as { n: string; entry: string }[];
      for (const { entry } of page) yield entry;
      if (page.length < size) return;
      last = page.at(-1)!.n;
    }
  }

  async list(prefix: string, limit: number): Promise<SessionInfo[]> {
    const hidesChildren = !prefix.startsWith("sub-");
    const { rows } = await this.database.query(
      `SELECT id, created_at, updated_at, entries FROM ${this.#s}.sessions
       WHERE tenant = $1 AND entries > 0 AND starts_with(id, $2) AND NOT ($3 AND starts_with(id, 'sub-'))
       ORDER BY updated_at DESC, appended_at DESC, key DESC LIMIT $4`,
      [this.tenant, prefix, hidesChildren, Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : null],
    );
    return rows.map(({ id, created_at, updated_at, entries }) => ({
      id,
      createdAt: created_at,
      updatedAt: updated_at,
      entries: Number(entries),
    }));
  }

  /** `false`: somebody holds it. */
  async delete(id: string): Promise<boolean> {
    const s = this.#s;
    const { rows } = await this.database.query(
      `WITH gone AS (
         DELETE FROM ${s}.sessions WHERE tenant = $1 AND id = $2 AND (holder IS NULL OR NOT ${s}.is_alive(holder))
         RETURNING key)
       SELECT EXISTS (SELECT 1 FROM gone) OR NOT EXISTS (SELECT 1 FROM ${s}.sessions WHERE tenant = $1 AND id = $2) AS done`,
      [this.tenant, id],
    );
    return rows[0].done;
  }
}
