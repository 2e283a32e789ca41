import { migrate } from "../sessions/postgres/migrate.js";
import type { CommandLine } from "./command-line.js";
import { EXIT, UsageError } from "./exit-codes.js";
import type { ProgramIo } from "./program-io.js";

/** `loopwright migrate`: makes the tables of the PostgreSQL stores and of fleets, or brings them up to date. */
export async function migrateDatabase({ databaseUrl }: CommandLine, { env, stdout }: ProgramIo): Promise<number> {
  const connectionString = databaseUrl ?? env.DATABASE_URL;
  if (!connectionString) {
    throw new UsageError("Which database? Give its address with --database-url, or set DATABASE_URL.");
  }
  const { Pool } = (await loadPg()).default;
  const pool = new Pool({ connectionString, max: 1 });
  try {
    const { schema, version, applied } = await migrate({ pool });
    const what = applied.length === 0 ? "was up to date" : `applied ${applied.length} of ${version} steps`;
    stdout.write(`Schema "${schema}", version ${version}: ${what}.\n`);
    return EXIT.done;
  } finally {
    await pool.end();
  }
}

function loadPg(): Promise<typeof import("pg")> {
  return import("pg").catch(() => {
    throw new UsageError('The package "pg" is not installed: npm install pg');
  });
}
