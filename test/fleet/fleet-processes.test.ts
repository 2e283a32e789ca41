// Workers as processes of their own, which die, are paused, and are replaced.
import { afterAll, afterEach, expect, test } from "vitest";
import { createFleet, type FleetRun } from "../../src/fleet/index.js";
import type { ToolResult } from "../../src/index.js";
import { createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { testDatabase } from "../postgres/kit.js";
import { bundled, type Child, collect, startChild } from "../sessions/kit.js";
import { startCountingServer } from "./counting-server.js";

const program = await bundled(new URL("./worker-program.ts", import.meta.url));
const database = await testDatabase();
const { pool, config } = database;
const server = await startCountingServer();
const fleet = createFleet({ pool });
const sessions = createPostgresSessionStore({ pool });
afterAll(async () => {
  await fleet.close();
  await server.close();
  await database.close();
});

const started: Child[] = [];
// None takes the runs of the next test.
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.kill();
});

async function startWorker(options: object = {}): Promise<Child> {
  const settings = { config, countAt: server.url, thinkMs: 30, leaseMs: 500, heartbeatMs: 150, ...options };
  const worker = startChild(program, [JSON.stringify(settings)]);
  started.push(worker);
  expect(await worker.line()).toBe("working");
  return worker;
}

async function stopWorker(worker: Child): Promise<void> {
  worker.process.stdin!.end();
  await worker.ended;
}

/** What the journal of a run says about its calls, by their id. */
async function journalOf({ sessionId }: FleetRun): Promise<Map<string, ToolResult["status"]>> {
  const entries = await collect(sessions.read(sessionId));
  return new Map(
    entries.flatMap((entry) =>
      entry.type === "tool-result" ? [[entry.result.toolCallId, entry.result.status] as const] : [],
    ),
  );
}

/**
 * Every effect happened once, or the journal says that its call was interrupted: `unknown` after a crash, `aborted` where a
 * worker has given its run up, as a slow machine makes it do.
 */
async function checkEffects(run: FleetRun, name: string, steps: number): Promise<void> {
  const journal = await journalOf(run);
  for (let step = 0; step < steps; step++) {
    const id = `${name}-${step}`;
    const [status, count = 0] = [journal.get(id), server.counts.get(id)];
    if (status === "unknown" || status === "aborted") expect(count, id).toBeLessThanOrEqual(1);
    else expect({ id, status, count }).toEqual({ id, status: "success", count: 1 });
  }
}

test("the runs of a worker that is killed go on elsewhere, and no effect happens twice", async () => {
  const workers = [await startWorker(), await startWorker()];
  const runs = await Promise.all(Array.from({ length: 12 }, (_, n) => fleet.start(`kill${n} 4`)));
  await server.reaches(10);

  await workers[0]!.kill();

  const results = await Promise.all(runs.map((run) => run.result));
  expect(results.map(({ status }) => status)).toEqual(runs.map(() => "completed"));
  for (const [n, run] of runs.entries()) await checkEffects(run, `kill${n}`, 4);
  await stopWorker(workers[1]!);
});

test("a worker that was paused and comes back has lost its runs, and writes nothing", async () => {
  const paused = await startWorker();
  const run = await fleet.start("pause 6");
  const before = server.counts.size;
  await server.reaches(before + 2);
  paused.process.kill("SIGSTOP");
  const other = await startWorker();

  expect(await run.result).toMatchObject({ status: "completed" });
  const events = await collect(run);
  const entries = await collect(sessions.read(run.sessionId));
  paused.process.kill("SIGCONT");
  await stopWorker(paused);

  await checkEffects(run, "pause", 6);
  expect(await collect(run)).toEqual(events);
  expect(await collect(sessions.read(run.sessionId))).toEqual(entries);
  await stopWorker(other);
});

test.each([
  ["a worker that stops", "stop", {}],
  ["a worker whose engine is closed first", "shut", { closesEngineFirst: true }],
])("%s passes its runs on", async (_, name, options) => {
  const first = await startWorker({ thinkMs: 200, ...options });
  const run = await fleet.start(`${name} 5`);
  await server.reaches([...server.counts.values()].reduce((a, b) => a + b, 0) + 1);
  const stopping = stopWorker(first);
  const second = await startWorker();

  await stopping;

  expect(await run.result).toMatchObject({ status: "completed" });
  await checkEffects(run, name, 5);
  await stopWorker(second);
});

test("a run ends on the version it was started on, unless it is moved", async () => {
  const next = createFleet({ pool, version: "2" });
  const worker = await startWorker({ version: "2" });
  const old = await Promise.all([fleet.start("old1 1"), fleet.start("old2 1")]);
  const young = await next.start("young 1");
  expect(await young.result).toMatchObject({ status: "completed" });
  expect((await old[0]!.info()).status).toBe("queued");

  expect(await next.move({ from: "1" })).toBe(2);

  for (const run of old) expect(await run.result).toMatchObject({ status: "completed" });
  expect(await old[0]!.info()).toMatchObject({ version: "2", attempt: 1 });
  expect([server.counts.get("old1-0"), server.counts.get("old2-0")]).toEqual([1, 1]);
  await stopWorker(worker);
  await next.close();
});
