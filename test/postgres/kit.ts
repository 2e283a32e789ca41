// Databases for tests: one server for the whole run, begun by the first file that needs it, a database for each file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../src/sessions/postgres/index.js";
import { startPostgres } from "./postgres-server.js";

export interface TestDatabase {
  /** For other processes: what `new pg.Pool` takes. */
  readonly config: { readonly host: string; readonly user: string; readonly database: string; readonly max?: number };
  readonly pool: pg.Pool;
  /** Ends the pool. The database goes with the server. */
  close(): Promise<void>;
}

/** An empty database with the library's tables, unless told otherwise. */
export async function testDatabase({ migrated = true, max = 10 } = {}): Promise<TestDatabase> {
  const host = await sharedServer();
  const name = `test_${process.pid}_${Date.now().toString(36)}_${++databases}`;
  const admin = new pg.Client({ host, user: "postgres", database: "postgres" });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const config = { host, user: "postgres", database: name, max };
  const pool = new pg.Pool(config);
  if (migrated) await migrate({ pool });
  return { config, pool, close: () => pool.end() };
}

let databases = 0;

/** The socket directory of the run's server; the first who asks starts it, in any process. */
async function sharedServer(): Promise<string> {
  const dir = join(tmpdir(), "pg");
  const ready = join(tmpdir(), "pg-ready.json");
  try {
    mkdirSync(join(tmpdir(), "pg-lock"));
  } catch {
    while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 25));
    return JSON.parse(readFileSync(ready, "utf8")).host;
  }
  const { host, pid } = await startPostgres({ dir, detached: true });
  writeFileSync(`${ready}.tmp`, JSON.stringify({ host, pid }));
  const { renameSync } = await import("node:fs");
  renameSync(`${ready}.tmp`, ready);
  return host;
}
