// Puts attempts into DBOS's queues, in the transaction that changes the run: both are done, or neither.
import type { ClientBase } from "pg";
import type { PostgresQueryable } from "../sessions/postgres/pool.js";
import type { Dbos } from "./dbos.js";
import type { FleetQueueOptions, FleetResult } from "./fleet-types.js";
import type { RunRow, RunRows } from "./run-rows.js";

/** The name by which DBOS knows an attempt. */
export const WORKFLOW = "loopwrightAttempt";
/** DBOS needs a key for each run of a queue with limits per tenant. */
const NO_TENANT = "-";

/** A queue's name in DBOS. */
export function queueName(name: string): string {
  return `loopwright-${name}`;
}

export function attemptId(run: string, attempt: number): string {
  return `${run}:${attempt}`;
}

export class AttemptQueue {
  constructor(
    private readonly dbos: Dbos,
    private readonly rows: RunRows,
    private readonly queues: Readonly<Record<string, FleetQueueOptions>>,
  ) {}

  /** Queues the attempt that the row names. */
  async add(
    client: PostgresQueryable,
    row: Pick<RunRow, "id" | "attempt" | "queue" | "priority" | "version" | "tenant">,
    delayMs: number,
  ): Promise<void> {
    const { id, attempt, queue, priority, version, tenant } = row;
    await this.dbos.client.enqueueInTransaction(
      client as unknown as ClientBase,
      {
        workflowName: WORKFLOW,
        workflowID: attemptId(id, attempt),
        queueName: queueName(queue),
        appVersion: version,
        priority,
        ...(this.queues[queue]?.perTenant !== undefined && { queuePartitionKey: tenant ?? NO_TENANT }),
        ...(delayMs > 0 && { delaySeconds: delayMs / 1_000 }),
      },
      id,
      attempt,
    );
  }

  /** Queues the next attempt of a run, on its version or another one. */
  async again(
    client: PostgresQueryable,
    row: RunRow,
    { delayMs = 0, version = row.version, isBehind = false }: AgainOptions = {},
  ): Promise<void> {
    const attempt = row.attempt + 1;
    await this.rows.requeue(client, row, { attempt, version, isBehind });
    await this.add(client, { ...row, attempt, version }, delayMs);
  }

  /** A run stands still; the next one of its session begins. */
  async settle(client: PostgresQueryable, row: RunRow, result: FleetResult): Promise<void> {
    await this.rows.settle(client, row, result);
    const next = await this.rows.takeNextOf(client, row.session);
    if (next) await this.again(client, next);
  }
}

export interface AgainOptions {
  readonly delayMs?: number | undefined;
  readonly version?: string | undefined;
  /** It waits for a run that uses its session, whose end queues it again. */
  readonly isBehind?: boolean | undefined;
}
