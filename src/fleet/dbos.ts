// DBOS, the engine that queues attempts, hands them to workers and finds those of a worker that died. It is an optional peer,
// loaded when a fleet is first used.
import type { DBOSClient } from "@dbos-inc/dbos-sdk";
import type { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import type { Pool } from "pg";
import { loadPeer, notLoaded } from "../peers/load-peer.js";
import type { Database } from "../sessions/postgres/database.js";
import type { PostgresClient } from "../sessions/postgres/pool.js";
import { wait } from "../time/wait.js";

const PACKAGE = "@dbos-inc/dbos-sdk";
/** The address that DBOS requires; with a pool of its own it connects to nothing else. */
const UNUSED_URL = "postgresql://unused@localhost:5432/unused";

export interface Dbos {
  readonly sdk: typeof import("@dbos-inc/dbos-sdk");
  readonly client: DBOSClient;
  /** The schema of its tables. */
  readonly schema: string;
  /** The configuration that launches it in this process. */
  readonly config: {
    readonly name: string;
    readonly systemDatabaseUrl: string;
    readonly systemDatabasePool: Pool;
    readonly systemDatabaseSchemaName: string;
    readonly useListenNotify: false;
  };
  readonly logger: Logger;
  /** The executor of this process, once it was launched. */
  executor(): DBOSExecutor | undefined;
}

export type ProblemListener = (message: string) => void;

/** The name under which attempts are queued. */
export const APPLICATION = "loopwright-fleet";

/** Loads DBOS and brings its tables to its version. @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` */
export async function loadDbos(database: Database, schema: string, onProblem: ProblemListener): Promise<Dbos> {
  const { sdk, system, executor } = await importDbos();
  const logger = loggerOf(onProblem);
  const pool = database.pool as unknown as Pool;
  const dbosSchema = `${schema}_dbos`;
  await database.retry(() =>
    migrating(database, (connections) =>
      system.ensureSystemDatabase(UNUSED_URL, logger as never, connections as never, dbosSchema, false),
    ),
  );
  const client = await sdk.DBOSClient.create({
    systemDatabaseUrl: UNUSED_URL,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: dbosSchema,
    applicationName: APPLICATION,
    logger,
  });
  return {
    sdk,
    client,
    schema: dbosSchema,
    logger,
    config: {
      name: APPLICATION,
      systemDatabaseUrl: UNUSED_URL,
      systemDatabasePool: pool,
      systemDatabaseSchemaName: dbosSchema,
      useListenNotify: false,
    },
    executor: () => executor.DBOSExecutor.globalInstance,
  };
}

async function importDbos() {
  const [sdk, system, executor] = await Promise.all([
    loadPeer(PACKAGE, async () => {
      try {
        return await import("@dbos-inc/dbos-sdk");
      } catch (cause) {
        throw notLoaded(cause);
      }
    }, ["DBOS", "DBOSClient"]),
    loadPeer(PACKAGE, async () => {
      try {
        return await import("@dbos-inc/dbos-sdk/internal/system_database");
      } catch (cause) {
        throw notLoaded(cause);
      }
    }, ["ensureSystemDatabase"]),
    loadPeer(PACKAGE, async () => {
      try {
        return await import("@dbos-inc/dbos-sdk/internal/dbos-executor");
      } catch (cause) {
        throw notLoaded(cause);
      }
    }, ["DBOSExecutor"]),
  ]);
  return { sdk, system, executor };
}

const MIGRATION_LOCK = "hashtext('loopwright.fleet.migrate')";

/**
 * Lets one process after the other migrate: DBOS's migrations take no lock. Who waits must not do so inside a statement,
 * whose snapshot an index that is built concurrently would wait for. `work` gets a pool of the one connection with the lock.
 */
function migrating(database: Database, work: (connections: object) => Promise<void>): Promise<void> {
  return database.connected(async (client) => {
    while (!(await client.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS mine`)).rows[0].mine)
      await wait(100);
    try {
      await work({ connect: async () => lent(client) });
    } finally {
      // On a connection that is lost the lock is lost, too.
      await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => {});
    }
  });
}

/** A connection that its borrower cannot give back, nor change. */
function lent(client: PostgresClient): object {
  return {
    query: client.query.bind(client),
    on: client.on.bind(client),
    off: client.removeListener.bind(client),
    removeListener: client.removeListener.bind(client),
    release: () => {},
  };
}

interface Logger {
  info(entry: unknown): void;
  debug(entry: unknown): void;
  warn(entry: unknown): void;
  error(entry: unknown): void;
}

function loggerOf(onProblem: ProblemListener): Logger {
  const report = (entry: unknown) => onProblem(entry instanceof Error ? entry.message : String(entry));
  return { info: () => {}, debug: () => {}, warn: report, error: report };
}
