import { afterAll, expect, test, vi } from "vitest";
import { createFleet } from "../../src/fleet/index.js";
import { createPostgresApprovals, createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { testDatabase } from "../postgres/kit.js";
import { bundled, collect, startChild } from "../sessions/kit.js";
import { startCountingServer } from "./counting-server.js";

// The worker is a process of its own: DBOS is one for each process, and stays in it.
const program = await bundled(new URL("./worker-program.ts", import.meta.url));
const database = await testDatabase();
const { pool, config } = database;
const server = await startCountingServer();
const sessions = createPostgresSessionStore({ pool });
const queues = { narrow: { concurrency: 1 }, tenants: { perTenant: 1 }, rated: { ratePerMinute: 2 } };
const fleet = createFleet({ pool, queues });
const worker = startChild(program, [
  JSON.stringify({ config, countAt: server.url, thinkMs: 30, heartbeatMs: 200, queues }),
]);
await worker.line();
afterAll(async () => {
  worker.process.stdin!.end();
  await worker.ended;
  await fleet.close();
  await server.close();
  await database.close();
});

test("a run is started once for a key, and run to its end", async () => {
  const [one, two] = await Promise.all([fleet.start("once 2", { key: "k" }), fleet.start("once 2", { key: "k" })]);

  expect(one.id).toBe(two.id);
  expect([one.isNew, two.isNew].sort()).toEqual([false, true]);
  expect(await one.result).toMatchObject({ status: "completed", text: "Done.", pending: [] });
  expect([server.counts.get("once-0"), server.counts.get("once-1")]).toEqual([1, 1]);
});

test("events come in order from any number, and end with the run", async () => {
  const run = await fleet.start("events 2");
  const all = [];
  for await (const event of run) all.push(event);

  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1));
  expect([all[0]?.type, all.at(-1)?.type]).toEqual(["run-start", "run-end"]);
  const later = [];
  for await (const event of fleet.events(run.id, { from: 5 })) later.push(event);
  expect(later).toEqual(all.slice(5));
});

test("a run without a context of its own is given contextFor's before each attempt, and the database never has it", async () => {
  const asked = await fleet.start("ask-ctx 2");
  for (let step = 0; step < 2; step++) {
    const { pending } = await asked.result;
    await fleet.answer({ id: pending[0]!.id, decision: "allow" });
  }
  await asked.result;
  const own = await fleet.start("own-ctx 1", { context: { month: "2026-11" } });
  await own.result;

  const token = expect.stringMatching(/^token of ./);
  expect(server.apps.get("ask-ctx")).toEqual([{ token }, { token }]);
  expect(server.apps.get("own-ctx")).toEqual([{ month: "2026-11" }]);
  const { rows } = await pool.query(
    "SELECT table_schema s, table_name t FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const { s, t } of rows) {
    const found = await pool.query(`SELECT count(*)::int n FROM "${s}"."${t}" x WHERE x::text LIKE '%token of %'`);
    expect(found.rows[0].n, `${s}.${t}`).toBe(0);
  }
});

test("a run that waits occupies nothing, and its answer wakes it", async () => {
  const run = await fleet.start("ask-1 2", { queue: "narrow" });
  const first = await run.result;
  expect(first).toMatchObject({ status: "needs-approval" });
  expect((await createPostgresApprovals({ pool }).list()).map(({ id }) => id)).toEqual([first.pending[0]!.id]);
  const other = await fleet.start("other 1", { queue: "narrow" });
  expect(await other.result).toMatchObject({ status: "completed" });

  await fleet.answer({ id: first.pending[0]!.id, decision: "allow" });
  const second = await run.result;
  expect(second).toMatchObject({ status: "needs-approval" });
  await fleet.answer({ id: second.pending[0]!.id, decision: "deny" });

  expect(await run.result).toMatchObject({ status: "completed" });
  expect([server.counts.get("ask-1-0"), server.counts.get("ask-1-1")]).toEqual([1, undefined]);
  await expect(fleet.answer({ id: second.pending[0]!.id, decision: "allow" })).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
  });
});

