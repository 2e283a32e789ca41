// Whatever a model writes, and wherever a client loses its connection: what it has in the end is the task as it is stored.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProviderAdapter, ProviderError, type ProviderEvent } from "../../src/index.js";
import { newEngine } from "../http/agents.js";
import { runs } from "../runs.js";
import { artifactsOf, connect, Seen, said, serveAgent } from "./agents.js";

interface ModelTurn {
  readonly pieces: readonly string[];
  /** The piece before which the model call begins again. */
  readonly restartsAt: number | null;
  readonly media: boolean;
  /** How the turn ends. */
  readonly end: "call" | "length" | "stop";
}

const turn = fc.record<ModelTurn>({
  pieces: fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  restartsAt: fc.option(fc.nat(4)),
  media: fc.boolean(),
  end: fc.constantFrom("call", "length", "stop"),
});

function modelOf(turns: readonly ModelTurn[]): ProviderAdapter {
  let next = 0;
  return {
    id: "any",
    model: "any",
    async *stream(): AsyncGenerator<ProviderEvent> {
      const at = next++;
      const { pieces, restartsAt, media, end } = turns[at] ?? { ...turns[0]!, end: "stop" };
      yield { type: "message-start" };
      for (const [index, text] of pieces.entries()) {
        await new Promise((resolve) => setImmediate(resolve));
        if (index === restartsAt)
          yield {
            type: "restart",
            attempt: 2,
            delayMs: 0,
            error: new ProviderError("OVERLOADED", { message: "Busy." }),
          };
        yield { type: "text-delta", text };
      }
      if (media) yield { type: "media", part: { type: "image", mediaType: "image/png", data: "AAAA" } };
      if (end === "call") {
        const call = { id: `c${at}`, name: "look", arguments: { at } };
        yield { type: "tool-call-start", index: 1, id: call.id, name: call.name };
        yield { type: "tool-call-end", index: 1, call };
      }
      yield { type: "message-end", finishReason: end === "call" ? "tool-calls" : end };
    },
  };
}

test("a client that has lost its connection anywhere has the stored task in the end", async () => {
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(6), { maxLength: 4 }),
      async (turns, cuts) => {
        const { url, close } = await serveAgent({ engine: newEngine({ provider: modelOf(turns), retry: false }) });
        try {
          const client = await connect(url);
          const seen = new Seen();
          let stream = client.sendMessageStream(said("Go."));
          for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
            let count = 0;
            for await (const update of stream) {
              seen.add(update);
              if (count++ === cut) break;
            }
            if (seen.states.at(-1) !== 2) break;
            stream = client.resubscribeTask({ tenant: "", id: seen.id });
          }
          const stored = await client.getTask({ tenant: "", id: seen.id });
          expect(seen.states.at(-1)).toBe(stored.status?.state);
          if (stored.status?.state !== 3) return;
          ended++;
          expect([...seen.artifacts].sort()).toEqual([...artifactsOf(stored)].sort());
        } finally {
          await close();
        }
      },
    ),
    { numRuns: runs(25, 150, 2_000) },
  );
  expect(ended).toBeGreaterThan(5);
}, 600_000);
