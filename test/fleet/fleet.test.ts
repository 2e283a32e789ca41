import { afterAll, expect, test } from "vitest";
import { createFleet } from "../../src/fleet/index.js";
import { createPostgresApprovals, createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { testDatabase } from "../postgres/kit.js";
import { fleetAgent } from "./agent.js";
import { startCountingServer } from "./counting-server.js";

const database = await testDatabase();
const { pool } = database;
const server = await startCountingServer();
const problems: string[] = [];
const sessions = createPostgresSessionStore({ pool });
const fleet = createFleet({
  pool,
  engine: fleetAgent({ sessions, countAt: server.url }),
  queues: { narrow: { concurrency: 1 }, tenants: { perTenant: 1 } },
  heartbeatMs: 200,
  onProblem: (message) => problems.push(message),
});
await fleet.work();
afterAll(async () => {
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
