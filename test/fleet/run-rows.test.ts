// What the tables of a fleet promise to attempts that do not know of each other, without a worker.
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { EngineEvent } from "../../src/contracts/event.js";
import { FleetEventWriter, readEvents } from "../../src/fleet/event-log.js";
import { RunRows } from "../../src/fleet/run-rows.js";
import { Database } from "../../src/sessions/postgres/database.js";
import { testDatabase } from "../postgres/kit.js";

const { pool, close } = await testDatabase();
const database = new Database(pool as never, "loopwright");
const rows = new RunRows(database);
afterAll(close);

const [me, _first, _second] = [randomUUID(), randomUUID(), randomUUID()];

let runs = 0;
async function queued(session = `session ${++runs}`) {
  const id = `run ${++runs}`;
  const row = { id, tenant: null, session, queue: "default", priority: 1, version: "1", input: '"x"', context: null };
  await rows.insert(database, { ...row, begun_after: null });
  await rows.tenantOf(database, session, null);
  return id;
}

const eventOf = (type: string, more: object = {}) =>
  ({ type, runId: "r", turn: 1, agentPath: [], index: 0, ...more }) as unknown as EngineEvent;

async function kept(id: string) {
  const events: EngineEvent[] = [];
  const reading = { from: 0, signal: undefined, hasEnded: async () => true };
  for await (const event of readEvents(database, id, reading)) events.push(event);
  return events;
}

async function writerOf(id: string, owner: string, lastSeq = 0) {
  const lost: unknown[] = [];
  const writer = new FleetEventWriter(rows, id, owner, lastSeq, (error) => void lost.push(error ?? "lost"));
  return { writer, lost };
}

test("a writer that does not know the last event writes none over it", async () => {
  const id = await queued();
  await rows.begin(id, 0, me, "w");
  const [{ writer }, { writer: behind, lost }] = [await writerOf(id, me), await writerOf(id, me)];
  writer.add(eventOf("turn-start"));
  await writer.flush();
  for (const type of ["turn-end", "run-end"]) behind.add(eventOf(type));
  await behind.flush();
  expect([(await kept(id)).map(({ type, seq }) => [type, seq]), lost]).toEqual([[["turn-start", 1]], ["lost"]]);
});

test("an attempt that is not the run's newest cannot begin", async () => {
  const id = await queued();
  const row = (await rows.find(id, undefined))!;
  await rows.requeue(database, row, { attempt: 2, version: "1", isBehind: false });
  for (const other of [0, 1, 3]) expect(await rows.begin(id, other, me, "w")).toBeUndefined();
  expect(await rows.begin(id, 2, me, "w")).toMatchObject({ attempt: 2, owner: me });
});

test("of the runs that wait for a session the one that came first is next, and a run does not wait for itself", async () => {
  const session = "of several";
  const [one, two, three] = [await queued(session), await queued(session), await queued(session)];
  await rows.begin(one, 0, me, "w");
  expect([await rows.takeSession(session, one), await rows.takeSession(session, two)]).toEqual([true, false]);
  const free = (id: string) => database.transaction((client) => rows.isSessionFree(client, session, id));
  expect([await free(one), await free(two)]).toEqual([true, false]);
  for (const id of [three, two]) {
    const row = (await rows.find(id, undefined))!;
    await rows.requeue(database, row, { attempt: 1, version: "1", isBehind: true });
  }
  expect((await database.transaction((client) => rows.takeNextOf(client, session)))?.id).toBe(two);
});
