import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import type { EngineEvent } from "../contracts/event.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunStatus } from "../contracts/run.js";
import type { Usage } from "../contracts/usage.js";
import type { AgentEngine } from "../engine/engine.js";
import type { PostgresPool } from "../sessions/postgres/pool.js";

/** The limits on the runs of a queue. Without a limit a run starts as soon as a worker has room. */
export interface FleetQueueOptions {
  /** Runs of the queue under way at once, over all workers. */
  readonly concurrency?: number | undefined;
  /** Runs of one tenant under way at once, over all workers. Those without a tenant count as one tenant. */
  readonly perTenant?: number | undefined;
  /** Runs that start in a minute, over all workers. */
  readonly ratePerMinute?: number | undefined;
  /** Runs of the queue under way at once in one worker. Default: 50. */
  readonly perWorker?: number | undefined;
}

/** The run for which an engine is chosen. */
export interface FleetEngineRequest {
  readonly tenant: string | undefined;
  readonly queue: string;
  readonly sessionId: string;
}

/** An engine for each queue by its name, or a function that has one for a run. */
export type FleetEngines =
  | Readonly<Record<string, AgentEngine>>
  | ((run: FleetEngineRequest) => AgentEngine | Promise<AgentEngine>);

/** Options of `createFleet()`. */
export interface FleetOptions {
  /** A `Pool` of the package `pg`, version 8. It stays the caller's, who ends it after `fleet.close()`. */
  readonly pool: PostgresPool;
  /** The engine of the runs. Its session store has to be one that all workers share. Not needed where no `work()` is called. */
  readonly engine?: AgentEngine | undefined;
  /** Instead of `engine`: an engine for each queue, or a function that has one for a run, such as one for each tenant. */
  readonly engines?: FleetEngines | undefined;
  /** By name. `default` is there without being named. */
  readonly queues?: Readonly<Record<string, FleetQueueOptions>> | undefined;
  /** The `context` of a session's run that was started without one, asked for before each attempt. It is never stored. Default: none. */
  readonly contextFor?: ((sessionId: string) => unknown) | undefined;
  /** The time between a worker's signs of life; three times as long without one, its runs go on elsewhere. Default: 5_000. */
  readonly heartbeatMs?: number | undefined;
  /** The deployment. A run ends on the version it was started on, unless it is moved. Default: `"1"`. */
  readonly version?: string | undefined;
  /** The schema of the tables, as given to `migrate`. Default: `"loopwright"`. */
  readonly schema?: string | undefined;
  /** Told what operators may want to know: a database that cannot be reached, a worker that died. Default: nobody. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Options of `start()`. */
export interface FleetStartOptions {
  /** The session to go on with, or to begin. Default: a new one. A session belongs to the tenant that used it first. */
  readonly sessionId?: string | undefined;
  /** Starts once: a second start with the same key and tenant gives the run of the first. 1 to 500 characters. */
  readonly key?: string | undefined;
  /** Default: `"default"`. */
  readonly queue?: string | undefined;
  /** The owner of the run: for limits, and for `fleet.forTenant`. 1 to 100 characters. */
  readonly tenant?: string | undefined;
  /** The waiting run with the lowest number starts first; 0 is the most urgent. Default: 100. */
  readonly priority?: number | undefined;
  /** Not before. Precise to about a second. Unit: milliseconds. Default: 0. */
  readonly delayMs?: number | undefined;
  /** Handed to tools as `context.app`, as JSON; the database keeps it. What it must not hold comes from `contextFor`. */
  readonly context?: JsonValue | undefined;
}

/** The state of a run. `queued` is also one that goes on after an answer, or after its worker died. */
export type FleetStatus = "queued" | "running" | "cancelled" | RunStatus;

/** The end of a run, or what it waits for. */
export interface FleetResult {
  /** `needs-approval` for one that waits. */
  readonly status: Exclude<FleetStatus, "queued" | "running">;
  readonly text: string;
  /** The structured answer, when the engine has an `output` schema. */
  readonly output?: JsonValue | undefined;
  /** The reason why it failed. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** The usage of its last attempt. */
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly pending: readonly PendingRequest[];
}

/** The record of a run. */
export interface FleetRunInfo {
  readonly id: string;
  readonly sessionId: string;
  readonly tenant: string | undefined;
  readonly queue: string;
  readonly version: string;
  readonly status: FleetStatus;
  /** The number of the attempt, from 0: a start after an answer or a new place in the queue adds one, a worker that dies does not. */
  readonly attempt: number;
  /** The number of its newest event. */
  readonly lastSeq: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Absent as long as it is queued or running. */
  readonly result?: FleetResult | undefined;
}

/**
 * A run that any worker may take. Iterating it yields its events from the first to the last; leaving the iteration does not
 * end it. It can be given to the views of `loopwright/http`.
 */
export interface FleetRun extends AsyncIterable<EngineEvent> {
  /** The same over all attempts; events have the ids of the engine's runs. */
  readonly id: string;
  readonly sessionId: string;
  /** Whether this start has begun it, rather than found it by its key. */
  readonly isNew: boolean;
  /** Leaving an iteration ends it alone. */
  readonly isShared: true;
  /**
   * Settles when nothing of the run is queued or running: when it has ended, or waits for an approval. Read it again after an
   * answer.
   */
  readonly result: Promise<FleetResult>;
  /** As it is now. */
  info(): Promise<FleetRunInfo>;
  cancel(): Promise<boolean>;
  /** Cancels it, for views whose client has left. */
  abort(): void;
}

/** Options of a run's `events()`. */
export interface FleetEventOptions {
  /** The number of the last event the reader has. Default: 0, the beginning. */
  readonly from?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** A filter of the runs that `list()` returns. */
export interface FleetListOptions {
  /** Only runs in this state. */
  readonly status?: FleetStatus | undefined;
  /** Only runs of this session. */
  readonly sessionId?: string | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
}

/** The methods of one tenant. */
export interface TenantFleet {
  /**
   * Queues a run. Once it resolves, the run will be run, whatever happens to this process.
   *
   * @throws ConfigurationError `OPTION_INVALID`, also for a session of another tenant
   * @throws SessionError `SESSION_WRITE`
   */
  start(prompt: string | readonly ContentPart[], options?: FleetStartOptions): Promise<FleetRun>;
  /**
   * Answers a question of a run, which then goes on. An answer that was taken is never lost; of several to one question the
   * first counts.
   *
   * @throws SessionError `SESSION_NOT_FOUND` when no run waits with this question
   */
  answer(answer: Answer): Promise<FleetRun>;
  /**
   * Ends a run as `cancelled`. One that runs is aborted within a second or so. `false`: there is no such run, or it has ended.
   * Its questions are not listed or answered any more; the next prompt in its session denies them. Such a prompt also ends a run
   * that still waits there as `cancelled`.
   */
  cancel(id: string): Promise<boolean>;
  /**
   * The events of a run in order, numbered from 1 over all attempts; those to come as they are written. Ends after the last
   * event of a run that has ended, not while it waits for an approval.
   *
   * @throws RunError `EVENTS_GONE` for a run that is not known
   */
  events(id: string, options?: FleetEventOptions): AsyncIterable<EngineEvent>;
  /** A run by its id. */
  find(id: string): Promise<FleetRun | undefined>;
  /** Newest first. */
  list(options?: FleetListOptions): Promise<readonly FleetRunInfo[]>;
  /** Forgets a run that has ended, and its events. Its session stays. `false`: there is no such run, or it has not ended. */
  delete(id: string): Promise<boolean>;
}

/** A start that comes again and again. */
export interface FleetSchedule extends Omit<FleetStartOptions, "key" | "delayMs"> {
  /** When, in the five or six fields of cron. */
  readonly cron: string;
  /** An IANA name such as `Europe/Paris`. Default: UTC. */
  readonly timeZone?: string | undefined;
  readonly prompt: string;
}

/** Options of `move()`. */
export interface FleetMoveOptions {
  /** The version whose runs are moved. */
  readonly from: string;
  /** Default: the version of this fleet. */
  readonly to?: string | undefined;
}

/** Options of a worker's `stop()`. */
export interface FleetStopOptions {
  /** The time runs under way may go on here. Afterwards they are queued for other workers. Default: 10_000. */
  readonly graceMs?: number | undefined;
}

/** This process at work. */
export interface FleetWorker {
  readonly id: string;
  /** Runs under way here. */
  readonly running: number;
  /** Takes no more runs, lets those under way come to an end, and passes the rest to other workers. */
  stop(options?: FleetStopOptions): Promise<void>;
}

/** Runs on many machines, over one PostgreSQL. */
export interface Fleet extends TenantFleet {
  /** The same fleet for one tenant alone: what belongs to another is as if it were not there. */
  forTenant(tenant: string): TenantFleet;
  /** Makes this process a worker. Once per process: the engine beneath knows one. */
  work(): Promise<FleetWorker>;
  /** Starts a run at each time of a schedule, once over all workers. A schedule of this name is replaced. */
  schedule(name: string, schedule: FleetSchedule): Promise<void>;
  unschedule(name: string): Promise<void>;
  /** Moves what an old deployment has left to another version: queued and waiting runs, and those of workers that died. */
  move(options: FleetMoveOptions): Promise<number>;
  /** Stops the worker, and lets go of the engine beneath. The pool stays open. */
  close(): Promise<void>;
}
