// The statements on runs. A row has one owner at a time, the attempt that runs it; what an earlier owner writes finds no row.
import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { Database } from "../sessions/postgres/database.js";
import type { PostgresQueryable } from "../sessions/postgres/pool.js";
import type { FleetListOptions, FleetResult, FleetRunInfo, FleetStatus } from "./fleet-types.js";

/** A run as it is kept. */
export interface RunRow {
  readonly id: string;
  readonly tenant: string | null;
  readonly session: string;
  readonly queue: string;
  readonly priority: number;
  readonly version: string;
  readonly input: string;
  readonly context: string | null;
  readonly status: FleetStatus;
  readonly attempt: number;
  readonly owner: string | null;
  readonly worker: string | null;
  /** The last entry of the session before the run began in it: `""` for a new session, `null` before it began. */
  readonly begun_after: string | null;
  readonly is_cancelled: boolean;
  /** It is queued behind another run of its session. */
  readonly is_behind: boolean;
  readonly last_seq: string;
  readonly result: string | null;
  readonly created_at: Date;
  readonly changed_at: Date;
}

export type NewRunRow = Pick<
  RunRow,
  "id" | "tenant" | "session" | "queue" | "priority" | "version" | "input" | "context" | "begun_after"
>;

/** `undefined`: of any tenant. */
export type TenantScope = string | undefined;

export const OPEN: readonly FleetStatus[] = ["queued", "running", "needs-approval"];

export class RunRows {
  readonly #s: string;

  constructor(readonly database: Database) {
    this.#s = database.schema;
  }

  /** `false`: there is one already. */
  async insert(client: PostgresQueryable, row: NewRunRow): Promise<boolean> {
    const { id, tenant, session, queue, priority, version, input, context, begun_after } = row;
    const { rowCount } = await client.query(
      `INSERT INTO ${this.#s}.fleet_runs (id, tenant, session, queue, priority, version, input, context, begun_after, status)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued') ON CONFLICT DO NOTHING`,
      [id, tenant, session, queue, priority, version, input, context, begun_after],
    );
    return rowCount === 1;
  }

  /** The tenant a session belongs to: the first that uses it. */
  async tenantOf(client: PostgresQueryable, session: string, tenant: string | null): Promise<string | null> {
    const { rows } = await client.query(
      `INSERT INTO ${this.#s}.fleet_sessions AS one (id, tenant) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET tenant = one.tenant RETURNING tenant`,
      [session, tenant],
    );
    return rows[0].tenant;
  }

  async find(id: string, tenant: TenantScope): Promise<RunRow | undefined> {
    const { rows } = await this.database.query(
      `SELECT * FROM ${this.#s}.fleet_runs WHERE id = $1 AND ($2::text IS NULL OR tenant = $2)`,
      [id, tenant ?? null],
    );
    return rows[0];
  }

  /** The same, until the transaction ends nobody else's to change. */
  async take(client: PostgresQueryable, id: string, tenant: TenantScope): Promise<RunRow | undefined> {
    const { rows } = await client.query(
      `SELECT * FROM ${this.#s}.fleet_runs WHERE id = $1 AND ($2::text IS NULL OR tenant = $2) FOR UPDATE`,
      [id, tenant ?? null],
    );
    return rows[0];
  }

  async list({ status, sessionId, limit = 100 }: FleetListOptions, tenant: TenantScope): Promise<RunRow[]> {
    const { rows } = await this.database.query(
      `SELECT * FROM ${this.#s}.fleet_runs
       WHERE ($1::text IS NULL OR tenant = $1) AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR session = $3)
       ORDER BY created_at DESC, id LIMIT $4`,
      [tenant ?? null, status ?? null, sessionId ?? null, limit],
    );
    return rows;
  }

  /** Makes an attempt the owner of its run. `undefined`: the attempt is over, or another one has taken its place. */
  async begin(id: string, attempt: number, owner: string, worker: string): Promise<RunRow | undefined> {
    const { rows } = await this.database.query(
      `UPDATE ${this.#s}.fleet_runs SET status = 'running', owner = $3, worker = $4, is_behind = false, changed_at = clock_timestamp()
       WHERE id = $1 AND attempt = $2 AND status IN ('queued', 'running') RETURNING *`,
      [id, attempt, owner, worker],
    );
    return rows[0];
  }

