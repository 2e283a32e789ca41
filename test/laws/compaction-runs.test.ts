import fc from "fast-check";
import type { ProviderAdapter, ProviderEvent, ProviderRequest, SessionEntry } from "loopwright";
import { ProviderError } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { scripted, text } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { AgentEngine } from "../../src/engine/engine.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import { tokensOf } from "../compaction/kit.js";
import { tool } from "../engine/kit.js";
import { runs } from "../runs.js";
import { play, SESSION, scenario } from "./random-run.js";
import { brokenLaws, rebuilt } from "./run-checks.js";
import { World } from "./world.js";

const numRuns = process.env.PROVE ? 2_000 : 100;

const summaries = ["<summary>All is well.</summary>", "", "I'm sorry, I can't.", "word ".repeat(3_000)];

test("random runs with compaction on, in windows of any size, keep every law, and prefixes within an epoch", async () => {
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 30, max: 600 }), fc.boolean(), async (plan, contextWindow, asks) => {
      const store = createMemorySessionStore();
      const world = new World();
      let asked = 0;
      const summarizer = scripted([() => text(summaries[asked++ % summaries.length]!)], { loop: true, record: false });
      const compaction = createCompactionPipeline({ contextWindow, keepTurns: 2, ...(asks && { summarizer }) });
      const sent: { epoch: number; messages: string[] }[] = [];
      let epoch = 0;
      const onRequest = ({ messages }: ProviderRequest) =>
        void sent.push({ epoch, messages: messages.map((message) => JSON.stringify(message)) });
      for (const prompt of ["Go.", "And now?"]) {
        const played = await play(plan, {
          store,
          world,
          onRequest,
          extra: { compaction },
          begin(engine, options) {
            engine.on("epoch", () => epoch++);
            engine.on("compaction", () => compactions++);
            return engine.stream(prompt, { sessionId: SESSION, ...options });
          },
        });
        // What an earlier run left in the session is checked by resume-anywhere.
        if (prompt === "Go.") expect(brokenLaws(played)).toEqual([]);
      }

      for (const [index, { epoch: own, messages }] of sent.entries()) {
        const before = sent[index - 1];
        if (before?.epoch === own) expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
      }
      const entries: SessionEntry[] = [];
      for await (const entry of store.read(SESSION)) entries.push(JSON.parse(JSON.stringify(entry)));
      const last = sent.at(-1);
      const replayed = rebuilt(entries).view.map((message) => JSON.stringify(message));
      if (last?.epoch === epoch) expect(replayed.slice(0, last.messages.length)).toEqual(last.messages);
    }),
    { numRuns },
  );
  expect(compactions).toBeGreaterThan(numRuns / 20);
});

/** Every look at what is in an array by now is reported, whatever is done with it. */
function watchPlaces(array: readonly unknown[], seen: () => void): void {
  for (const [index, value] of array.entries()) {
    Object.defineProperty(array, index, {
      get: () => {
        seen();
        return value;
      },
    });
  }
}

test("between compactions a turn touches no old message", async () => {
  const TURNS = process.env.PROVE ? 3_000 : 80;
  let touches = 0;
  let turn = 0;
  const provider: ProviderAdapter = {
    id: "plain",
    model: "plain-1",
    contextWindow: 1_000_000,
    async *stream({ messages }): AsyncGenerator<ProviderEvent> {
      turn++;
      // From here on everything sent so far is old.
      if (turn === 10) watchPlaces(messages, () => touches++);
      yield { type: "message-start" };
      if (turn < TURNS)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "look", arguments: { turn } } };
      else yield { type: "text-delta", text: "done" };
      const usage = { inputTokens: 1_000 + turn * 40, outputTokens: 10 };
      yield { type: "message-end", finishReason: "stop", ...(turn % 3 > 0 && { usage }) };
    },
  };
  const engine = new AgentEngine({
    provider,
    tools: [tool("look", async () => "seen ".repeat(20), { permission: "read_only" })],
    limits: { maxTurns: TURNS },
    compaction: createCompactionPipeline(),
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "completed", turns: TURNS });
  expect(touches).toBe(0);
});

/** A model with a window that works through `turns` calls; one request in ten fails, in every way a server fails. */
function faulty(turns: number, window: number): ProviderAdapter & { largest: number; requests: number } {
  let done = 0;
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const provider = {
    id: "faulty",
    model: "f1",
    contextWindow: window,
    maxOutputTokens: 500,
    largest: 0,
    requests: 0,
    async *stream({ messages }: ProviderRequest): AsyncGenerator<ProviderEvent> {
      provider.requests++;
      const fault = random();
      if (fault < 0.03) throw new ProviderError("OVERLOADED", { message: "busy", retryable: true });
      if (fault < 0.05) throw new ProviderError("CONTEXT_TOO_LONG", { message: "prompt is too long" });
      yield { type: "message-start" };
      if (fault < 0.08) {
        yield { type: "text-delta", text: "Half an ans" };
        throw new ProviderError("STREAM_BROKEN", { message: "cut", retryable: true });
      }
      if (provider.requests % 10 === 0) provider.largest = Math.max(provider.largest, tokensOf(messages));
      if (done++ < turns) {
        const name = fault < 0.1 ? "broken" : "work";
        yield { type: "text-delta", text: `Step ${done}. ` };
        yield { type: "tool-call-end", index: 0, call: { id: `c${done}`, name, arguments: { step: done } } };
      } else yield { type: "text-delta", text: "All done." };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  return provider;
}

test("a long run with a tenth of faults ends well, and its window is never exceeded", async () => {
  const turns = runs(250, 1_000, 10_000);
  const provider = faulty(turns, 12_000);
  const tool = (name: string, execute: () => Promise<string>) => ({
    name,
    permission: "none" as const,
    definition: () => ({ name, description: name, inputSchema: { type: "object" } }),
    execute,
  });
  let compactions = 0;
  let views = 0;
  const engine = new AgentEngine({
    provider,
    tools: [tool("work", async () => "result ".repeat(60)), tool("broken", () => Promise.reject(new Error("no")))],
    limits: { maxTurns: turns * 2 },
    retry: { baseMs: 0, maxRetries: 20 },
    compaction: createCompactionPipeline(),
  });
  engine.on("compaction", () => compactions++);
  engine.on("epoch", () => views++);

  const result = await engine.run("Work through it.");

  expect(result).toMatchObject({ status: "completed", text: "All done." });
  expect(provider.largest).toBeLessThanOrEqual(11_500);
  expect(compactions).toBeGreaterThan(turns / 100);
  expect(views).toBeLessThan(turns / 4);
  expect(result.messages()).toHaveLength(2 * turns + 2);
});
