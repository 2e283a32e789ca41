// A process at work. DBOS takes attempts from the queues and calls `attempt`; what DBOS leaves to us is to say that this
// process lives, and to tell it of processes that do not any more: it then queues what they were running again.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { ConfigurationError } from "../contracts/errors.js";
import type { AgentEngine } from "../engine/engine.js";
import type { Database } from "../sessions/postgres/database.js";
import { wait } from "../time/wait.js";
import { type AttemptQueue, queueName, WORKFLOW } from "./attempt-queue.js";
import { APPLICATION, type Dbos } from "./dbos.js";
import type { FleetQueueOptions, FleetResult, FleetStopOptions, FleetWorker } from "./fleet-types.js";
import { FleetAttempt } from "./run-attempt.js";
import type { RunRow, RunRows } from "./run-rows.js";

/** A worker that has not said for so many heartbeats that it lives is taken for dead. */
const BEATS_TO_LIVE = 3;
const LOOK_FOR_CANCELLED_MS = 500;
const POLL_MS = 200;
const PER_WORKER = 50;
/** A run that takes so many workers with it is given up. */
const MAX_DEATHS = 20;
/** Heartbeats between two looks for runs that DBOS has given up. */
const BEATS_TO_LOOK = 10;

export interface WorkerSettings {
  readonly database: Database;
  readonly dbos: Dbos;
  readonly rows: RunRows;
  readonly queue: AttemptQueue;
  readonly queues: Readonly<Record<string, FleetQueueOptions>>;
  readonly heartbeatMs: number;
  readonly version: string;
  readonly onProblem: (message: string) => void;
  engineOf(row: RunRow): Promise<AgentEngine>;
  contextFor(sessionId: string): Promise<unknown>;
  /** Called at a time of a schedule. */
  onSchedule(name: string, at: Date): Promise<void>;
}

export const SCHEDULED = "loopwrightScheduled";

/** The one worker of this process. What DBOS calls stays registered, and goes to whoever works now. */
let current: Worker | null = null;
let isRegistered = false;

export class Worker implements FleetWorker {
  readonly id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #attempts = new Set<FleetAttempt>();
  readonly #ended = new AbortController();
  #beats: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;
  #sweeps = 0;
  #beatenAt = performance.now();
  #sweepsFrom = 0;

  constructor(private readonly settings: WorkerSettings) {}

  get running(): number {
    return this.#attempts.size;
  }

