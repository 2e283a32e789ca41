import { SessionError } from "../../contracts/errors.js";
import { checkOptions, type OptionTable } from "../../json/check-options.js";
import { Database, failingAs } from "./database.js";
import { MIGRATIONS } from "./migrations.js";
import { POOL, SCHEMA } from "./options.js";
import type { PostgresPool } from "./pool.js";

/** Options of `migrate()`. */
export interface MigrateOptions {
  /** Its role has to be allowed to create a schema and tables. */
  readonly pool: PostgresPool;
  /** The schema of the tables; made when it is missing. Default: `"loopwright"`. */
  readonly schema?: string | undefined;
}

/** The result of a migration. */
export interface Migration {
  readonly schema: string;
  /** The version the tables have now. */
  readonly version: number;
  /** The steps that were applied, by number. None when the tables were up to date. */
  readonly applied: readonly number[];
}

const OPTIONS = { pool: POOL, schema: SCHEMA } satisfies OptionTable<MigrateOptions>;

/**
 * Brings the tables of the stores and of fleets to this version. Safe to run by any number of processes at once, and again:
 * each step is applied once, all steps or none.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 * @throws SessionError `SESSION_VERSION` for tables of a newer version, `SESSION_WRITE` when the database refuses
 */
export async function migrate(options: MigrateOptions): Promise<Migration> {
  const { pool, schema } = checkOptions("migrate()", options, OPTIONS);
  const database = new Database(pool, schema);
  const s = database.schema;
  const work = () =>
    database.transaction(async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(hashtext('loopwright.migrate'))");
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${s}`);
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${s}.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
      );
      const { rows } = await client.query(`SELECT coalesce(max(version), 0) AS version FROM ${s}.migrations`);
      const version = Number(rows[0].version);
      if (version > MIGRATIONS.length) throw newerTables(schema, version);
      const applied: number[] = [];
      for (const [index, step] of MIGRATIONS.entries()) {
        if (index < version) continue;
        await client.query(step(s));
        await client.query(`INSERT INTO ${s}.migrations (version) VALUES ($1)`, [index + 1]);
        applied.push(index + 1);
      }
      return { schema, version: MIGRATIONS.length, applied };
    });
  return failingAs("SESSION_WRITE", `The schema "${schema}" could not be migrated`, work);
}

function newerTables(schema: string, version: number): SessionError {
  return new SessionError("SESSION_VERSION", {
    message: `The schema "${schema}" has tables of version ${version}; this library knows ${MIGRATIONS.length}. Use the library that migrated it, or a newer one.`,
  });
}
