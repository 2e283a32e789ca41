// What the rows and events of a fleet promise, without a worker: each statement against a real database.
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { FleetEventWriter, readEvents } from "../../src/fleet/event-log.js";
import { RunRows } from "../../src/fleet/run-rows.js";
import type { EngineEvent } from "../../src/index.js";
import { Database } from "../../src/sessions/postgres/database.js";
import { testDatabase } from "../postgres/kit.js";

const { pool, close } = await testDatabase();
afterAll(close);
const database = new Database(pool, "loopwright");
const rows = new RunRows(database);
const [ME, FIRST, SECOND] = [randomUUID(), randomUUID(), randomUUID()];
let runs = 0;

/** A run that an attempt of `owner` has begun; sessions are shared by name. */
async function begun({ session = `s${runs}`, tenant = null as string | null, owner = ME } = {}) {
  const id = `run-${++runs}`;
  const row = { id, tenant, session, queue: "default", priority: 1, version: "1", input: '"x"', context: null };
  await rows.insert(database, { ...row, begun_after: null });
  await rows.tenantOf(database, session, tenant);
  return (await rows.begin(id, 0, owner, "worker"))!;
}

const delta = (text: string, more: object = {}) =>
  ({ type: "text-delta", runId: "r", turn: 1, agentPath: [], text, ...more }) as never as EngineEvent;
const input = (json: string, index: number) =>
  ({ type: "tool-input-delta", runId: "r", turn: 1, agentPath: [], index, json }) as never as EngineEvent;
const readFrom = async (id: string, from: number) => {
  const events: EngineEvent[] = [];
  const reading = { from, signal: undefined, hasEnded: async () => true };
  for await (const event of readEvents(database, id, reading)) events.push(event);
  return events;
};

test("deltas are joined within one answer of one agent, and never across agents, turns, runs or calls", async () => {
  const { id } = await begun();
  const writer = new FleetEventWriter(rows, id, ME, 0, () => {});
  const events = [
    delta("a"),
    delta("b"),
    delta("c", { agentPath: ["helper"] }),
    delta("d", { agentPath: ["helper"], turn: 2 }),
    delta("e", { agentPath: ["helper"], turn: 2, runId: "other" }),
    input("{", 0),
    input("}", 0),
    input("[]", 1),
  ];
  for (const event of events) writer.add(event);
  await writer.flush();

  const kept = (await readFrom(id, 0)) as readonly { readonly text?: string; readonly json?: string }[];
  expect(kept.map(({ text, json }) => text ?? json)).toEqual(["ab", "c", "d", "e", "{}", "[]"]);
});

test("a reader that comes after the end reads every event, however many there are", async () => {
  const { id } = await begun();
  const writer = new FleetEventWriter(rows, id, ME, 0, () => {});
  for (let turn = 0; turn < 1_203; turn++) writer.add(delta("x", { turn }));
  await writer.flush();

  const read = await readFrom(id, 3);
  expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_200 }, (_, n) => n + 4));
});

test("an attempt that has lost its run writes no event, and is told so once", async () => {
  const { id } = await begun({ owner: FIRST });
  let lost = 0;
  const writer = new FleetEventWriter(rows, id, FIRST, 0, () => void lost++);
  await rows.begin(id, 0, SECOND, "worker-2");
  for (const text of ["a", "b"]) {
    writer.add(delta(text));
    await writer.flush();
  }

  expect([await readFrom(id, 0), lost]).toEqual([[], 1]);
});

test("the first answer to a question counts until it is used, and one that was used is not given again", async () => {
  const { id } = await begun();
  const allow = { id: "q", decision: "allow" } as const;
  const deny = { id: "q", decision: "deny" } as const;
  await rows.keepAnswer(database, id, allow);
  await rows.keepAnswer(database, id, deny);
  expect(await rows.unusedAnswers(database, id)).toEqual([allow]);

  await rows.markUsed(database, id, [allow]);
  expect(await rows.unusedAnswers(database, id)).toEqual([]);
  await rows.keepAnswer(database, id, deny);
  expect(await rows.unusedAnswers(database, id)).toEqual([deny]);
});

test("of the runs that wait for a session the one that came first is next", async () => {
  const session = "shared";
  const waiting = [];
  for (let n = 0; n < 3; n++) {
    const row = await begun({ session });
    await rows.requeue(database, row, { attempt: 1, version: "1", isBehind: true });
    waiting.push(row.id);
  }
  expect((await rows.takeNextOf(database, session))?.id).toBe(waiting[0]);
});

test("a question that two tenants' runs ask by one id is found for each tenant in its own run", async () => {
  const [mine, yours] = [await begun({ tenant: "me" }), await begun({ tenant: "you" })];
  for (const { id } of [mine, yours]) await rows.addQuestions(database, id, [{ id: "same" } as never]);

  expect(await rows.askersOf(database, "same", "me")).toEqual([mine.id]);
  expect(await rows.askersOf(database, "same", "you")).toEqual([yours.id]);
});

test("only the question of a cancelled run is withdrawn, and no run keeps questions that it does not ask any more", async () => {
  const result = { text: "", usage: { inputTokens: 0, outputTokens: 0 }, costUsd: null, pending: [] };
  for (const status of ["completed", "cancelled"] as const) {
    const row = await begun();
    await rows.addQuestions(database, row.id, [{ id: `of-${status}` } as never]);
    if (status === "cancelled") await rows.markCancelled(database, row.id);
    await rows.settle(database, row, { ...result, status });
    expect(await rows.askersOf(database, `of-${status}`, undefined)).toEqual([]);
    expect(await rows.isWithdrawn(database, `of-${status}`, undefined)).toBe(status === "cancelled");
  }
});

test("a run that goes on has no result of before", async () => {
  const row = await begun();
  const usage = { inputTokens: 1, outputTokens: 1 };
  await rows.settle(database, row, { status: "needs-approval", text: "", usage, costUsd: null, pending: [] });
  await rows.requeue(database, row, { attempt: 1, version: "1", isBehind: false });
  expect(await rows.find(row.id, undefined)).toMatchObject({ status: "queued", attempt: 1, result: null, owner: null });
});
