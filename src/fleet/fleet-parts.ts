// The parts that a fleet stands on: the database, the runs in it, and the engine beneath once it is needed.
import { Database, failingAs } from "../sessions/postgres/database.js";
import { AttemptQueue } from "./attempt-queue.js";
import { type Dbos, loadDbos } from "./dbos.js";
import { fleetClosed } from "./fleet-errors.js";
import type { FleetSettings } from "./fleet-options.js";
import type { FleetQueueOptions } from "./fleet-types.js";
import { RunRows } from "./run-rows.js";

export const DEFAULT_QUEUE = "default";

/** The engine beneath, ready once the database was first reached. */
interface ReadyEngine {
  readonly dbos: Dbos;
  readonly queue: AttemptQueue;
}

export class FleetParts {
  readonly database: Database;
  readonly rows: RunRows;
  readonly queues: Readonly<Record<string, FleetQueueOptions>>;
  readonly version: string;
  readonly #closed = new AbortController();
  #isOver = false;
  #engine: Promise<ReadyEngine> | undefined;

  constructor(readonly options: FleetSettings) {
    this.database = new Database(options.pool, options.schema);
    this.rows = new RunRows(this.database);
    this.queues = { [DEFAULT_QUEUE]: {}, ...options.queues };
    this.version = options.version;
  }

  /** Aborts when the fleet begins to close: nothing is waited for any more. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** An error of a listener changes nothing. */
  readonly report = (message: string): void => {
    try {
      this.options.onProblem(message);
    } catch {}
  };

  /** @throws ConfigurationError `ENGINE_CLOSED`, `PEER_MISSING`, `PEER_UNSUPPORTED` */
  async engine(): Promise<ReadyEngine> {
    if (this.#isOver) throw fleetClosed();
    this.#engine ??= loadDbos(this.database, this.options.schema, this.report).then((dbos) => ({
      dbos,
      queue: new AttemptQueue(dbos, this.rows, this.queues),
    }));
    // One that failed is tried again next time.
    this.#engine.catch(() => {
      this.#engine = undefined;
    });
    return this.#engine;
  }

  reading<T>(what: string, work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_READ", what, work);
  }

  writing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_WRITE", what, work);
  }

  /** Ends what waits, lets `stopWork` come to its end, and lets go of the engine. */
  async close(stopWork: () => Promise<void> | undefined): Promise<void> {
    this.#closed.abort();
    // Schedules that are due meanwhile are still started.
    await stopWork();
    this.#isOver = true;
    await (await this.#engine?.catch(() => undefined))?.dbos.client.destroy();
  }
}
