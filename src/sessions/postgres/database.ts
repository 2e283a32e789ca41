// Statements on a pool that survive a lost connection. A statement whose answer did not come may have been done: whoever
// sends it must be able to send it twice, and `isRepeated` says when that is the case.
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { ConfigurationError, SessionError } from "../../contracts/errors.js";
import { findInstalled } from "../../peers/installed-peer.js";
import { unsupported } from "../../peers/load-peer.js";
import { isSupported } from "../../peers/peer-table.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { isLostConnection } from "./lost-connection.js";
import type { PostgresClient, PostgresPool, PostgresQueryable, PostgresResult } from "./pool.js";

/** A server that restarts is back within it. */
const RETRY_FOR_MS = 30_000;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 1_000;

/** The number of attempts so far. */
export interface DatabaseTry {
  /** The first try may have been done, though its answer was lost. */
  readonly isRepeated: boolean;
}

/** Pools whose idle connections may break without ending the process. */
const watched = new WeakSet<object>();

/**
 * The connection of the transaction that the caller is in, of each database. One for all: on Node before 24 each storage that was
 * ever used makes every promise of the process cost more.
 */
const INSIDE = new AsyncLocalStorage<ReadonlyMap<Database, PostgresClient>>();

export class Database {
  /** The quoted schema, in front of each table. */
  readonly schema: string;

  constructor(
    readonly pool: PostgresPool,
    schema: string,
  ) {
    this.schema = `"${schema}"`;
    if (watched.has(pool)) return;
    checkPg(pool);
    watched.add(pool);
    // `pg` reports a broken idle connection here, and takes another one; without a listener the process would end.
    pool.on("error", () => {});
    // So it would for a connection that breaks in the very moment in which it is made: a server that shuts down says so in the
    // same breath as "ready", before whoever asked for the connection can listen.
    pool.on("connect", (client) => void client.on("error", () => {}));
  }

  /** Sends a statement that may be sent twice; inside `transaction`, as a part of it. */
  query(text: string, values: unknown[] = []): Promise<PostgresResult> {
    const client = INSIDE.getStore()?.get(this);
    if (client) return client.query(text, values);
    return this.retry(() => this.pool.query(text, values));
  }

  /** Tries again while the connection is lost. */
  async retry<T>(work: (attempt: DatabaseTry) => Promise<T>): Promise<T> {
    const until = performance.now() + RETRY_FOR_MS;
    for (let delay = FIRST_DELAY_MS, isRepeated = false; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      try {
        return await work({ isRepeated });
      } catch (error) {
        if (!isLostConnection(error) || performance.now() + delay > until) throw error;
      }
      isRepeated = true;
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random() / 2)));
    }
  }

  /**
   * Does `work` in one transaction on one connection, and again from the start after a lost connection. Inside another
   * transaction it is a part of that one.
   */
  transaction<T>(work: (client: PostgresQueryable, attempt: DatabaseTry) => Promise<T>): Promise<T> {
    const outer = INSIDE.getStore()?.get(this);
    if (outer) return work(outer, { isRepeated: false });
    return this.retry((attempt) => this.#once((client) => work(client, attempt)));
  }

  #once<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    return this.connected(async (client) => {
      await client.query("BEGIN");
      try {
        const inside = new Map(INSIDE.getStore()).set(this, client);
        const result = await INSIDE.run(inside, () => work(client));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        if (!isLostConnection(error)) await client.query("ROLLBACK");
        throw error;
      }
    });
  }

  /** Does `work` on a connection of its own, which goes back to the pool unless it failed. */
  async connected<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await work(client);
    } catch (error) {
      if (isLostConnection(error)) broken ??= error as Error;
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }
}

/** The machine's and the server's failures as errors of ours; errors of ours pass. */
export async function failingAs<T>(
  code: "SESSION_READ" | "SESSION_WRITE",
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseFailure(code, what, error);
  }
}

/** UNDEFINED_TABLE, UNDEFINED_COLUMN, INVALID_SCHEMA_NAME, UNDEFINED_FUNCTION. */
const NOT_MIGRATED = new Set(["42P01", "42703", "3F000", "42883"]);

function databaseFailure(code: "SESSION_READ" | "SESSION_WRITE", what: string, error: unknown): unknown {
  const state: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  // Errors of ours have codes in words, with an underscore.
  if (error instanceof Error && typeof state === "string" && /^[A-Z]+_[A-Z_]+$/.test(state)) return error;
  if (NOT_MIGRATED.has(String(state))) {
    return new ConfigurationError("OPTION_INVALID", {
      message: `${what}: the database lacks the tables of this version. Run migrate({ pool }) from "loopwright/sessions/postgres" once before the application starts.`,
      cause: error,
    });
  }
  return new SessionError(code, {
    message: `${what}: ${describeThrown(error)}`,
    retryable: isLostConnection(error),
    cause: error,
  });
}

/**
 * Refuses a pool of a `pg` whose connections are never made: its user would wait for ever. Pools of others pass, as does one
 * of a copy that only the application finds.
 *
 * @throws ConfigurationError `PEER_UNSUPPORTED`
 */
function checkPg(pool: PostgresPool): void {
  const client: unknown = Reflect.get(pool, "Client");
  if (typeof client !== "function") return;
  const installed = findInstalled("pg");
  if (!installed || isSupported("pg", installed.version)) return;
  if (client === clientOf(installed.directory)) throw unsupported("pg", installed);
}

function clientOf(directory: string): unknown {
  try {
    return createRequire(import.meta.url)(directory).Client;
  } catch {
    return undefined;
  }
}
