// A worker of the fleet tests, until its input ends. Prints "working" once it works.
import pg from "pg";
import { createFleet } from "../../src/fleet/index.js";
import { createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { fleetAgent } from "./agent.js";

const { config, countAt, thinkMs, leaseMs, closesEngineFirst, ...options } = JSON.parse(process.argv[2]!);
const pool = new pg.Pool(config);
const sessions = createPostgresSessionStore({ pool, leaseMs });
const engine = fleetAgent({ sessions, countAt, thinkMs });
const fleet = createFleet({
  pool,
  engine,
  contextFor: (sessionId) => ({ token: `token of ${sessionId}` }),
  onProblem: process.env.FLEET_VERBOSE ? (message) => process.stderr.write(`${process.pid}: ${message}\n`) : undefined,
  ...options,
});
await fleet.work();
console.log("working");
for await (const _ of process.stdin);
if (closesEngineFirst) await engine.close();
await fleet.close();
await pool.end();
