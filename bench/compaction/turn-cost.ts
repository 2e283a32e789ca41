// Engine time per turn while a session grows, with compaction on.
import { createCompactionPipeline } from "../../src/compaction/index.js";
import { AgentEngine, type ProviderAdapter, type ProviderEvent } from "../../src/index.js";
import { growthExponent, now } from "../measure.js";

export interface TurnCost {
  readonly turns: number;
  /** Processor time. Unit: microseconds. */
  readonly usPerTurn: number;
  readonly compactions: number;
}

const OUTPUT = "handled one more item of the list, nothing unusual\n".repeat(12);

async function costOf(turns: number, isCompacting: boolean): Promise<TurnCost> {
  let [turn, compactions] = [0, 0];
  const provider: ProviderAdapter = {
    id: "plain",
    model: "plain-1",
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      yield { type: "message-start" };
      if (turn < turns)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "work", arguments: { turn } } };
      else yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
  const engine = new AgentEngine({
    provider,
    tools: [
      {
        name: "work",
        permission: "none",
        definition: () => ({ name: "work", description: "Works.", inputSchema: { type: "object" } }),
        execute: async ({ turn }: { turn: number }) => `${turn} ${OUTPUT}`,
      },
    ],
    limits: { maxTurns: turns },
    ...(isCompacting && { compaction: createCompactionPipeline({ contextWindow: 32_000 }) }),
  });
  engine.on("compaction", () => compactions++);
  const startedAt = now("cpu");
  await engine.run("Go.");
  const usPerTurn = ((now("cpu") - startedAt) * 1_000) / turns;
  return { turns, usPerTurn, compactions };
}

const LENGTHS = [10, 100, 1_000, 10_000];

/** The best of some runs each, after warming up: what disturbs a run only makes it slower. */
export async function turnCosts(
  isCompacting: boolean,
): Promise<{ readonly rows: TurnCost[]; readonly exponent: number }> {
  for (let warmUp = 0; warmUp < 5; warmUp++) await costOf(1_000, isCompacting);
  const rows: TurnCost[] = [];
  for (const turns of LENGTHS) {
    const runs: TurnCost[] = [];
    for (let round = 0; round < (turns < 1_000 ? 60 : 4); round++) runs.push(await costOf(turns, isCompacting));
    rows.push(runs.reduce((best, run) => (run.usPerTurn < best.usPerTurn ? run : best)));
  }
  // Runs too short for a compaction say nothing of how it grows.
  const points = rows.slice(-2).map(({ turns, usPerTurn }) => ({ x: turns, y: usPerTurn * turns }));
  return { rows, exponent: growthExponent(points) };
}