test("a run that is queued, running or waiting can be cancelled, and only then", async () => {
  const queued = await fleet.start("never 1", { delayMs: 60_000 });
  const waiting = await fleet.start("ask-c 1");
  await waiting.result;
  const running = await fleet.start("slow 5000");
  await server.reaches([...server.counts.values()].reduce((a, b) => a + b, 0) + 1);

  expect(await Promise.all([queued, waiting, running].map((run) => run.cancel()))).toEqual([true, true, true]);

  const results = await Promise.all([queued, waiting, running].map((run) => run.result));
  expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(await queued.cancel()).toBe(false);
  expect(await fleet.cancel("unknown")).toBe(false);
});

test("what a cancelled run has asked is not listed, and an answer to it says why", async () => {
  const approvals = createPostgresApprovals({ pool });
  const [a, b] = [fleet.forTenant("w-a"), fleet.forTenant("w-b")];
  const run = await a.start("ask-w 1");
  const [request] = (await run.result).pending;
  expect(await approvals.find(request!.id)).toEqual(request);

  await run.cancel();

  expect([await approvals.find(request!.id), await approvals.list({ sessionId: run.sessionId })]).toEqual([
    undefined,
    [],
  ]);
  const answer = { id: request!.id, decision: "allow" } as const;
  await expect(a.answer(answer)).rejects.toThrow("the run that asked it was cancelled");
  await expect(b.answer(answer)).rejects.toThrow("No run of this fleet waits with question");
  expect(await a.delete(run.id)).toBe(true);
  expect(await approvals.list({ sessionId: run.sessionId })).toEqual([]);
  await expect(a.answer(answer)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("a prompt in the session of a run that waits ends that run, and its question is not answered any more", async () => {
  const first = await fleet.start("ask-d 1", { sessionId: "displaced" });
  const [request] = (await first.result).pending;

  const second = await fleet.start("after-d 1", { sessionId: "displaced" });

  expect(await second.result).toMatchObject({ status: "completed", text: "Done." });
  expect(await first.result).toMatchObject({ status: "cancelled", text: "", pending: [] });
  await expect(fleet.answer({ id: request!.id, decision: "allow" })).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
  });
  expect(await createPostgresApprovals({ pool }).list({ sessionId: "displaced" })).toEqual([]);
  expect([server.counts.get("ask-d-0"), server.counts.get("after-d-0")]).toEqual([undefined, 1]);
  expect(await fleet.delete(first.id)).toBe(true);
});

test("a run whose answer was taken goes on before another prompt in its session", async () => {
  const first = await fleet.start("ask-o 1", { sessionId: "ordered", queue: "narrow" });
  const [request] = (await first.result).pending;
  const blocker = await fleet.start("block 5000", { queue: "narrow" });
  await server.reaches([...server.counts.values()].reduce((a, b) => a + b, 0) + 1);
  await fleet.answer({ id: request!.id, decision: "allow" });

  const second = await fleet.start("after-o 1", { sessionId: "ordered" });
  await vi.waitFor(async () => expect((await second.info()).attempt).toBeGreaterThan(0), { timeout: 20_000 });
  await blocker.cancel();

  expect(await first.result).toMatchObject({ status: "completed", text: "Done." });
  expect(await second.result).toMatchObject({ status: "completed", text: "Done." });
  expect([server.counts.get("ask-o-0"), server.counts.get("after-o-0")]).toEqual([1, 1]);
});

test("a run whose cancel was accepted ends as cancelled, also when it was over before it knew", async () => {
  for (let n = 0; n < 3; n++) {
    const run = await fleet.start(`late-${n} 1`);
    await server.reaches([...server.counts.values()].reduce((a, b) => a + b, 0) + 1);

    const isCancelled = await run.cancel();

    expect((await run.result).status).toBe(isCancelled ? "cancelled" : "completed");
  }
});

test("a queue starts no more runs in a minute than it may", async () => {
  const runs = [];
  for (const n of [1, 2, 3]) runs.push(await fleet.start(`rated${n} 0`, { queue: "rated" }));

  await Promise.all(runs.slice(0, 2).map((run) => run.result));
  // A run of another queue that comes later overtakes the one that has to wait.
  expect(await (await fleet.start("unrated 0")).result).toMatchObject({ status: "completed" });

  expect((await runs[2]!.info()).status).toBe("queued");
  expect(await runs[2]!.cancel()).toBe(true);
});

test("a run that has taken too many workers with it is given up", async () => {
  const run = await fleet.start("deadly 1", { delayMs: 60_000 });
  // What DBOS writes when one worker after the other has died with it.
  await pool.query(
    "UPDATE loopwright_dbos.workflow_status SET status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' WHERE workflow_uuid = $1",
    [`${run.id}:0`],
  );

  expect(await run.result).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  expect((await run.result).error!.message).toContain("ended 20 workers");
  expect(server.counts.get("deadly-0")).toBeUndefined();
});

test("a fleet that was closed takes nothing more", async () => {
  const other = createFleet({ pool });
  const run = await other.start("before 0");
  await run.result;
  await other.close();

  const refusals = [other.start("x"), other.cancel(run.id), other.answer({ id: "q", value: 1 }), other.unschedule("s")];

  for (const refused of refusals)
    await expect(refused).rejects.toMatchObject({ code: "ENGINE_CLOSED", message: /^This fleet was closed/ });
  await other.close();
});

test("prompts for a session that is in use wait their turn", async () => {
  const names = ["turn1", "turn2", "turn3", "turn4"];
  const turns = [];
  for (const name of names) turns.push(await fleet.start(`${name} 2`, { sessionId: "shared" }));

  for (const turn of turns) expect(await turn.result).toMatchObject({ status: "completed" });

  const effects = [...server.counts].filter(([effect]) => effect.startsWith("turn"));
  // In whatever order workers took them, none began before another had ended.
  const order = effects.filter(([effect]) => effect.endsWith("-0")).map(([effect]) => effect.slice(0, -2));
  expect(effects).toEqual(order.flatMap((name) => [`${name}-0`, `${name}-1`]).map((effect) => [effect, 1]));
  expect([...order].sort()).toEqual(names);
  const starts = (await collect(sessions.read("shared"))).filter(({ type }) => type === "run-start");
  expect(starts).toHaveLength(4);
});

test("queues bound what runs at once, over all and for each tenant", async () => {
  const most = { narrow: 0, a: 0 };
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const running = await fleet.list({ status: "running" });
      most.narrow = Math.max(most.narrow, running.filter(({ queue }) => queue === "narrow").length);
      most.a = Math.max(most.a, running.filter(({ tenant, queue }) => tenant === "a" && queue === "tenants").length);
    }
  })();

  const runs = await Promise.all([
    ...[1, 2, 3].map((n) => fleet.start(`n${n} 3`, { queue: "narrow" })),
    ...[1, 2, 3].map((n) => fleet.start(`a${n} 3`, { queue: "tenants", tenant: "a" })),
    fleet.start("b1 3", { queue: "tenants", tenant: "b" }),
  ]);

  for (const run of runs) expect(await run.result).toMatchObject({ status: "completed" });
  stop.abort();
  await watching;
  expect(most).toEqual({ narrow: 1, a: 1 });
});