  async start(): Promise<this> {
    const { sdk, config, logger } = this.settings.dbos;
    if (current || sdk.DBOS.isInitialized()) throw alreadyWorking();
    current = this;
    try {
      register(this.settings.dbos);
      await this.#registerQueues();
      await this.#beat();
      sdk.DBOS.setConfig({
        ...config,
        applicationVersion: this.settings.version,
        executorID: this.id,
        listenQueues: Object.keys(this.settings.queues).map(queueName),
        logger,
      });
      await sdk.DBOS.launch();
    } catch (error) {
      current = null;
      throw error;
    }
    this.#beats = Promise.all([
      this.#every(this.settings.heartbeatMs, () => this.#beatAndSweep()),
      this.#every(LOOK_FOR_CANCELLED_MS, () => this.#lookForCancelled()),
    ]);
    return this;
  }

  async attempt(id: string, number: number): Promise<void> {
    const { rows, queue, engineOf, contextFor } = this.settings;
    const attempt = new FleetAttempt(id, number, { rows, queue, worker: this.id, engineOf, contextFor });
    this.#attempts.add(attempt);
    try {
      await attempt.work();
    } finally {
      this.#attempts.delete(attempt);
    }
  }

  onSchedule(name: string, at: Date): Promise<void> {
    return this.settings.onSchedule(name, at);
  }

  stop({ graceMs = 10_000 }: FleetStopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    const { sdk } = this.settings.dbos;
    const grace = new AbortController();
    const interrupting = wait(graceMs, grace.signal).then(() => {
      for (const attempt of this.#attempts) attempt.interrupt("stopped");
    });
    // DBOS takes nothing more from its queues, and waits for what is under way.
    await sdk.DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs + 30_000 });
    grace.abort();
    await interrupting;
    this.#ended.abort();
    await this.#beats;
    current = null;
    const { database } = this.settings;
    await database.query(`UPDATE ${database.schema}.fleet_workers SET alive_until = clock_timestamp() WHERE id = $1`, [
      this.id,
    ]);
  }

  async #registerQueues(): Promise<void> {
    for (const [name, options] of Object.entries(this.settings.queues)) {
      const { concurrency, perTenant, ratePerMinute, perWorker = PER_WORKER } = options;
      await this.settings.dbos.client.registerQueue(queueName(name), {
        minPollingIntervalMs: POLL_MS,
        workerConcurrency: concurrency === undefined ? perWorker : Math.min(perWorker, concurrency),
        ...(concurrency !== undefined && { globalConcurrency: concurrency }),
        ...(perTenant !== undefined && { partitionConcurrency: perTenant }),
        ...(ratePerMinute !== undefined && { rateLimit: { limitPerPeriod: ratePerMinute, periodSec: 60 } }),
      });
    }
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await wait(ms, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      await work().catch((error: unknown) => this.settings.onProblem(`Worker ${this.id}: ${String(error)}`));
    }
  }

  async #beat(): Promise<void> {
    const { database, heartbeatMs, version } = this.settings;
    await database.query(
      `INSERT INTO ${database.schema}.fleet_workers (id, version, alive_until)
       VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      [this.id, version, heartbeatMs * BEATS_TO_LIVE],
    );
    const now = performance.now();
    if (now - this.#beatenAt > heartbeatMs * BEATS_TO_LIVE) this.#sweepsFrom = now + heartbeatMs * BEATS_TO_LIVE;
    this.#beatenAt = now;
  }

  /** Any worker looks after all others; DBOS queues what a dead one was running, once, however many look. */
  async #beatAndSweep(): Promise<void> {
    await this.#beat();
    // After a pause of the database all workers seem dead: each gets the time to say that it is not.
    if (performance.now() < this.#sweepsFrom) return;
    const { database, dbos, version, onProblem } = this.settings;
    const { rows } = await database.query(
      `SELECT DISTINCT w.id FROM ${database.schema}.fleet_workers w
       JOIN "${dbos.schema}".workflow_status f ON f.executor_id = w.id AND f.status = 'PENDING'
       WHERE w.alive_until < clock_timestamp() AND w.version = $1`,
      [version],
    );
    const dead = rows.map(({ id }) => id as string);
    if (dead.length > 0) {
      onProblem(`Workers that are no longer heard of: ${dead.join(", ")}. What they were running is queued again.`);
      await dbos.executor()!.recoverPendingWorkflows(dead);
    }
    if (++this.#sweeps % BEATS_TO_LOOK === 0) await this.#lookForGivenUp();
  }

  /** Attempts that DBOS has ended and their runs know nothing of: those that ended one worker after the other. */
  async #lookForGivenUp(): Promise<void> {
    const { database, dbos, rows: runs, queue, version } = this.settings;
    const s = database.schema;
    await database.query(`DELETE FROM ${s}.fleet_workers WHERE alive_until < clock_timestamp() - interval '7 days'`);
    const { rows } = await database.query(
      `SELECT r.id, r.attempt FROM ${s}.fleet_runs r
       JOIN "${dbos.schema}".workflow_status f ON f.workflow_uuid = r.id || ':' || r.attempt
       WHERE r.version = $1 AND r.status IN ('queued', 'running') AND f.status IN ('ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')`,
      [version],
    );
    for (const { id, attempt } of rows) {
      await database.transaction(async (client) => {
        const row = await runs.take(client, id, undefined);
        if (row?.attempt === attempt && row?.result === null) await queue.settle(client, row, givenUp());
      });
    }
  }

  async #lookForCancelled(): Promise<void> {
    const running = [...this.#attempts];
    if (running.length === 0) return;
    const cancelled = new Set(await this.settings.rows.cancelledOf(running.map(({ id }) => id)));
    for (const attempt of running) if (cancelled.has(attempt.id)) attempt.interrupt("cancelled");
  }
}

function register({ sdk }: Dbos): void {
  if (isRegistered) return;
  isRegistered = true;
  sdk.DBOS.registerWorkflow((id: string, number: number) => working().attempt(id, number), {
    name: WORKFLOW,
    maxRecoveryAttempts: MAX_DEATHS,
  });
  sdk.DBOS.registerWorkflow((at: Date, name: unknown) => working().onSchedule(String(name), at), { name: SCHEDULED });
}

function working(): Worker {
  if (current) return current;
  throw new Error(`${APPLICATION}: no worker is running in this process.`);
}

function givenUp(): FleetResult {
  const message = `The run was abandoned: it failed where no error could be recorded, or ended ${MAX_DEATHS} workers. Its session is intact; start it again with another prompt.`;
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { status: "failed", text: "", error: { code: "INTERNAL", message }, usage, costUsd: null, pending: [] };
}

function alreadyWorking(): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message:
      "fleet.work(): this process is a worker already, or uses DBOS itself. Start one worker in each process, and give it more runs with `perWorker`.",
  });
}
