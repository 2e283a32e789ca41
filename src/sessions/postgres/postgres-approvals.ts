// What waits for an answer, over all sessions. An append only marks its session when it may have changed that; what waits is
// worked out from the session itself, with the rules of the engine, when somebody asks.
import pLimit from "p-limit";
import type { PendingKind, PendingRequest } from "../../contracts/approval.js";
import { isHarnessError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";
import { checkOptions, numberFrom, type OptionTable, oneOf, optionOf } from "../../json/check-options.js";
import { findPending } from "../find-pending.js";
import { Database, failingAs } from "./database.js";
import { DEFAULT_SCHEMA, DEFAULT_TENANT, isStorable, POSTGRES_OPTIONS, type PostgresOptions } from "./options.js";
import { createPostgresSessionStore } from "./postgres-session-store.js";

export interface PostgresApprovalsOptions extends PostgresOptions {}

/** Which questions to list; what is absent does not matter. */
export interface ApprovalFilterOptions {
  readonly sessionId?: string | undefined;
  readonly kind?: PendingKind | undefined;
  /** The id of the last question of the page before. Default: from the oldest question on. */
  readonly after?: string | undefined;
  /** Default: 1,000. */
  readonly limit?: number | undefined;
}

/** The questions that wait in the sessions of a tenant. */
export interface PostgresApprovals {
  /** Those that wait now, the longest-waiting first. */
  list(filter?: ApprovalFilterOptions): Promise<readonly PendingRequest[]>;
  /** One of them; `undefined` when it does not wait, or not any more. */
  find(id: string): Promise<PendingRequest | undefined>;
  count(): Promise<number>;
}

const TEXT = optionOf((value) => typeof value === "string" && isStorable(value), "a string");
const FILTER = {
  sessionId: TEXT,
  kind: oneOf("approval", "question", "elicitation"),
  after: TEXT,
  limit: numberFrom(1, "questions", 100_000),
} satisfies OptionTable<ApprovalFilterOptions>;

const READ_AT_ONCE = 4;
const SESSIONS_AT_ONCE = 500;

/**
 * Lists what waits for an answer over all sessions that `createPostgresSessionStore` keeps for a tenant. Questions of
 * sub-agents are listed once, with their root session. Answers go to `engine.resume`, or to `fleet.answer`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createPostgresApprovals(options: PostgresApprovalsOptions): PostgresApprovals {
  checkOptions("createPostgresApprovals()", options, POSTGRES_OPTIONS);
  return new Approvals(options);
}

interface StaleSession {
  readonly key: string;
  readonly id: string;
  readonly entries: string;
}

class Approvals implements PostgresApprovals {
  readonly #database: Database;
  readonly #tenant: string;

  constructor(private readonly options: PostgresApprovalsOptions) {
    this.#database = new Database(options.pool, options.schema ?? DEFAULT_SCHEMA);
    this.#tenant = options.tenant ?? DEFAULT_TENANT;
  }

  async list(filter: ApprovalFilterOptions = {}): Promise<readonly PendingRequest[]> {
    checkOptions("approvals.list()", filter, FILTER);
    const { sessionId, kind, after, limit = 1_000 } = filter;
    return this.#reading(async () => {
      const s = this.#database.schema;
      const { rows } = await this.#database.query(
        `SELECT q.request FROM ${s}.questions q JOIN ${s}.sessions one ON one.key = q.session
         WHERE q.tenant = $1 AND ($2::text IS NULL OR one.id = $2) AND ($3::text IS NULL OR q.kind = $3)
           AND ($4::text IS NULL OR (q.asked_at, q.session, q.place) >
             (SELECT a.asked_at, a.session, a.place FROM ${s}.questions a WHERE a.tenant = $1 AND a.id = $4 LIMIT 1))
         ORDER BY q.asked_at, q.session, q.place LIMIT $5`,
        [this.#tenant, sessionId ?? null, kind ?? null, after ?? null, limit],
      );
      return rows.map(({ request }) => JSON.parse(request) as PendingRequest);
    });
  }

  async find(id: string): Promise<PendingRequest | undefined> {
    if (typeof id !== "string" || !isStorable(id)) return undefined;
    return this.#reading(async () => {
      const { rows } = await this.#database.query(
        `SELECT request FROM ${this.#database.schema}.questions WHERE tenant = $1 AND id = $2`,
        [this.#tenant, id],
      );
      return rows[0] && (JSON.parse(rows[0].request) as PendingRequest);
    });
  }

  async count(): Promise<number> {
    return this.#reading(async () => {
      const { rows } = await this.#database.query(
        `SELECT count(*) AS count FROM ${this.#database.schema}.questions WHERE tenant = $1`,
        [this.#tenant],
      );
      return Number(rows[0].count);
    });
  }

  #reading<T>(work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_READ", "The questions could not be read", async () => {
      await this.#refresh();
      return work();
    });
  }

  /** Works out what waits in the sessions that have changed. */
  async #refresh(): Promise<void> {
    const atMost = pLimit(READ_AT_ONCE);
    for (let last = "0"; ; ) {
      const { rows } = await this.#database.query(
        `SELECT key, id, entries FROM ${this.#database.schema}.sessions
         WHERE tenant = $1 AND stale AND key > $2 AND NOT starts_with(id, 'sub-') ORDER BY key LIMIT ${SESSIONS_AT_ONCE}`,
        [this.#tenant, last],
      );
      await Promise.all((rows as StaleSession[]).map((row) => atMost(() => this.#refreshOne(row))));
      if (rows.length < SESSIONS_AT_ONCE) return;
      last = rows.at(-1).key;
    }
  }

  async #refreshOne({ key, id, entries }: StaleSession): Promise<void> {
    const s = this.#database.schema;
    const { pool, schema } = this.options;
    const store = createPostgresSessionStore({ pool, tenant: this.#tenant, schema });
    const asked = new Map<string, number>();
    async function* read(session: string): AsyncGenerator<SessionEntry> {
      for await (const entry of store.read(session)) {
        if (entry.type === "pending") asked.set(entry.request.id, entry.at);
        yield entry;
      }
    }
    const waiting = await findPending({ read }, id).catch((error: unknown) => {
      // It was deleted meanwhile.
      if (isHarnessError(error, "SESSION_NOT_FOUND")) return [];
      throw error;
    });
    await this.#database.transaction(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE ${s}.sessions SET stale = false, asking = $3 WHERE key = $1 AND entries = $2`,
        [key, entries, waiting.length > 0],
      );
      // Something was appended meanwhile: it is still marked, and looked at next time.
      if (rowCount === 0) return;
      await client.query(`DELETE FROM ${s}.questions WHERE session = $1`, [key]);
      if (waiting.length === 0) return;
      await client.query(
        `INSERT INTO ${s}.questions (session, tenant, id, kind, asked_at, place, request)
         SELECT $1, $2, item.id, item.kind, item.at, item.place, item.request
         FROM unnest($3::text[], $4::text[], $5::double precision[], $6::text[])
           WITH ORDINALITY AS item (id, kind, at, request, place)`,
        [
          key,
          this.#tenant,
          waiting.map((request) => request.id),
          waiting.map(({ kind }) => kind),
          waiting.map((request) => asked.get(request.id) ?? 0),
          waiting.map((request) => JSON.stringify(request)),
        ],
      );
    });
  }
}
