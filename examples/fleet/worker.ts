// Takes runs until it is stopped. Start as many as you like, on any machine that reaches the database.
import { createFleet } from "loopwright/fleet";
import { createPostgresSessionStore } from "loopwright/sessions/postgres";
import { Pool } from "pg";
import { createSupportAgent } from "./agent.js";

// Where the database is: PGHOST, PGUSER, PGPASSWORD, PGDATABASE, or DATABASE_URL.
const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const fleet = createFleet({
  pool,
  engine: createSupportAgent(createPostgresSessionStore({ pool })),
  queues: { default: { concurrency: 100, perWorker: 20 } },
  heartbeatMs: 1_000,
  onProblem: (message) => console.error(`worker ${process.pid}: ${message}`),
});
const worker = await fleet.work();
console.log(`worker ${process.pid} is at work as ${worker.id}`);

async function stop(): Promise<void> {
  await fleet.close();
  await pool.end();
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
