// A worker that is measured. Prints "working", and once its input ends what it has used.
import pg from "pg";
import { createFleet } from "../../src/fleet/index.js";
import { createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { measuredAgent } from "./agent.js";

const pool = new pg.Pool(JSON.parse(process.argv[2]!));
const fleet = createFleet({ pool, engine: measuredAgent(createPostgresSessionStore({ pool })) });
await fleet.work();
const before = process.cpuUsage();
console.log("working");
for await (const _ of process.stdin);
const { user, system } = process.cpuUsage(before);
await fleet.close();
await pool.end();
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, rssMb: process.memoryUsage().rss / 2 ** 20 }));
