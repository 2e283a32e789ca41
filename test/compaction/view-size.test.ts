import { AgentEngine, type ProviderAdapter, ProviderError, type ProviderEvent, type ProviderRequest } from "loopwright";
import { createCompactionPipeline, estimateTokens } from "loopwright/compaction";
import { expect, test } from "vitest";
import { runs } from "../runs.js";

const TURNS = runs(80, 150, 150);
const WINDOW = 16_000;

/** What providers say they counted, from what they did count. */
const TALES: Record<string, (real: number) => unknown> = {
  nothing: () => undefined,
  zero: () => 0,
  "a negative number": () => -5,
  "no number": () => "many",
  infinity: () => Number.POSITIVE_INFINITY,
  "a billion": () => 1e9,
  "half of it": (real) => real / 2,
  "a tenth of it": (real) => real / 10,
  "three times as much": (real) => real * 3,
  "ten times as much": (real) => real * 10,
  "anything at all": (real) => Math.abs(Math.sin(real)) * real * 30,
};

/** Works until it has done enough; refuses what is larger than its window. */
function model(tell: (real: number) => unknown): ProviderAdapter {
  let turn = 0;
  return {
    id: "p",
    model: "m",
    contextWindow: WINDOW,
    maxOutputTokens: 1_000,
    async *stream({ messages }: ProviderRequest): AsyncGenerator<ProviderEvent> {
      const real = messages.reduce((sum, { content }) => sum + estimateTokens(JSON.stringify(content)), 0);
      if (real > WINDOW) throw new ProviderError("CONTEXT_TOO_LONG", { message: "prompt is too long" });
      turn++;
      yield { type: "message-start" };
      if (turn < TURNS)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "work", arguments: { turn } } };
      else yield { type: "text-delta", text: "done" };
      yield {
        type: "message-end",
        finishReason: "stop",
        usage: { inputTokens: tell(real) as number, outputTokens: 10 },
      };
    },
  };
}

test.each(Object.keys(TALES))("a provider that reports %s ends its run, with few compactions", async (tale) => {
  const work = {
    name: "work",
    permission: "none" as const,
    definition: () => ({ name: "work", description: "Works.", inputSchema: { type: "object" } }),
    execute: async ({ turn }: { turn: number }) => `${turn} ${"some result words here ".repeat(30)}`,
  };
  const engine = new AgentEngine({
    provider: model(TALES[tale]!),
    tools: [work],
    limits: { maxTurns: TURNS + 10 },
    compaction: createCompactionPipeline(),
  });
  let compactions = 0;
  engine.on("compaction", () => compactions++);

  const { status } = await engine.run("Go.");

  expect(status).toBe("completed");
  expect(compactions).toBeLessThan(TURNS / 8);
});
