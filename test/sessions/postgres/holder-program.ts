// Locks a session, then does what its input says: "append <n>" or "release". Prints a line for each.
import { createInterface } from "node:readline";
import pg from "pg";
import { createPostgresSessionStore } from "../../../src/sessions/postgres/index.js";
import { entries } from "../entries.js";

const [config = "{}", id = "s", leaseMs = "300"] = process.argv.slice(2);
const pool = new pg.Pool(JSON.parse(config));
const store = createPostgresSessionStore({ pool, leaseMs: Number(leaseMs) });
const release = await store.lock(id);
console.log("locked");
for await (const line of createInterface({ input: process.stdin })) {
  const [what, n] = line.split(" ");
  if (what === "append") {
    const failure = await store.append(id, entries(1, Number(n))).catch((error: unknown) => error);
    console.log(failure === undefined ? "appended" : String(Object(failure).code));
  } else {
    await release();
    console.log("released");
  }
}
await pool.end();
