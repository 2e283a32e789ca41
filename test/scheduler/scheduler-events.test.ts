import { expect, test } from "vitest";
import { SchedulerEvents } from "../../src/scheduler/scheduler-events.js";

test("a consumer that is too slow loses the oldest events, and is shown how many", async () => {
  const events = new SchedulerEvents("p", () => 7);
  for (let n = 0; n < 5_000; n++) events.emit("plan-refused", { issues: [String(n)] });
  events.close();

  const seen: { type: string; seq: number; message?: string }[] = [];
  for (let step = await events.next(); !step.done; step = await events.next()) seen.push(step.value);

  const [notice, ...rest] = seen;
  const dropped = 5_000 - rest.length;
  expect(rest.length).toBeLessThanOrEqual(4_096);
  expect(notice).toMatchObject({
    type: "notice",
    code: "EVENTS_DROPPED",
    message: expect.stringContaining(`${dropped} `),
  });
  expect(rest.map(({ seq }) => seq)).toEqual(Array.from(rest, (_, at) => dropped + 1 + at));
  expect(notice!.seq).toBe(dropped);
});

test("events wait for a consumer, consumers wait for events, and an error ends both", async () => {
  const events = new SchedulerEvents("p", () => 7);
  const first = events.next();
  events.emit("plan-refused", { issues: ["a"] });
  events.emit("plan-refused", { issues: ["b"] });
  const error = new Error("misuse");
  events.close(error);

  expect((await first).value).toMatchObject({ issues: ["a"], seq: 1, at: 7, sessionId: "p" });
  expect((await events.next()).value).toMatchObject({ issues: ["b"], seq: 2 });
  await expect(events.next()).rejects.toBe(error);
});
