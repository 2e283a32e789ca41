import { randomUUID } from "node:crypto";
import type { Answer } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import { ConfigurationError, RunError, SessionError } from "../contracts/errors.js";
import type { EngineEvent } from "../contracts/event.js";
import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { optionError } from "../json/check-options.js";
import { strongDigest } from "../json/digest.js";
import { Database, failingAs } from "../sessions/postgres/database.js";
import { isLostConnection } from "../sessions/postgres/lost-connection.js";
import { DEFAULT_SCHEMA, isStorable } from "../sessions/postgres/options.js";
import { clip } from "../text/cut.js";
import { AttemptQueue, attemptId, queueName } from "./attempt-queue.js";
import { APPLICATION, type Dbos, loadDbos } from "./dbos.js";
import { readEvents } from "./event-log.js";
import {
  checkAnswer,
  checkEventOptions,
  checkFleetOptions,
  checkListOptions,
  checkMoveOptions,
  checkPrompt,
  checkSchedule,
  checkScheduleName,
  checkStartOptions,
  checkTenant,
} from "./fleet-options.js";
import type {
  Fleet,
  FleetEventOptions,
  FleetListOptions,
  FleetMoveOptions,
  FleetOptions,
  FleetQueueOptions,
  FleetResult,
  FleetRun,
  FleetRunInfo,
  FleetSchedule,
  FleetStartOptions,
  FleetWorker,
  TenantFleet,
} from "./fleet-types.js";
import { infoOf, OPEN, type RunRow, RunRows, type TenantScope } from "./run-rows.js";
import { wait } from "./wait.js";
import { SCHEDULED, Worker } from "./worker.js";

const DEFAULT_QUEUE = "default";
const DEFAULT_PRIORITY = 100;
const LOOK_EVERY_MS = 100;
const LOOK_AT_LEAST_EVERY_MS = 1_000;

/**
 * Runs agents on many machines over one PostgreSQL: runs are queued, any worker takes them, and those of a worker that dies go
 * on elsewhere from their sessions. Queues, delays and schedules are DBOS's; the tables are made by `migrate`.
 *
 * A process that only starts runs and reads events needs no engine. One that calls `work()` does.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createFleet(options: FleetOptions): Fleet {
  checkFleetOptions(options);
  return new PostgresFleet(options);
}

/** What is ready once the database was first reached. */
interface Parts {
  readonly dbos: Dbos;
  readonly queue: AttemptQueue;
}

