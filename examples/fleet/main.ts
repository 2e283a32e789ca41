// Shows: a web chat in front of agents that run on several workers, over one PostgreSQL; a worker may be killed at any time.
// Run:   npx tsx examples/fleet/main.ts
// Expect: an address to open, and the process ids of two workers. With DATABASE_URL set, that database is used.
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrate } from "loopwright/sessions/postgres";
import { Pool } from "pg";
import { startPostgres } from "../../test/postgres/postgres-server.js";

if (process.argv.includes("--help")) {
  console.log(
    "npx tsx examples/fleet/main.ts\n\nDATABASE_URL names the database (default: one of its own), PORT the page's port (default: 4174).",
  );
  process.exit(0);
}

/** A PostgreSQL of its own, unless there is one. */
async function findDatabase(): Promise<{ env: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
  if (process.env.DATABASE_URL) return { env: {}, stop: async () => {} };
  const dir = join(tmpdir(), `fleet-example-${process.pid}`);
  const server = await startPostgres({ dir });
  const stop = async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { env: { PGHOST: server.host, PGUSER: "postgres", PGDATABASE: "postgres" }, stop };
}

const database = await findDatabase();
Object.assign(process.env, database.env);
const pool = new Pool({ connectionString: process.env.DATABASE_URL });
await migrate({ pool });
await pool.end();

const children = new Set<ChildProcess>();
for (const file of ["worker.ts", "worker.ts", "api-server.ts"]) {
  const args = ["--import", "tsx", fileURLToPath(new URL(file, import.meta.url))];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  children.add(child);
  child.once("exit", (code, signal) => {
    children.delete(child);
    console.log(`process ${child.pid} has ended (${signal ?? code})`);
  });
}

async function stop(): Promise<void> {
  await Promise.all(
    [...children].map((child) => {
      child.kill("SIGTERM");
      return new Promise((resolve) => child.once("exit", resolve));
    }),
  );
  await database.stop();
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
