// `seq` numbers the events of a root run, children included.
import { expect, test } from "vitest";
import { EventQueue, MAX_QUEUED_EVENTS } from "../../../src/engine/run/event-queue.js";
import type { EngineEvent } from "../../../src/index.js";
import { toolCall } from "../../../src/providers/scripted/index.js";
import { played, testEngine, tool } from "../kit.js";

test("events are numbered from 1 in the order they are emitted, through sub-agents and in every run again", async () => {
  const definition = { name: "helper", description: "Helps.", systemPrompt: "Help." };
  const ask = tool("ask", async (_input, context) => (await context.spawn!(definition, "Help me.")).text);
  const { engine } = testEngine([toolCall("ask"), "From the helper.", "Done.", "Again."], { tools: [ask] });

  const { events } = await played(engine.stream("go"));
  const second = await played(engine.stream("go"));

  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.some(({ agentPath }) => agentPath.length === 1)).toBe(true);
  expect(second.events[0]!.seq).toBe(1);
});

test("joined deltas carry their last number, and a notice of dropped events the number of the last one dropped", () => {
  const queue = new EventQueue();
  const base = { runId: "r", sessionId: "s", turn: 1, agentPath: [], at: 0 };
  const events: EngineEvent[] = [];
  for (let seq = 1; seq <= MAX_QUEUED_EVENTS + 1; seq++) events.push({ type: "turn-start", ...base, seq });
  for (const event of events) queue.push(event);

  return queue.next().then(async ({ value: notice }) => {
    const { value: next } = await queue.next();
    expect(notice).toMatchObject({ type: "notice", code: "EVENTS_DROPPED", seq: next.seq - 1 });
  });
});