class PostgresFleet implements Fleet {
  readonly #options: FleetOptions;
  readonly #database: Database;
  readonly #rows: RunRows;
  readonly #queues: Readonly<Record<string, FleetQueueOptions>>;
  readonly #version: string;
  readonly #closed = new AbortController();
  /** What a listener throws changes nothing. */
  readonly #report = (message: string): void => {
    try {
      this.#options.onProblem?.(message);
    } catch {}
  };
  #parts: Promise<Parts> | undefined;
  #worker: Worker | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#database = new Database(options.pool, options.schema ?? DEFAULT_SCHEMA);
    this.#rows = new RunRows(this.#database);
    this.#queues = { [DEFAULT_QUEUE]: {}, ...options.queues };
    this.#version = options.version ?? "1";
  }

  start(prompt: string | readonly ContentPart[], options: FleetStartOptions = {}): Promise<FleetRun> {
    return this.#start(prompt, options, undefined);
  }

  answer(answer: Answer): Promise<FleetRun> {
    return this.#answer(answer, undefined);
  }

  cancel(id: string): Promise<boolean> {
    return this.#cancel(id, undefined);
  }

  events(id: string, options: FleetEventOptions = {}): AsyncIterable<EngineEvent> {
    return this.#events(id, options, undefined);
  }

  find(id: string): Promise<FleetRun | undefined> {
    return this.#find(id, undefined);
  }

  list(options: FleetListOptions = {}): Promise<readonly FleetRunInfo[]> {
    return this.#list(options, undefined);
  }

  delete(id: string): Promise<boolean> {
    return this.#delete(id, undefined);
  }

  forTenant(tenant: string): TenantFleet {
    checkTenant(tenant);
    return {
      start: (prompt, options = {}) => {
        if (options.tenant === undefined || options.tenant === tenant)
          return this.#start(prompt, { ...options, tenant }, tenant);
        return Promise.reject(optionError("fleet.start()", "tenant", options.tenant, `"${tenant}", or nothing`));
      },
      answer: (answer) => this.#answer(answer, tenant),
      cancel: (id) => this.#cancel(id, tenant),
      events: (id, options = {}) => this.#events(id, options, tenant),
      find: (id) => this.#find(id, tenant),
      list: (options = {}) => this.#list(options, tenant),
      delete: (id) => this.#delete(id, tenant),
    };
  }

  async work(): Promise<FleetWorker> {
    const { engine, engines, heartbeatMs = 5_000 } = this.#options;
    if (!engine && !engines)
      throw optionError("createFleet()", "engine", undefined, "an AgentEngine, since work() runs with it");
    const { dbos, queue } = await this.#ready();
    const worker = new Worker({
      database: this.#database,
      dbos,
      rows: this.#rows,
      queue,
      queues: this.#queues,
      heartbeatMs,
      version: this.#version,
      onProblem: this.#report,
      engineOf: (row) => this.#engineOf(row),
      onSchedule: (name, at) => this.#startScheduled(name, at),
    });
    this.#worker = await worker.start();
    return worker;
  }

  async schedule(name: string, schedule: FleetSchedule): Promise<void> {
    checkSchedule(name, schedule, Object.keys(this.#queues));
    const { cron, timeZone = "UTC" } = schedule;
    const { dbos } = await this.#ready();
    const one = {
      scheduleName: queueName(name),
      workflowName: SCHEDULED,
      schedule: cron,
      context: JSON.stringify({ name, schedule }),
      cronTimezone: timeZone,
    };
    await this.#writing("The schedule could not be kept", () =>
      this.#database
        .retry(() => dbos.client.applySchedules([one]))
        .catch((error: unknown) => {
          // What DBOS says of the fields of cron has no code; what the database says has one.
          const isOfCron = error instanceof Error && !("code" in error) && !isLostConnection(error);
          throw isOfCron ? wrongCron(cron, error) : error;
        }),
    );
  }

  async unschedule(name: string): Promise<void> {
    checkScheduleName("fleet.unschedule()", name);
    const { dbos } = await this.#ready();
    await this.#writing("The schedule could not be removed", () =>
      this.#database.retry(() => dbos.client.deleteSchedule(queueName(name))),
    );
  }

  async move(options: FleetMoveOptions): Promise<number> {
    checkMoveOptions(options);
    const { from, to = this.#version } = options;
    const { dbos, queue } = await this.#ready();
    const s = this.#database.schema;
    const { rows } = await this.#database.query(
      `SELECT id FROM ${s}.fleet_runs r WHERE version = $1 AND (status IN ('queued', 'needs-approval') OR (status = 'running'
         AND NOT EXISTS (SELECT 1 FROM ${s}.fleet_workers w WHERE w.id = r.worker AND w.alive_until > clock_timestamp())))`,
      [from],
    );
    let moved = 0;
    for (const { id } of rows) {
      const old = await this.#database.transaction(async (client) => {
        const row = await this.#rows.take(client, id, undefined);
        if (!row || row.version !== from || !OPEN.includes(row.status)) return null;
        if (row.status !== "needs-approval") await queue.again(client, row, { version: to });
        else await client.query(`UPDATE ${s}.fleet_runs SET version = $2 WHERE id = $1`, [id, to]);
        return row;
      });
      if (!old) continue;
      moved++;
      if (old.status !== "needs-approval") await dbos.client.cancelWorkflow(attemptId(id, old.attempt)).catch(() => {});
    }
    return moved;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#worker?.stop();
    this.#worker = undefined;
    await (await this.#parts?.catch(() => undefined))?.dbos.client.destroy();
  }

  #ready(): Promise<Parts> {
    const { schema = DEFAULT_SCHEMA } = this.#options;
    this.#parts ??= loadDbos(this.#database, schema, this.#report).then((dbos) => ({
      dbos,
      queue: new AttemptQueue(dbos, this.#rows, this.#queues),
    }));
    // One that failed is tried again next time.
    this.#parts.catch(() => {
      this.#parts = undefined;
    });
    return this.#parts;
  }

  async #start(
    prompt: string | readonly ContentPart[],
    options: FleetStartOptions,
    scope: TenantScope,
  ): Promise<FleetRun> {
    checkPrompt(prompt);
    checkStartOptions(options, Object.keys(this.#queues));
    const {
      sessionId,
      key,
      queue = DEFAULT_QUEUE,
      tenant,
      priority = DEFAULT_PRIORITY,
      delayMs = 0,
      context,
    } = options;
    const id = key === undefined ? randomUUID() : `run-${strongDigest([tenant ?? null, key]).slice(0, 32)}`;
    const row = {
      id,
      tenant: tenant ?? null,
      session: sessionId ?? `fleet-${id}`,
      queue,
      priority,
      version: this.#version,
      input: JSON.stringify(prompt),
      context: context === undefined ? null : JSON.stringify(context),
      begun_after: null,
    };
    const { queue: attempts } = await this.#ready();
    const isNew = await this.#writing("The run could not be queued", () =>
      this.#database.transaction(async (client, { isRepeated }) => {
        if (!(await this.#rows.insert(client, row))) return isRepeated && key === undefined;
        const owner = await this.#rows.tenantOf(client, row.session, row.tenant);
        if (owner !== row.tenant) throw sessionOfAnother(row.session);
        await attempts.add(client, { ...row, attempt: 0 }, delayMs);
        return true;
      }),
    );
    const kept = isNew ? row : await this.#rows.find(id, scope);
    return this.#runOf(id, kept?.session ?? row.session, scope, isNew);
  }

  async #answer(answer: Answer, scope: TenantScope): Promise<FleetRun> {
    const question: unknown = Object(answer).id;
    if (typeof question !== "string") throw optionError("fleet.answer()", "id", question, "the id of a question");
    checkAnswer(answer);
    if (!isStorable(question)) throw noSuchQuestion(question);
    const { queue } = await this.#ready();
    return this.#writing("The answer could not be kept", () =>
      this.#database.transaction(async (client) => {
        for (const id of await this.#rows.askersOf(client, question, scope)) {
          const row = await this.#rows.take(client, id, scope);
          if (!row || !OPEN.includes(row.status)) continue;
          await this.#rows.keepAnswer(client, id, answer);
          if (row.status === "needs-approval") await queue.again(client, row);
          return this.#runOf(id, row.session, scope, false);
        }
        throw noSuchQuestion(question);
      }),
    );
  }

  async #cancel(id: string, scope: TenantScope): Promise<boolean> {
    if (!isStorable(String(id))) return false;
    const { dbos, queue } = await this.#ready();
    const row = await this.#writing("The run could not be cancelled", () =>
      this.#database.transaction(async (client) => {
        const found = await this.#rows.take(client, id, scope);
        if (!found || !OPEN.includes(found.status)) return undefined;
        await client.query(`UPDATE ${this.#database.schema}.fleet_runs SET is_cancelled = true WHERE id = $1`, [id]);
        if (found.status !== "running") await queue.settle(client, found, CANCELLED);
        return found;
      }),
    );
    if (row?.status === "queued") await dbos.client.cancelWorkflow(attemptId(id, row.attempt)).catch(() => {});
    return row !== undefined;
  }

  async *#events(id: string, options: FleetEventOptions, scope: TenantScope): AsyncGenerator<EngineEvent> {
    checkEventOptions(options);
    const { from = 0, signal } = options;
    if (!(await this.#row(id, scope))) throw noSuchRun(id);
    const signals = signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
    const hasEnded = async () => {
      const row = await this.#row(id, scope);
      return !row || !OPEN.includes(row.status);
    };
    yield* readEvents(this.#database, id, { from, signal: signals, hasEnded });
  }

  async #find(id: string, scope: TenantScope): Promise<FleetRun | undefined> {
    const row = await this.#row(id, scope);
    return row && this.#runOf(id, row.session, scope, false);
  }

  async #list(options: FleetListOptions, scope: TenantScope): Promise<readonly FleetRunInfo[]> {
    checkListOptions(options);
    const rows = await this.#reading("The runs could not be listed", () => this.#rows.list(options, scope));
    return rows.map(infoOf);
  }

  async #delete(id: string, scope: TenantScope): Promise<boolean> {
    const { dbos } = await this.#ready();
    const row = await this.#row(id, scope);
    if (!row || OPEN.includes(row.status)) return false;
    await this.#writing("The run could not be deleted", () =>
      this.#database.query(`DELETE FROM ${this.#database.schema}.fleet_runs WHERE id = $1`, [id]),
    );
    const attempts = Array.from({ length: row.attempt + 1 }, (_, n) => attemptId(id, n));
    await dbos.client.deleteWorkflows(attempts);
    return true;
  }

  #runOf(id: string, sessionId: string, scope: TenantScope, isNew: boolean): FleetRun {
    const info = async () => {
      const row = await this.#row(id, scope);
      if (!row) throw noSuchRun(id);
      return infoOf(row);
    };
    const result = () => this.#resultOf(info);
    const events = () => this.#events(id, {}, scope);
    const cancel = () => this.#cancel(id, scope);
    return {
      id,
      sessionId,
      isNew,
      isShared: true,
      get result() {
        return result();
      },
      info,
      cancel,
      abort: () => void cancel().catch(() => {}),
      [Symbol.asyncIterator]: () => events()[Symbol.asyncIterator](),
    };
  }

  async #resultOf(info: () => Promise<FleetRunInfo>): Promise<FleetResult> {
    for (let pause = LOOK_EVERY_MS; ; pause = Math.min(pause * 1.3, LOOK_AT_LEAST_EVERY_MS)) {
      const { result } = await info();
      if (result) return result;
      await wait(pause, this.#closed.signal);
      if (this.#closed.signal.aborted) throw closed();
    }
  }

  async #engineOf({ tenant, queue, session }: RunRow): Promise<AgentEngine> {
    const { engine, engines } = this.#options;
    const chosen =
      typeof engines === "function"
        ? await engines({ tenant: tenant ?? undefined, queue, sessionId: session })
        : (engines?.[queue] ?? engines?.[DEFAULT_QUEUE] ?? engine);
    if (ENGINE_PARTS.has(Object(chosen))) return chosen!;
    throw optionError("createFleet()", "engines", chosen, `an AgentEngine for the queue "${queue}"`);
  }

  async #startScheduled(context: string, at: Date): Promise<void> {
    const { name, schedule } = JSON.parse(context) as { readonly name: string; readonly schedule: FleetSchedule };
    const { cron: _, timeZone: __, prompt, ...options } = schedule;
    // The key makes it one run, however often DBOS calls for this time.
    await this.#start(
      prompt,
      { ...options, key: `${APPLICATION}.schedule/${name}/${new Date(at).toISOString()}` },
      undefined,
    );
  }

  async #row(id: string, scope: TenantScope): Promise<RunRow | undefined> {
    if (!isStorable(String(id))) return undefined;
    return this.#reading(`Run "${clip(String(id), 100)}" could not be read`, () => this.#rows.find(String(id), scope));
  }

  #reading<T>(what: string, work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_READ", what, work);
  }

  #writing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_WRITE", what, work);
  }
}