test("of a queue's waiting runs the most urgent starts first", async () => {
  const blocker = await fleet.start("blocker 5000", { queue: "narrow" });
  const [late, soon] = [
    await fleet.start("late 1", { queue: "narrow", priority: 200 }),
    await fleet.start("soon 1", { queue: "narrow", priority: 0 }),
  ];

  await blocker.cancel();

  await Promise.all([late, soon].map((run) => run.result));
  const order = [...server.counts.keys()];
  expect(order.indexOf("soon-0")).toBeLessThan(order.indexOf("late-0"));
});

test("a tenant sees and changes only what is its own", async () => {
  const [a, b] = [fleet.forTenant("t-a"), fleet.forTenant("t-b")];
  const run = await a.start("ask-t 1", { sessionId: "of-a", key: "same" });
  const { pending } = await run.result;
  const id = pending[0]!.id;

  expect(await b.find(run.id)).toBeUndefined();
  expect(await b.list()).toEqual([]);
  expect([await b.cancel(run.id), await b.delete(run.id)]).toEqual([false, false]);
  await expect(collect(b.events(run.id))).rejects.toMatchObject({ code: "EVENTS_GONE" });
  await expect(b.answer({ id, decision: "allow" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(b.start("hello 0", { sessionId: "of-a" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(b.start("hello 0", { tenant: "t-a" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  expect((await b.start("hello 0", { key: "same" })).id).not.toBe(run.id);

  await a.answer({ id, decision: "allow" });
  expect(await (await a.find(run.id))!.result).toMatchObject({ status: "completed" });
  expect(server.counts.get("ask-t-0")).toBe(1);
});

test("what is wrong is refused before anything is queued", async () => {
  const before = (await fleet.list()).length;

  await expect(fleet.start("x", { queue: "nowhere" })).rejects.toThrow("the name of a queue of createFleet()");
  await expect(fleet.start("x", { sessionId: "sub-1" })).rejects.toThrow('does not begin with "sub-"');
  await expect(fleet.start("")).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(fleet.start("x", { delay: 5 } as never)).rejects.toThrow('Did you mean "delayMs"?');
  await expect(fleet.start("x", { context: (() => {}) as never })).rejects.toThrow('"context"');
  await expect(collect(fleet.events("x", { from: -1 }))).rejects.toThrow('"from"');
  await expect(fleet.work()).rejects.toThrow('Option "engine" of createFleet() is missing');
  expect((await fleet.list()).length).toBe(before);
});

test("a run that has ended is forgotten on request, and its session stays", async () => {
  const run = await fleet.start("forget 1");
  await run.result;

  expect(await fleet.delete(run.id)).toBe(true);

  expect(await fleet.find(run.id)).toBeUndefined();
  expect((await collect(sessions.read(run.sessionId))).length).toBeGreaterThan(3);
  expect(await fleet.delete(run.id)).toBe(false);
});

test("a schedule starts one run for each of its times", async () => {
  await fleet.schedule("ticks", { cron: "* * * * * *", prompt: "tick 0", tenant: "ticker" });
  while ((await fleet.list()).filter(({ tenant }) => tenant === "ticker").length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  await fleet.unschedule("ticks");

  const ticks = await fleet.forTenant("ticker").list();
  for (const { id } of ticks) expect(await (await fleet.find(id))!.result).toMatchObject({ status: "completed" });
});

test("a schedule that is wrong is refused, and leaves the one before", async () => {
  await fleet.schedule("yearly", { cron: "0 0 1 1 *", prompt: "tick 0", timeZone: "Europe/Paris" });
  for (const wrong of [{ cron: "now and then" }, { cron: "0 0 1 1 *", timeZone: "Mars/Olympus" }]) {
    const refused = fleet.schedule("yearly", { prompt: "tick 0", ...wrong });
    await expect(refused).rejects.toMatchObject({ code: "OPTION_INVALID" });
  }
  await expect(fleet.unschedule("a\0")).rejects.toMatchObject({ code: "OPTION_INVALID" });

  const { rows } = await pool.query("SELECT schedule FROM loopwright_dbos.workflow_schedules");
  expect(rows).toEqual([{ schedule: "0 0 1 1 *" }]);
  await fleet.unschedule("yearly");
});

test("an id that PostgreSQL cannot keep belongs to no run", async () => {
  const id = "a\0b";
  expect([await fleet.find(id), await fleet.cancel(id), await fleet.delete(id)]).toEqual([undefined, false, false]);
  await expect(collect(fleet.events(id))).rejects.toMatchObject({ code: "EVENTS_GONE" });
  await expect(fleet.answer({ id, decision: "allow" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(fleet.answer({ id, value: 5n as never })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
