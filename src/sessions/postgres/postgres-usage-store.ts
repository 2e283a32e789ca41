import type { UsageStore, UsageSum } from "../../contracts/usage.js";
import { checkOptions } from "../../json/check-options.js";
import { Database, failingAs } from "./database.js";
import { POSTGRES_OPTIONS, type PostgresOptions } from "./options.js";

/**
 * Counts usage in PostgreSQL, for processes on any number of machines. The table is made by `migrate`, and has a row for each user and
 * period: delete those that you no longer want to see.
 *
 * An addition whose connection is lost may count twice, never not at all.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for a pool of a `pg` that does not work
 */
export function createPostgresUsageStore(options: PostgresOptions): UsageStore {
  const { pool, tenant, schema } = checkOptions("createPostgresUsageStore()", options, POSTGRES_OPTIONS);
  const database = new Database(pool, schema);
  const table = `${database.schema}.usage`;
  return {
    add: (user, { from, until }, { tokens, costUsd }) =>
      failingAs("SESSION_WRITE", "Usage could not be counted", async () => {
        const { rows } = await database.query(
          `INSERT INTO ${table} AS one (tenant, name, begins, ends, tokens, cost_usd) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (tenant, name, begins, ends) DO UPDATE
           SET tokens = one.tokens + excluded.tokens, cost_usd = one.cost_usd + excluded.cost_usd
           RETURNING tokens, cost_usd`,
          [tenant, user, from, until, tokens, costUsd],
        );
        return sumOf(rows[0]);
      }),
    read: (user, { from, until }) =>
      failingAs("SESSION_READ", "Usage could not be read", async () => {
        const { rows } = await database.query(
          `SELECT tokens, cost_usd FROM ${table} WHERE tenant = $1 AND name = $2 AND begins = $3 AND ends = $4`,
          [tenant, user, from, until],
        );
        return sumOf(rows[0]);
      }),
  };
}

function sumOf(row: { readonly tokens: unknown; readonly cost_usd: unknown } | undefined): UsageSum {
  return { tokens: Number(row?.tokens ?? 0), costUsd: Number(row?.cost_usd ?? 0) };
}