const CANCELLED: FleetResult = {
  status: "cancelled",
  text: "",
  usage: { inputTokens: 0, outputTokens: 0 },
  costUsd: null,
  pending: [],
};

function sessionOfAnother(session: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Session "${clip(session, 100)}" is in use by another tenant. Pass another sessionId: they are unique over the whole fleet.`,
    details: { option: "sessionId" },
  });
}

function wrongCron(cron: string, cause: Error): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Option "cron" of fleet.schedule() is "${clip(cron, 100)}": ${cause.message}. Pass the five or six fields of cron, such as "0 9 * * 1-5".`,
    details: { option: "cron" },
    cause,
  });
}

function noSuchQuestion(id: string): SessionError {
  return new SessionError("SESSION_NOT_FOUND", {
    message: `No run of this fleet waits with question "${clip(id, 100)}". It was answered, or its run has ended.`,
    details: { id: clip(id, 100) },
  });
}

function noSuchRun(id: string): RunError {
  return new RunError("EVENTS_GONE", {
    message: `This fleet has no run "${clip(String(id), 100)}". Check the id; a run that was deleted has left its session alone.`,
  });
}

function closed(): ConfigurationError {
  return new ConfigurationError("ENGINE_CLOSED", {
    message: "The fleet was closed while a result was waited for. Read it again.",
  });
}