  /** `false`: another run is using the session. */
  async takeSession(session: string, run: string): Promise<boolean> {
    const s = this.#s;
    const { rowCount } = await this.database.query(
      `UPDATE ${s}.fleet_sessions one SET run = $2 WHERE one.id = $1 AND (one.run IS NULL OR one.run = $2 OR NOT EXISTS (
         SELECT 1 FROM ${s}.fleet_runs other WHERE other.id = one.run AND other.status = 'running'))`,
      [session, run],
    );
    return rowCount === 1;
  }

  async markBegun(client: PostgresQueryable, id: string, owner: string, after: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `UPDATE ${this.#s}.fleet_runs SET begun_after = $3 WHERE id = $1 AND owner = $2`,
      [id, owner, after],
    );
    return rowCount === 1;
  }

  /** The other runs that have begun in a session and stand still there. Nobody else changes them until the transaction ends. */
  async takeBegun(client: PostgresQueryable, session: string, run: string): Promise<RunRow[]> {
    const { rows } = await client.query(
      `SELECT * FROM ${this.#s}.fleet_runs WHERE session = $1 AND id <> $2 AND begun_after IS NOT NULL
         AND status IN ('queued', 'needs-approval') FOR UPDATE`,
      [session, run],
    );
    return rows;
  }

  async unusedAnswers(client: PostgresQueryable, id: string): Promise<Answer[]> {
    const { rows } = await client.query(
      `SELECT answer FROM ${this.#s}.fleet_answers WHERE run = $1 AND NOT is_used ORDER BY id`,
      [id],
    );
    return rows.map(({ answer }) => JSON.parse(answer) as Answer);
  }

  async markUsed(client: PostgresQueryable, id: string, answers: readonly Answer[]): Promise<void> {
    if (answers.length === 0) return;
    await client.query(
      `UPDATE ${this.#s}.fleet_answers SET is_used = true WHERE run = $1 AND answer = ANY($2::text[])`,
      [id, answers.map((answer) => JSON.stringify(answer))],
    );
  }

  /** One that was taken and not used yet stays. */
  async keepAnswer(client: PostgresQueryable, id: string, answer: Answer): Promise<void> {
    await client.query(
      `INSERT INTO ${this.#s}.fleet_answers AS one (run, id, answer) VALUES ($1, $2, $3)
       ON CONFLICT (run, id) DO UPDATE SET answer = excluded.answer, is_used = false WHERE one.is_used`,
      [id, answer.id, JSON.stringify(answer)],
    );
  }

  /** The runs that ask this, the newest first. */
  async askersOf(client: PostgresQueryable, question: string, tenant: TenantScope): Promise<string[]> {
    const { rows } = await client.query(
      `SELECT r.id FROM ${this.#s}.fleet_questions q JOIN ${this.#s}.fleet_runs r ON r.id = q.run
       WHERE q.id = $1 AND ($2::text IS NULL OR r.tenant = $2) ORDER BY r.created_at DESC`,
      [question, tenant ?? null],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether the run that asked this was cancelled. */
  async isWithdrawn(client: PostgresQueryable, question: string, tenant: TenantScope): Promise<boolean> {
    const { rowCount } = await client.query(
      `SELECT 1 FROM ${this.#s}.withdrawn_questions WHERE id = $1 AND ($2::text IS NULL OR tenant = $2)`,
      [question, tenant ?? null],
    );
    return rowCount === 1;
  }

  async addQuestions(client: PostgresQueryable, id: string, requests: readonly PendingRequest[]): Promise<void> {
    if (requests.length === 0) return;
    await client.query(
      `INSERT INTO ${this.#s}.fleet_questions (id, run) SELECT item.id, $1 FROM unnest($2::text[]) AS item (id)
       ON CONFLICT DO NOTHING`,
      [id, requests.map((request) => request.id)],
    );
  }

  async replaceQuestions(client: PostgresQueryable, id: string, requests: readonly PendingRequest[]): Promise<void> {
    await client.query(`DELETE FROM ${this.#s}.fleet_questions WHERE run = $1`, [id]);
    await this.addQuestions(client, id, requests);
  }

  /** The row stands still: it waits, or has ended. What a cancelled run has asked is not to be answered any more. */
  async settle(client: PostgresQueryable, { id, session, tenant }: RunRow, result: FleetResult): Promise<void> {
    const s = this.#s;
    await client.query(
      `INSERT INTO ${s}.withdrawn_questions (id, tenant) SELECT q.id, $2 FROM ${s}.fleet_questions q
         JOIN ${s}.fleet_runs r ON r.id = q.run WHERE r.id = $1 AND r.is_cancelled ON CONFLICT DO NOTHING`,
      [id, tenant],
    );
    await client.query(
      `UPDATE ${s}.fleet_runs SET status = $2, result = $3, owner = NULL, worker = NULL, changed_at = clock_timestamp() WHERE id = $1`,
      [id, result.status, JSON.stringify(result)],
    );
    await client.query(`UPDATE ${s}.fleet_sessions SET run = NULL WHERE id = $1 AND run = $2`, [session, id]);
    await this.replaceQuestions(client, id, result.pending);
  }

  /** Whether no other run uses a session; whoever begins or ends one waits until the transaction is over. */
  async isSessionFree(client: PostgresQueryable, session: string, run: string): Promise<boolean> {
    const s = this.#s;
    const { rows } = await client.query(`SELECT run FROM ${s}.fleet_sessions WHERE id = $1 FOR UPDATE`, [session]);
    const user: string | null = rows[0]?.run ?? null;
    if (user === null || user === run) return true;
    const { rows: found } = await client.query(`SELECT status FROM ${s}.fleet_runs WHERE id = $1`, [user]);
    return found[0]?.status !== "running";
  }

  /** The run that has waited longest for a session, until the transaction ends nobody else's to change. */
  async takeNextOf(client: PostgresQueryable, session: string): Promise<RunRow | undefined> {
    const { rows } = await client.query(
      `SELECT * FROM ${this.#s}.fleet_runs WHERE session = $1 AND is_behind AND status = 'queued'
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [session],
    );
    return rows[0];
  }

  /** The row is to be run again, by an attempt that the caller queues. */
  async requeue(
    client: PostgresQueryable,
    { id, session }: RunRow,
    { attempt, version, isBehind }: { readonly attempt: number; readonly version: string; readonly isBehind: boolean },
  ): Promise<void> {
    const s = this.#s;
    await client.query(
      `UPDATE ${s}.fleet_runs SET status = 'queued', attempt = $2, version = $3, is_behind = $4, result = NULL, owner = NULL,
         worker = NULL, changed_at = clock_timestamp() WHERE id = $1`,
      [id, attempt, version, isBehind],
    );
    await client.query(`UPDATE ${s}.fleet_sessions SET run = NULL WHERE id = $1 AND run = $2`, [session, id]);
  }

  async markCancelled(client: PostgresQueryable, id: string): Promise<void> {
    await client.query(`UPDATE ${this.#s}.fleet_runs SET is_cancelled = true WHERE id = $1`, [id]);
  }

  async setVersion(client: PostgresQueryable, id: string, version: string): Promise<void> {
    await client.query(`UPDATE ${this.#s}.fleet_runs SET version = $2 WHERE id = $1`, [id, version]);
  }

  async delete(id: string): Promise<void> {
    await this.database.query(`DELETE FROM ${this.#s}.fleet_runs WHERE id = $1`, [id]);
  }

  /** Runs of a version that no worker is running: queued and waiting ones, and those of workers that died. */
  async leftBy(version: string): Promise<string[]> {
    const s = this.#s;
    const { rows } = await this.database.query(
      `SELECT id FROM ${s}.fleet_runs r WHERE version = $1 AND (status IN ('queued', 'needs-approval') OR (status = 'running'
         AND NOT EXISTS (SELECT 1 FROM ${s}.fleet_workers w WHERE w.id = r.worker AND w.alive_until > clock_timestamp())))`,
      [version],
    );
    return rows.map(({ id }) => id);
  }

  /** The runs of a worker, among these, that are to be cancelled. */
  async cancelledOf(ids: readonly string[]): Promise<string[]> {
    const { rows } = await this.database.query(
      `SELECT id FROM ${this.#s}.fleet_runs WHERE id = ANY($1::text[]) AND is_cancelled`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }
}

/** A run as its host sees it. */
export function infoOf(row: RunRow): FleetRunInfo {
  return {
    id: row.id,
    sessionId: row.session,
    tenant: row.tenant ?? undefined,
    queue: row.queue,
    version: row.version,
    status: row.status,
    attempt: row.attempt,
    lastSeq: Number(row.last_seq),
    createdAt: row.created_at.getTime(),
    changedAt: row.changed_at.getTime(),
    ...(row.result !== null && { result: JSON.parse(row.result) as FleetResult }),
  };
}
