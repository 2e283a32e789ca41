// Pushing never waits; a consumer that falls behind is reported what it missed.
import { expect, test } from "vitest";
import { EventQueue, MAX_QUEUED_EVENTS } from "../../../src/engine/run/event-queue.js";
import type { EngineEvent } from "../../../src/index.js";

const base = { runId: "r", sessionId: "s", turn: 1, agentPath: [], at: 0, seq: 1 };
const delta = (text: string, runId = "r"): EngineEvent => ({ type: "text-delta", text, ...base, runId });
const tick = (): EngineEvent => ({ type: "turn-start", ...base });

async function drained(queue: EventQueue): Promise<EngineEvent[]> {
  queue.close();
  const events: EngineEvent[] = [];
  for (;;) {
    const step = await queue.next();
    if (step.done) return events;
    events.push(step.value);
  }
}

test("events come out in the order they went in, before and after they are waited for", async () => {
  const queue = new EventQueue();
  queue.push(delta("1"));
  const first = queue.next();
  const second = queue.next();
  queue.push(delta("2"));
  queue.push(delta("3"));

  const texts = [(await first).value, (await second).value, ...(await drained(queue))].map((event) => event.text);

  expect(texts).toEqual(["1", "2", "3"]);
});

test("closing ends everybody who waits", async () => {
  const queue = new EventQueue();
  const waiting = [queue.next(), queue.next()];

  queue.close();

  expect(await Promise.all(waiting)).toEqual([
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
});

test("a full queue joins neighbouring deltas of one run, and drops nothing while that is enough", async () => {
  const queue = new EventQueue();
  for (let n = 0; n < 10 * MAX_QUEUED_EVENTS; n++) queue.push(delta("x"));
  queue.push(delta("y", "child"));
  queue.push(delta("x"));

  const events = await drained(queue);

  const text = events.map((event) => (event.type === "text-delta" ? event.text : "!")).join("");
  expect(text).toBe(`${"x".repeat(10 * MAX_QUEUED_EVENTS)}yx`);
  expect(events.length).toBeLessThanOrEqual(MAX_QUEUED_EVENTS);
});

test("what cannot be joined is dropped from the oldest on, and counted in one notice that comes first", async () => {
  const queue = new EventQueue();
  const total = 3 * MAX_QUEUED_EVENTS;
  for (let n = 0; n < total; n++) queue.push(tick());

  const [notice, ...events] = await drained(queue);

  expect(events.length).toBeLessThanOrEqual(MAX_QUEUED_EVENTS);
  expect(notice).toMatchObject({ type: "notice", code: "EVENTS_DROPPED", details: { dropped: total - events.length } });
});

test("a stalled consumer costs no more for the last event than for the first: the queue stays bounded", async () => {
  const queue = new EventQueue();
  for (let n = 0; n < 200_000; n++) queue.push(n % 2 === 0 ? tick() : delta("x"));

  expect((await drained(queue)).length).toBeLessThanOrEqual(MAX_QUEUED_EVENTS + 1);
});

test("discarding forgets what is queued and ends the iteration", async () => {
  const queue = new EventQueue();
  queue.push(tick());

  queue.discard();
  queue.push(tick());

  expect(await queue.next()).toEqual({ value: undefined, done: true });
});
