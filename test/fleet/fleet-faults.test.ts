// Everything at once: workers that are killed and paused, a database that restarts, connections that are cut.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createFleet, type FleetRun } from "../../src/fleet/index.js";
import { createPostgresSessionStore, migrate } from "../../src/sessions/postgres/index.js";
import { startCuttingProxy } from "../postgres/cutting-proxy.js";
import { startPostgres } from "../postgres/postgres-server.js";
import { runs as howMany } from "../runs.js";
import { bundled, type Child, collect, startChild } from "../sessions/kit.js";
import { startCountingServer } from "./counting-server.js";

/** How many runs, workers and faults. */
const RUNS = howMany(6, 40, 1_000);
const WORKERS = howMany(2, 3, 4);
const FAULTS = howMany(3, 10, 80);
const STEPS = 3;

test("whatever fails, every run ends, no effect is doubled and no answer lost", async () => {
  const program = await bundled(new URL("./worker-program.ts", import.meta.url));
  const dir = join(tmpdir(), `faults-${process.pid}`);
  const postgres = await startPostgres({ dir, settings: { synchronous_commit: "on" } });
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  onTestFinished(() => postgres.stop());
  const proxy = await startCuttingProxy(postgres.host);
  const config = { host: proxy.host, user: "postgres", database: "postgres", max: 12 };
  onTestFinished(() => proxy.close());
  const pool = new pg.Pool({ ...config, max: 20 });
  onTestFinished(() => pool.end());
  await migrate({ pool });
  const server = await startCountingServer({ slowMs: 40 });
  onTestFinished(() => server.close());
  const fleet = createFleet({ pool });
  onTestFinished(() => fleet.close());
  const sessions = createPostgresSessionStore({ pool });
  const workers = new Set<Child>();
  onTestFinished(async () => void (await Promise.all([...workers].map((worker) => worker.kill()))));
  const startWorker = async () => {
    const settings = { config, countAt: server.url, thinkMs: 40, leaseMs: 500, heartbeatMs: 250 };
    const worker = startChild(program, [JSON.stringify(settings)]);
    workers.add(worker);
    await worker.line();
  };
  await Promise.all(Array.from({ length: WORKERS }, startWorker));

  const names = Array.from({ length: RUNS }, (_, n) => (n % 4 === 0 ? `ask-${n}` : `r${n}`));
  const runs: FleetRun[] = [];
  for (const name of names) runs.push(await fleet.start(`${name} ${STEPS}`, { key: name, tenant: `t${name.length}` }));
  const total = RUNS * STEPS;
  const settled = Promise.all(runs.map((run) => allowAll(run)));

  for (let fault = 1; fault <= FAULTS; fault++) {
    await Promise.race([server.reaches(Math.floor((total * fault) / (FAULTS + 2))), settled]);
    const [victim] = [...workers].sort(() => Math.random() - 0.5);
    const kind = fault % 4;
    if (kind === 1) {
      await victim!.kill();
      workers.delete(victim!);
      await startWorker();
    } else if (kind === 2) {
      victim!.process.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      victim!.process.kill("SIGCONT");
    } else if (kind === 3) {
      await postgres.stop(fault % 8 === 3 ? "immediate" : "fast");
      await postgres.restart();
    } else proxy.cutAll();
  }
  await settled;
  // Whom nobody has killed has lived through all of it.
  expect([...workers].map((worker) => worker.process.exitCode)).toEqual([...workers].map(() => null));

  let unknown = 0;
  for (const [n, run] of runs.entries()) {
    const results = (await collect(sessions.read(run.sessionId))).flatMap((entry) =>
      entry.type === "tool-result" ? entry.result : [],
    );
    for (let step = 0; step < STEPS; step++) {
      const id = `${names[n]}-${step}`;
      const [status, count] = [results.find(({ toolCallId }) => toolCallId === id)?.status, server.counts.get(id) ?? 0];
      // A call that a pause or a crash has caught in the middle is not made again, and the journal says so.
      if (status === "unknown" || status === "aborted") unknown++;
      expect([id, status, count]).toEqual([id, status, status === "success" ? 1 : Math.min(count, 1)]);
      expect(["success", "unknown", "aborted"]).toContain(status);
    }
    const seqs = (await collect(fleet.events(run.id))).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  }
  console.log(`${RUNS} runs, ${FAULTS} faults: ${server.counts.size} effects, ${unknown} marked as unknown`);

  for (const worker of workers) worker.process.stdin!.end();
  await Promise.all([...workers].map((worker) => worker.ended));
  workers.clear();

  /** Allows whatever a run asks, until it has ended. */
  async function allowAll(run: FleetRun): Promise<void> {
    for (;;) {
      const { status, pending } = await run.result;
      if (status !== "needs-approval") return expect([run.id, status]).toEqual([run.id, "completed"]);
      for (const { id } of pending) await fleet.answer({ id, decision: "allow" }).catch(ignoreAnswered);
    }
  }
});

/** The run went on between the two. */
function ignoreAnswered(error: unknown): void {
  if (Object(error).code !== "SESSION_NOT_FOUND") throw error;
}
