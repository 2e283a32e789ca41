// What compaction costs does not grow with the session: counted, not timed.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { AgentEngine, type ProviderAdapter, type ProviderEvent } from "loopwright";
import { createCompactionPipeline, estimateTokens } from "loopwright/compaction";
import { expect, test, vi } from "vitest";
import { Line } from "../../src/compaction/notes/salient-lines.js";

const TURNS = 1_000;

test("from the first compaction on, a turn counts and weighs as much late in a session as early", async () => {
  const counted: number[] = [];
  const weighed: number[] = [];
  let turn = 0;
  const words = vi.spyOn(Line.prototype, "words", "get").mockImplementation(function (this: Line) {
    weighed[turn] = (weighed[turn] ?? 0) + 1;
    return this.text.match(/[a-z]{3,}/g) ?? [];
  });
  const provider: ProviderAdapter = {
    id: "p",
    model: "m",
    contextWindow: 16_000,
    maxOutputTokens: 1_000,
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      yield { type: "message-start" };
      if (turn < TURNS)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "work", arguments: { turn } } };
      else yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  const work = {
    name: "work",
    permission: "none" as const,
    definition: () => ({ name: "work", description: "Works.", inputSchema: { type: "object" } }),
    execute: async ({ turn: n }: { turn: number }) =>
      `item ${n} handled\n${"nothing unusual in this line\n".repeat(12)}ticket T-${n}`,
  };
  const engine = new AgentEngine({
    provider,
    tools: [work],
    limits: { maxTurns: TURNS },
    compaction: createCompactionPipeline({
      countTokens: (text) => {
        counted[turn] = (counted[turn] ?? 0) + text.length;
        return estimateTokens(text);
      },
    }),
  });

  const { status } = await engine.run("Go.");
  words.mockRestore();

  const between = (values: readonly number[], from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => values[from + n] ?? 0).reduce((sum, value) => sum + value, 0);
  expect(status).toBe("completed");
  for (const values of [counted, weighed]) {
    expect(between(values, 200, 500)).toBeGreaterThan(0);
    expect(between(values, 700, 1_000)).toBeLessThan(1.25 * between(values, 200, 500));
  }
});

test("stages keep the names they are exported under in a minified bundle", async () => {
  const entry = fileURLToPath(new URL("../../src/compaction/index.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const bundle = (await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString("base64")}`
  )) as Record<string, (options?: object) => { name: string }>;

  const summarizer = { id: "p", model: "m", stream: () => undefined };
  const names = ["offload", "snip", "micro", "collapse", "sessionMemory", "summarize", "reactive"];
  expect(names.map((name) => bundle[name]!(name === "summarize" ? { summarizer } : undefined).name)).toEqual(names);
});
