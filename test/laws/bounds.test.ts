import fc from "fast-check";
import { expect, test } from "vitest";
import { ProviderError } from "../../src/contracts/errors.js";
import type { EngineEvent } from "../../src/contracts/event.js";
import type { ProviderAdapter, ProviderEvent } from "../../src/contracts/provider.js";
import type { BaseTool } from "../../src/contracts/tool.js";
import { AgentEngine } from "../../src/engine/engine.js";
import type { EngineOptions } from "../../src/engine/options/options.js";
import { MAX_QUEUED_EVENTS } from "../../src/engine/run/event-queue.js";
import { runs } from "../runs.js";
import { VirtualTime } from "./virtual-time.js";

const numRuns = runs(8, 40, 2_000);
const MANY = process.env.PROVE ? 200_000 : 10_000;

/** Answers every request with what `answer` yields; counts the requests. */
function flooding(answer: (request: number) => Iterable<ProviderEvent>): ProviderAdapter & { requests: number } {
  return {
    id: "flood",
    model: "flood-1",
    requests: 0,
    async *stream() {
      yield { type: "message-start" };
      yield* answer(++this.requests);
    },
  };
}

const end: ProviderEvent = { type: "message-end", finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };

/** Every event of this type that happens in the engine. */
function collect(engine: AgentEngine, type: EngineEvent["type"]): EngineEvent[] {
  const events: EngineEvent[] = [];
  engine.on(type, (event) => events.push(event));
  return events;
}

test("a consumer that stalls finds no more events than the queue holds, and a notice of the rest", async () => {
  const kinds = fc.constantFrom<ProviderEvent["type"]>("text-delta", "reasoning-delta", "tool-call-delta");
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 4 }), async (pattern) => {
      const provider = flooding(function* (): Generator<ProviderEvent> {
        yield { type: "tool-call-start", index: 0, id: "a", name: "nothing" };
        for (let n = 0; n < MANY; n++) {
          const type = pattern[n % pattern.length]!;
          yield (type === "tool-call-delta" ? { type, index: 0, json: "1" } : { type, text: "x" }) as ProviderEvent;
        }
        yield end;
      });
      const run = new AgentEngine({ provider, limits: { maxTurns: 1 } }).stream("Go.");
      await run.result;

      let read = 0;
      let last: EngineEvent | undefined;
      for await (last of run) read++;

      expect(read).toBeLessThanOrEqual(MAX_QUEUED_EVENTS + 1);
      expect(last?.type).toBe("run-end");
    }),
    { numRuns: Math.min(numRuns, 40) },
  );
});

test("what a tool returns, throws or is called stays within its bound", async () => {
  const size = 300_000;
  const outputs: readonly (() => unknown)[] = [
    () => "x".repeat(size),
    () => ({ output: [{ type: "text", text: "🙂".repeat(size) }] }),
    () => ({ output: "x".repeat(size), isError: true }),
    () => {
      throw new Error("x".repeat(size));
    },
    () => {
      throw "x".repeat(size);
    },
    () => {
      throw { big: "x".repeat(size) };
    },
  ];
  const name = fc.constantFrom("flood", "f".repeat(64), "x".repeat(size));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...outputs),
      name,
      fc.integer({ min: 0, max: 30_000 }),
      async (output, called, max) => {
        const tool: BaseTool = {
          name: "flood",
          permission: "none",
          maxResultChars: max,
          definition: () => ({ name: "flood", description: "Floods.", inputSchema: { type: "object" } }),
          execute: async () => output() as string,
        };
        const provider = flooding((request) =>
          request > 1
            ? [{ type: "text-delta", text: "Done." }, end]
            : [
                { type: "tool-call-end", index: 0, call: { id: "a", name: called, arguments: {} } },
                {
                  type: "tool-call-end",
                  index: 1,
                  call: { id: "b", name: "flood", arguments: {}, malformed: "{".repeat(size) },
                },
                end,
              ],
        );
        const result = await new AgentEngine({ provider, tools: [tool] }).run("Go.");

        const sizes = result
          .messages()
          .flatMap((message) => (message.role === "tool" ? message.content : []))
          .map(({ output: kept }) => JSON.stringify(kept).length);
        expect(sizes).toHaveLength(2);
        for (const kept of sizes) expect(kept).toBeLessThan(Math.max(4_000, max * 2) + 1_000);
      },
    ),
    { numRuns },
  );
});

/** What makes a run go on, how often it may, and how many requests that makes. */
const ENDLESS: Readonly<
  Record<string, { answer: () => Iterable<ProviderEvent>; options?: Partial<EngineOptions>; most: number }>
> = {
  "a Stop hook": {
    answer: () => [{ type: "text-delta", text: "Done." }, end],
    options: {
      hooks: { Stop: [{ run: () => ({ decision: "block", reason: "More." }) }] },
      limits: { maxStopContinuations: 4 },
    },
    most: 5,
  },
  "text that is cut off": {
    answer: () => [
      { type: "text-delta", text: "and " },
      { type: "message-end", finishReason: "length" },
    ],
    most: 4,
  },
  "empty answers": { answer: () => [end], most: 2 },
  "a finish reason without a call": {
    answer: () => [
      { type: "text-delta", text: "I call it." },
      { type: "message-end", finishReason: "tool-calls" },
    ],
    most: 2,
  },
  "an answer that never fits": {
    answer: () => [{ type: "text-delta", text: "no json" }, end],
    options: { output: { type: "object" }, limits: { maxOutputRetries: 3 } },
    most: 4,
  },
  "a call that is repeated": {
    answer: () => [{ type: "tool-call-end", index: 0, call: { id: "a", name: "nope", arguments: {} } }, end],
    most: 6,
  },
  "calls without an end": {
    answer: () => [{ type: "tool-call-end", index: 0, call: { id: "a", name: "nope", arguments: {} } }, end],
    options: { runaway: false },
    most: 50,
  },
  "a provider that is overloaded": {
    answer() {
      throw new ProviderError("OVERLOADED", { message: "Too much.", retryable: true });
    },
    most: 4,
  },
  "a stream that breaks": { answer: () => [{ type: "text-delta", text: "half" }], most: 4 },
  "a response without an end": {
    *answer() {
      for (;;) yield { type: "text-delta", text: "x".repeat(1_000) } as const;
    },
    options: { limits: { maxResponseBytes: 100_000 } },
    most: 1,
  },
  "nonsense without an end": {
    *answer() {
      for (;;) yield { type: "no-such-event" } as never;
    },
    options: { limits: { maxResponseBytes: 100_000 } },
    most: 1,
  },
};

for (const [what, { answer, options, most }] of Object.entries(ENDLESS)) {
  test(`${what} cannot keep a run going for ever`, async () => {
    const time = new VirtualTime();
    await time.during(async () => {
      const provider = flooding(answer);
      const engine = new AgentEngine({ provider, ...options });
      const notices = collect(engine, "notice");
      let isOver = false;
      const run = engine.run("Go.").finally(() => {
        isOver = true;
      });
      for (;;) {
        await time.settle();
        if (isOver) break;
        await time.advance();
      }
      await run;

      expect(provider.requests).toBe(most);
      expect(notices.length).toBeLessThan(5);
    });
  });
}
