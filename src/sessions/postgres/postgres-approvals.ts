// The questions that wait for an answer, over all sessions. An append only marks its session when it may have changed that; what waits is
// worked out from the session itself, with the rules of the engine, when somebody asks.
import pLimit from "p-limit";
import type { PendingKind, PendingRequest } from "../../contracts/approval.js";
import { isHarnessError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  type WithDefaults,
} from "../../json/check-options.js";
import { findPending } from "../find-pending.js";
import { Database, failingAs } from "./database.js";
import { isStorable, POSTGRES_OPTIONS, type PostgresOptions } from "./options.js";
import { parseSessionEntry } from "./postgres-session-store.js";
import { SessionRows } from "./session-rows.js";

/** Options of `createPostgresApprovals()`. */
export interface PostgresApprovalsOptions extends PostgresOptions {
  /** Called with each session whose entries cannot be read, once: what waits in it is not listed. Default: nobody. */
  readonly onProblem?: ((problem: DamagedSession) => void) | undefined;
}

/** A session that cannot be looked through for what waits in it. */
export interface DamagedSession {
  readonly sessionId: string;
  readonly error: Error;
}

const OPTIONS = {
  ...POSTGRES_OPTIONS,
  onProblem: byDefault(() => {}, FUNCTION),
} satisfies OptionTable<PostgresApprovalsOptions>;

/** A filter of questions; what is absent does not matter. */
export interface ApprovalFilterOptions {
  /** Only this session's questions. */
  readonly sessionId?: string | undefined;
  /** Only questions of this kind. */
  readonly kind?: PendingKind | undefined;
  /**
   * The id of the last question of the page before. One that does not wait any more counts as none. Default: from the oldest
   * question on.
   */
  readonly after?: string | undefined;
  /** Default: 1,000. */
  readonly limit?: number | undefined;
}

/** The questions that wait in the sessions of a tenant. */
export interface PostgresApprovals {
  /** The questions that wait now, the longest-waiting first. */
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
  limit: byDefault(1_000, numberFrom(1, "questions", 100_000)),
} satisfies OptionTable<ApprovalFilterOptions>;

const READ_AT_ONCE = 4;
const SESSIONS_AT_ONCE = 500;

/**
 * Lists what waits for an answer over all sessions that `createPostgresSessionStore` keeps for a tenant. Questions of
 * sub-agents are listed once, with their root session. Answers go to `engine.resume`, or to `fleet.answer`.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createPostgresApprovals(options: PostgresApprovalsOptions): PostgresApprovals {
  return new Approvals(checkOptions("createPostgresApprovals()", options, OPTIONS));
}

interface StaleSession {
  readonly key: string;
  readonly id: string;
  readonly entries: string;
}

/** The questions that wait in a session, and since when, as of so many entries. */
interface ReadSession {
  readonly key: string;
  readonly entries: string;
  readonly waiting: readonly { readonly request: PendingRequest; readonly at: number }[];
}

class Approvals implements PostgresApprovals {
  readonly #database: Database;
  readonly #tenant: string;
  readonly #rows: SessionRows;
  readonly #onProblem: (problem: DamagedSession) => void;
  /** Sessions that were reported, with the number of their entries then. */
  readonly #reported = new Map<string, string>();
  /** The condition that the run of a question `q` was not cancelled. */
  readonly #isOpen: string;

  constructor({ pool, tenant, schema, onProblem }: WithDefaults<PostgresApprovalsOptions, typeof OPTIONS>) {
    this.#database = new Database(pool, schema);
    this.#onProblem = onProblem;
    this.#isOpen = `NOT EXISTS (SELECT 1 FROM ${this.#database.schema}.withdrawn_questions w WHERE w.id = q.id)`;
    this.#tenant = tenant;
    this.#rows = new SessionRows(this.#database, tenant);
  }

