import { SessionError } from "../contracts/errors.js";
import { loadPeerIfInstalled, notLoaded } from "../peers/load-peer.js";
import { isLostConnection } from "../sessions/postgres/lost-connection.js";
import { migrate } from "../sessions/postgres/migrate.js";
import type { PostgresPool } from "../sessions/postgres/pool.js";
import { describeThrown } from "../text/describe-thrown.js";
import type { CommandLine } from "./command-line.js";
import { EXIT, UsageError } from "./exit-codes.js";
import type { ProgramIo } from "./program-io.js";

const CONNECT_TIMEOUT_MS = 10_000;
/** CANNOT_CONNECT_NOW: the server starts up or shuts down. */
const STARTING_UP = "57P03";

/** `loopwright migrate`: makes the tables of the PostgreSQL stores and of fleets, or brings them up to date. */
export async function migrateDatabase({ databaseUrl }: CommandLine, { env, stdout }: ProgramIo): Promise<number> {
  const connectionString = databaseUrl ?? env.DATABASE_URL;
  if (!connectionString) {
    throw new UsageError("Which database? Give its address with --database-url, or set DATABASE_URL.");
  }
  const { Pool } = (await loadPg()).default;
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await checkServer(pool);
    const { schema, version, applied } = await migrate({ pool });
    const what = applied.length === 0 ? "was up to date" : `applied ${applied.length} of ${version} steps`;
    stdout.write(`Schema "${schema}", version ${version}: ${what}.\n`);
    return EXIT.done;
  } finally {
    await pool.end();
  }
}

/** A running application waits for a server that is gone; a command says so at once, unless the server is starting up. */
async function checkServer(pool: PostgresPool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    if (!isLostConnection(error) || Reflect.get(error as Error, "code") === STARTING_UP) return;
    throw new SessionError("SESSION_WRITE", {
      message: `No database server accepts the connection: ${describeThrown(firstOf(error))}. Start it, or check the address in --database-url or DATABASE_URL.`,
      retryable: true,
      cause: error,
    });
  }
}

/** A name with two addresses fails twice, and the failure of both has no message of its own. */
const firstOf = (error: unknown) => (error instanceof AggregateError ? error.errors[0] : error);

async function loadPg(): Promise<typeof import("pg")> {
  const pg = await loadPeerIfInstalled("pg", async () => {
    try {
      return await import("pg");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["default"]);
  if (!pg) throw new UsageError('The package "pg" is not installed: npm install pg');
  return pg;
}
