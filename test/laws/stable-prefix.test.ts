import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContextPolicy } from "../../src/contracts/context.js";
import type { Message } from "../../src/contracts/message.js";
import type { ProviderRequest } from "../../src/contracts/provider.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { runs } from "../runs.js";
import { play, type Scenario, SESSION, scenario } from "./random-run.js";
import { rebuilt } from "./run-checks.js";
import { World } from "./world.js";

const numRuns = runs(60, 1_000, 50_000);

/** A request as it would be on the wire, and the epoch it belongs to. */
interface Sent {
  readonly epoch: number;
  readonly head: string;
  readonly messages: readonly string[];
}

/** Replaces everything before the newest message by a note, each time the view has grown to `limit` messages. */
function compactingAt(limit: number): ContextPolicy {
  return {
    async prepare({ messages, entryIds }) {
      if (messages.length < limit) return [];
      const end = messages.findLastIndex(({ role }) => role === "user") - 1;
      if (end < 1) return [];
      const note: Message = { role: "user", content: [{ type: "text", text: "Before that." }], origin: "summary" };
      const report = { stage: "note", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: null };
      return [{ stage: "note", from: entryIds[0]!, to: entryIds[end]!, replacement: [note], report }];
    },
    recover: async () => [],
  };
}

async function sentBy(plan: Scenario, limit: number): Promise<{ sent: Sent[]; epochs: number; replayed: string[] }> {
  const sent: Sent[] = [];
  let replayed: string[] = [];
  const store = createMemorySessionStore();
  const world = new World();
  let epochs = 0;
  const onRequest = ({ system, tools, messages }: ProviderRequest) => {
    const wire = messages.map((message) => JSON.stringify(message));
    sent.push({ epoch: epochs, head: JSON.stringify([system, tools]), messages: wire });
  };
  const watching = { compaction: compactingAt(limit) };
  for (const prompt of ["Go.", "And now?"]) {
    await play(plan, {
      store,
      world,
      onRequest,
      extra: watching,
      begin(engine, options) {
        engine.on("epoch", () => epochs++);
        return engine.stream(prompt, { sessionId: SESSION, ...options });
      },
    });
    const entries = [];
    for await (const entry of store.read(SESSION)) entries.push(JSON.parse(JSON.stringify(entry)));
    replayed = rebuilt(entries).view.map((message) => JSON.stringify(message));
  }
  return { sent, epochs, replayed };
}

test("within an epoch each request begins with all of the one before, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 3, max: 12 }), async (plan, limit) => {
      const { sent, epochs, replayed } = await sentBy(plan, limit);

      for (const [index, { epoch, head, messages }] of sent.entries()) {
        const before = sent[index - 1];
        if (!before || before.epoch !== epoch) continue;
        expect(head).toBe(before.head);
        expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
      }
      const last = sent.at(-1);
      if (last?.epoch === epochs) expect(replayed.slice(0, last.messages.length)).toEqual(last.messages);
    }),
    { numRuns },
  );
});