  async list(filter: ApprovalFilterOptions = {}): Promise<readonly PendingRequest[]> {
    const { sessionId, kind, after, limit } = checkOptions("approvals.list()", filter, FILTER);
    return this.#reading(async () => {
      const s = this.#database.schema;
      const { rows } = await this.#database.query(
        `SELECT q.request FROM ${s}.questions q JOIN ${s}.sessions one ON one.key = q.session
         WHERE q.tenant = $1 AND ($2::text IS NULL OR one.id = $2) AND ($3::text IS NULL OR q.kind = $3)
           AND ${this.#isOpen} AND ($4::text IS NULL OR NOT EXISTS (SELECT 1 FROM ${s}.questions a WHERE a.tenant = $1 AND a.id = $4)
             OR (q.asked_at, q.session, q.place) >
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
        `SELECT request FROM ${this.#database.schema}.questions q WHERE tenant = $1 AND id = $2 AND ${this.#isOpen}`,
        [this.#tenant, id],
      );
      return rows[0] && (JSON.parse(rows[0].request) as PendingRequest);
    });
  }

  async count(): Promise<number> {
    return this.#reading(async () => {
      const { rows } = await this.#database.query(
        `SELECT count(*) AS count FROM ${this.#database.schema}.questions q WHERE tenant = $1 AND ${this.#isOpen}`,
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
      const stale = rows as StaleSession[];
      const read = await Promise.all(stale.map((row) => atMost(() => this.#waitingIn(row))));
      const whole = read.filter((session) => session !== null);
      if (whole.length > 0) await this.#write(whole);
      if (stale.length < SESSIONS_AT_ONCE) return;
      last = stale.at(-1)!.key;
    }
  }

  /** `null`: the session is damaged. It stays marked, and is looked at again next time. */
  async #waitingIn({ key, id, entries }: StaleSession): Promise<ReadSession | null> {
    const asked = new Map<string, number>();
    const jsons: string[] = [];
    for await (const json of this.#rows.entriesOf(key)) jsons.push(json);
    async function* read(): AsyncGenerator<SessionEntry> {
      for (const json of jsons) {
        const entry = parseSessionEntry(id, json);
        if (entry.type === "pending") asked.set(entry.request.id, entry.at);
        yield entry;
      }
    }
    const waiting = await findPending({ read }, id).catch((error: unknown) => {
      // It was deleted meanwhile.
      if (isHarnessError(error, "SESSION_NOT_FOUND")) return [];
      this.#report({ key, id, entries }, error);
      return null;
    });
    if (waiting === null) return null;
    return { key, entries, waiting: waiting.map((request) => ({ request, at: asked.get(request.id) ?? 0 })) };
  }

  #report({ key, id, entries }: StaleSession, error: unknown): void {
    if (this.#reported.get(key) === entries) return;
    this.#reported.set(key, entries);
    try {
      this.#onProblem({ sessionId: id, error: error instanceof Error ? error : new Error(String(error)) });
    } catch {
      // An error of a listener changes nothing.
    }
  }

  async #write(sessions: readonly ReadSession[]): Promise<void> {
    const s = this.#database.schema;
    await this.#database.transaction(async (client) => {
      // A session to which something was appended meanwhile stays marked, and is looked at next time.
      const { rows } = await client.query(
        `UPDATE ${s}.sessions one SET stale = false, asking = item.asks
         FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS item (key, entries, asks)
         WHERE one.key = item.key AND one.entries = item.entries RETURNING one.key`,
        [
          sessions.map(({ key }) => key),
          sessions.map(({ entries }) => entries),
          sessions.map(({ waiting }) => waiting.length > 0),
        ],
      );
      const unchanged = new Set(rows.map(({ key }) => key as string));
      const written = sessions.filter(({ key }) => unchanged.has(key));
      await client.query(`DELETE FROM ${s}.questions WHERE session = ANY($1::bigint[])`, [[...unchanged]]);
      const asked = written.flatMap(({ key, waiting }) => waiting.map((one, place) => ({ key, place, ...one })));
      if (asked.length === 0) return;
      await client.query(
        `INSERT INTO ${s}.questions (session, tenant, id, kind, asked_at, place, request)
         SELECT item.session, $1, item.id, item.kind, item.at, item.place, item.request
         FROM unnest($2::bigint[], $3::text[], $4::text[], $5::double precision[], $6::integer[], $7::text[])
           AS item (session, id, kind, at, place, request)`,
        [
          this.#tenant,
          asked.map(({ key }) => key),
          asked.map(({ request }) => request.id),
          asked.map(({ request }) => request.kind),
          asked.map(({ at }) => at),
          asked.map(({ place }) => place),
          asked.map(({ request }) => JSON.stringify(request)),
        ],
      );
    });
  }
}
