// `npm run bench:fleet` measures sessions in PostgreSQL beside files, and fleets beside the engine alone, on a server of this
// machine that syncs each commit to disk. Writes docs/concepts/fleet-capacity.md between its marks. `--quick` prints only.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createFleet } from "../../src/fleet/index.js";
import type { SessionStore } from "../../src/index.js";
import { createFileSessionStore, createMemorySessionStore } from "../../src/sessions/index.js";
import { createPostgresApprovals, createPostgresSessionStore, migrate } from "../../src/sessions/postgres/index.js";
import { startPostgres } from "../../test/postgres/postgres-server.js";
import { entries } from "../../test/sessions/entries.js";
import { fill } from "../fill.js";
import { markdown } from "../row.js";
import { measuredAgent } from "./agent.js";

const isQuick = process.argv.includes("--quick");
const RUNS = isQuick ? 100 : 1_000;
const WAITING = isQuick ? 500 : 10_000;
const STEPS = 4;
const COMMITS = isQuick ? 100 : 500;

const dir = join(tmpdir(), `bench-fleet-${process.pid}`);
const files = mkdtempSync(join(tmpdir(), "bench-files-"));
const postgres = await startPostgres({
  dir,
  settings: { fsync: "on", synchronous_commit: "on", full_page_writes: "on", shared_buffers: "256MB" },
});
const config = { host: postgres.host, user: "postgres", database: "postgres", max: 20 };
const pool = new pg.Pool(config);
await migrate({ pool });
const rows: [string, string][] = [];
const row = (what: string, figure: string) => {
  rows.push([what, figure]);
  console.error(`${what}: ${figure}`);
};

try {
  await measureStores();
  await measureEngine();
  for (const workers of [1, 2]) await measureFleet(workers);
  await measureWaiting();
  const table = markdown(["what", "figure"], rows);
  console.log(table);
  const about = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, PostgreSQL 18 on the same machine.`;
  if (!isQuick) await fill("docs/concepts/fleet-capacity.md", "fleet", `${about}\n\n${table}`);
} finally {
  await pool.end();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
  rmSync(files, { recursive: true, force: true });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function measureStores(): Promise<void> {
  const stores: [string, SessionStore][] = [
    ["files, synced", createFileSessionStore({ dir: files })],
    ["PostgreSQL", createPostgresSessionStore({ pool })],
  ];
  for (const [name, store] of stores) {
    const release = await store.lock("bench");
    await store.append("bench", entries(4, 0, "x".repeat(200)));
    const ms = await timed(async () => {
      for (let n = 1; n <= COMMITS; n++) await store.append("bench", entries(4, n * 4, "x".repeat(200)));
    });
    row(`a commit of 4 entries, ${name}`, `${(ms / COMMITS).toFixed(2)} ms`);
    await release();
    let read = 0;
    const readMs = await timed(async () => {
      for await (const _ of store.read("bench")) read++;
    });
    row(`entries read per second, ${name}`, `${Math.round((read / readMs) * 1_000).toLocaleString("en")}`);
  }
}

/** The same runs without a fleet, 50 at a time. */
async function measureEngine(): Promise<void> {
  const stores: [string, SessionStore][] = [
    ["sessions in memory", createMemorySessionStore({ maxSessions: 2 * RUNS })],
    ["sessions in PostgreSQL", createPostgresSessionStore({ pool })],
  ];
  for (const [name, store] of stores) {
    const engine = measuredAgent(store);
    let left = RUNS;
    const ms = await timed(() =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          while (left-- > 0) await engine.run(`${STEPS}`);
        }),
      ),
    );
    row(`runs of ${STEPS + 1} model calls per second, engine alone, ${name}`, `${Math.round((RUNS / ms) * 1_000)}`);
  }
}

async function measureFleet(count: number): Promise<void> {
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  const fleet = createFleet({ pool });
  const starts: number[] = [];
  const runs = [];
  const queueMs = await timed(async () => {
    for (let n = 0; n < RUNS; n++) runs.push(await fleet.start(`${STEPS}`));
  });
  row(
    `runs queued per second by one process, one after the other, ${count} at work`,
    `${Math.round((RUNS / queueMs) * 1_000)}`,
  );
  const drainMs = queueMs + (await timed(() => settled(RUNS * count)));
  row(
    `runs of ${STEPS + 1} model calls per second, ${count} ${count > 1 ? "workers" : "worker"}`,
    `${Math.round((RUNS / drainMs) * 1_000)}`,
  );
  for (let n = 0; n < 20; n++) {
    const startedAt = performance.now();
    const run = await fleet.start("0");
    for await (const _ of run) break;
    starts.push(performance.now() - startedAt);
  }
  starts.sort((a, b) => a - b);
  row(`from start() to the first event, idle, ${count} at work: median`, `${Math.round(starts[10]!)} ms`);
  const used = await Promise.all(workers.map((worker) => worker.stop()));
  const cpuMs = used.reduce((sum, each) => sum + each.cpuMs, 0);
  row(`processor time of the workers for a run, ${count} at work`, `${(cpuMs / RUNS).toFixed(1)} ms`);
  await fleet.close();

  /** Runs that have ended, over all measurements so far. */
  async function settled(total: number): Promise<void> {
    for (;;) {
      const { rows: found } = await pool.query(
        "SELECT count(*) FROM loopwright.fleet_runs WHERE status = 'completed' AND input = $1",
        [JSON.stringify(String(STEPS))],
      );
      if (Number(found[0].count) >= total) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function measureWaiting(): Promise<void> {
  const [worker] = [await startWorker()];
  const fleet = createFleet({ pool });
  const ms = await timed(async () => {
    let left = WAITING;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (left-- > 0) await fleet.start(`${STEPS} ask`);
      }),
    );
    for (;;) {
      const { rows: found } = await pool.query(
        "SELECT count(*) FROM loopwright.fleet_runs WHERE status = 'needs-approval'",
      );
      if (Number(found[0].count) >= WAITING) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  row(`until ${WAITING.toLocaleString("en")} runs wait for an approval, one worker`, `${(ms / 1_000).toFixed(0)} s`);
  const approvals = createPostgresApprovals({ pool });
  row("list them, the first time", `${((await timed(() => approvals.list({ limit: 100_000 }))) / 1_000).toFixed(1)} s`);
  row("list 1,000 of them again", `${Math.round(await timed(() => approvals.list()))} ms`);
  const answers: number[] = [];
  for (const { id } of await approvals.list({ limit: 20 })) {
    const startedAt = performance.now();
    const run = await fleet.answer({ id, decision: "allow" });
    await run.result;
    answers.push(performance.now() - startedAt);
  }
  answers.sort((a, b) => a - b);
  row("meanwhile, from an answer to the end of its run, median", `${Math.round(answers[10]!)} ms`);
  const { rows: size } = await pool.query(
    "SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM loopwright.fleet_runs) AS runs",
  );
  row(
    "kept in the database for a run: session, events, state",
    `${(Number(size[0].bytes) / Number(size[0].runs) / 1_000).toFixed(1)} kB`,
  );
  const { rssMb } = await worker.stop();
  row("memory of the worker at the end", `${Math.round(rssMb)} MB`);
  await fleet.close();
}

async function startWorker() {
  const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(config)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async stop(): Promise<{ cpuMs: number; rssMb: number }> {
      child.stdin.end();
      return JSON.parse((await lines.next()).value!);
    },
  };
}
