import type { Answer } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import type { EngineEvent } from "../contracts/event.js";
import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { optionError } from "../json/check-options.js";
import { attemptId } from "./attempt-queue.js";
import { checkFleetOptions, checkMoveOptions, checkTenant } from "./fleet-options.js";
import { DEFAULT_QUEUE, FleetParts } from "./fleet-parts.js";
import { FleetRuns } from "./fleet-runs.js";
import type {
  Fleet,
  FleetEventOptions,
  FleetListOptions,
  FleetMoveOptions,
  FleetOptions,
  FleetRun,
  FleetRunInfo,
  FleetSchedule,
  FleetStartOptions,
  FleetWorker,
  TenantFleet,
} from "./fleet-types.js";
import { OPEN, type RunRow } from "./run-rows.js";
import { Schedules } from "./schedules.js";
import { Worker } from "./worker.js";

/**
 * Runs agents on many machines over one PostgreSQL: runs are queued, any worker takes them, and those of a worker that dies go
 * on elsewhere from their sessions. Queues, delays and schedules are DBOS's; the tables are made by `migrate`.
 *
 * A process that only starts runs and reads events needs no engine. One that calls `work()` does.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createFleet(options: FleetOptions): Fleet {
  return new PostgresFleet(new FleetParts(checkFleetOptions(options)));
}

class PostgresFleet implements Fleet {
  readonly #runs: FleetRuns;
  readonly #schedules: Schedules;
  #worker: Worker | undefined;

  constructor(private readonly parts: FleetParts) {
    this.#runs = new FleetRuns(parts, undefined);
    this.#schedules = new Schedules(parts, this.#runs);
  }

  start(prompt: string | readonly ContentPart[], options?: FleetStartOptions): Promise<FleetRun> {
    return this.#runs.start(prompt, options);
  }

  answer(answer: Answer): Promise<FleetRun> {
    return this.#runs.answer(answer);
  }

  cancel(id: string): Promise<boolean> {
    return this.#runs.cancel(id);
  }

  events(id: string, options?: FleetEventOptions): AsyncIterable<EngineEvent> {
    return this.#runs.events(id, options);
  }

  find(id: string): Promise<FleetRun | undefined> {
    return this.#runs.find(id);
  }

  list(options?: FleetListOptions): Promise<readonly FleetRunInfo[]> {
    return this.#runs.list(options);
  }

  delete(id: string): Promise<boolean> {
    return this.#runs.delete(id);
  }

  forTenant(tenant: string): TenantFleet {
    checkTenant(tenant);
    const runs = new FleetRuns(this.parts, tenant);
    // A tenant gets the methods alone, not the parts they are made of.
    return {
      start: (prompt, options) => runs.start(prompt, options),
      answer: (answer) => runs.answer(answer),
      cancel: (id) => runs.cancel(id),
      events: (id, options) => runs.events(id, options),
      find: (id) => runs.find(id),
      list: (options) => runs.list(options),
      delete: (id) => runs.delete(id),
    };
  }

  async work(): Promise<FleetWorker> {
    const { engine, engines, heartbeatMs } = this.parts.options;
    if (!engine && !engines)
      throw optionError("createFleet()", "engine", undefined, "an AgentEngine, since work() runs with it");
    const { database, rows, queues, version, report } = this.parts;
    const { dbos, queue } = await this.parts.engine();
    const worker = new Worker({
      database,
      dbos,
      rows,
      queue,
      queues,
      heartbeatMs,
      version,
      onProblem: report,
      engineOf: (row) => this.#engineOf(row),
      contextFor: async (sessionId) => this.parts.options.contextFor?.(sessionId),
      onSchedule: (context, at) => this.#schedules.start(context, at),
    });
    this.#worker = await worker.start();
    return worker;
  }

  schedule(name: string, schedule: FleetSchedule): Promise<void> {
    return this.#schedules.set(name, schedule);
  }

  unschedule(name: string): Promise<void> {
    return this.#schedules.remove(name);
  }

  async move(options: FleetMoveOptions): Promise<number> {
    checkMoveOptions(options);
    const { database, rows, version } = this.parts;
    const { from, to = version } = options;
    const { dbos, queue } = await this.parts.engine();
    let moved = 0;
    for (const id of await rows.leftBy(from)) {
      const old = await database.transaction(async (client) => {
        const row = await rows.take(client, id, undefined);
        if (!row || row.version !== from || !OPEN.includes(row.status)) return null;
        if (row.status === "needs-approval") await rows.setVersion(client, id, to);
        else await queue.again(client, row, { version: to });
        return row;
      });
      if (!old) continue;
      moved++;
      if (old.status !== "needs-approval") await dbos.client.cancelWorkflow(attemptId(id, old.attempt)).catch(() => {});
    }
    return moved;
  }

  async close(): Promise<void> {
    await this.parts.close(() => this.#worker?.stop());
    this.#worker = undefined;
  }

  async #engineOf({ tenant, queue, session }: RunRow): Promise<AgentEngine> {
    const { engine, engines } = this.parts.options;
    const chosen =
      typeof engines === "function"
        ? await engines({ tenant: tenant ?? undefined, queue, sessionId: session })
        : (engines?.[queue] ?? engines?.[DEFAULT_QUEUE] ?? engine);
    if (ENGINE_PARTS.has(Object(chosen))) return chosen!;
    throw optionError("createFleet()", "engines", chosen, `an AgentEngine for the queue "${queue}"`);
  }
}
