import { expect, test } from "vitest";
import { createRunHub, type RunStreamEvent, toSse } from "../../../src/http/index.js";
import { defineTool, type ProviderAdapter } from "../../../src/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { gate, newEngine, talking } from "../agents.js";
import { readEvents } from "../loopback.js";

/** Three turns of four words, of which the first two call a tool. `before` is awaited before each word and each tool. */
function threeTurns(before: (moment: string) => Promise<void> | void) {
  let turn = 0;
  const provider: ProviderAdapter = {
    id: "three-turns",
    model: "three-turns",
    async *stream() {
      turn++;
      yield { type: "message-start" };
      for (let word = 1; word <= 4; word++) {
        await before(`word ${word} of turn ${turn}`);
        yield { type: "text-delta", text: `${turn}.${word} ` };
      }
      if (turn < 3) {
        const call = { id: `c${turn}`, name: "pass", arguments: {} };
        yield { type: "tool-call-start", index: 1, id: call.id, name: call.name };
        yield { type: "tool-call-end", index: 1, call };
      }
      yield { type: "message-end", finishReason: turn < 3 ? "tool-calls" : "stop" };
    },
  };
  const pass = defineTool({
    name: "pass",
    description: "Passes.",
    permission: "none",
    execute: async () => {
      await before(`tool of turn ${turn}`);
      return "Passed.";
    },
  });
  return { provider, tools: [pass] };
}

const WHOLE = [1, 2, 3].flatMap((turn) => [1, 2, 3, 4].map((word) => `${turn}.${word} `)).join("");

/** The text a client has: of the session's messages of this run, and of what follows. */
function textIn(events: readonly RunStreamEvent[], runId: string): string {
  return events
    .map((event) => {
      if (event.type === "text-delta") return event.text;
      if (event.type !== "session") return "";
      return event.entries
        .map((entry) => (entry.type === "message" && entry.runId === runId ? entry.message : undefined))
        .flatMap((message) => (message?.role === "assistant" ? message.content : []))
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("");
    })
    .join("");
}

test.each(["word 3 of turn 2", "tool of turn 2", "word 1 of turn 3", "word 4 of turn 3", "end"])(
  "after a reset a client has the whole text once, and no event of a message that it has: %s",
  async (moment) => {
    const [held, reached] = [gate(), gate()];
    const { provider, tools } = threeTurns((now) => {
      if (now !== moment) return;
      reached.open();
      return held.opened;
    });
    const hub = createRunHub({
      engine: newEngine({ provider, tools, sessions: createMemorySessionStore() }),
      maxEvents: 16,
    });
    const run = hub.start("go");
    await (moment === "end" ? run.idle : reached.opened);
    // What the run has emitted by now reaches the log.
    await new Promise((resolve) => setTimeout(resolve, 20));

    const seen: RunStreamEvent[] = [];
    for await (const event of hub.subscribe(run.id)) {
      seen.push(event);
      if (event.type === "session") held.open();
    }

    const [reset, session, ...rest] = seen;
    expect([reset?.type, session?.type, rest.at(-1)?.type]).toEqual(["reset", "session", "run-end"]);
    expect(textIn(seen, run.id)).toBe(WHOLE);
    const seqs = seen.slice(1).map((event) => (event.type === "reset" ? 0 : event.seq));
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
    const written = new Set(
      session?.type === "session"
        ? session.entries.map((entry) => entry.type === "message" && entry.message.role === "assistant" && entry.turn)
        : [],
    );
    expect(rest.filter((event) => event.type === "model-call-end" && written.has(event.turn))).toEqual([]);
  },
);

test("after a reset every event that follows the session is sent, also those that the client had before", async () => {
  const [held, reached] = [gate(), gate()];
  const provider = talking(60, (word) => {
    if (word !== 50) return;
    reached.open();
    return held.opened;
  });
  const hub = createRunHub({ engine: newEngine({ provider }), maxEvents: 20 });
  const run = hub.start("go");
  await reached.opened;

  const ids: string[] = [];
  for await (const { id, event } of readEvents(toSse(hub.subscribe(run.id), { from: 45 }))) {
    if (id) ids.push(id);
    if (event === "session") held.open();
  }

  const first = Number(ids[0]!.split(":").at(-1));
  expect(first).toBeLessThan(45);
  expect(ids).toEqual(ids.map((_, index) => `${run.id}:${first + index}`));
});
