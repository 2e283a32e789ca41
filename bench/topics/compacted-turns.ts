// Engine time per turn while a session grows with compaction on, from the tenth turn on, and what the policy takes of it between compactions.
import { AgentEngine, type Message, type ProviderAdapter, type ProviderEvent, type View } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { growthExponent, interleave } from "../measure.js";
import { mustComplete } from "../ours.js";
import { isQuick, type Row, report } from "../row.js";
import { workTool } from "../work-tool.js";

const WINDOW = 4_000;
const OUTPUT = "handled one more item of the list, nothing unusual\n".repeat(12);
/** Rounds by the number of turns. */
const ROUNDS = new Map(
  isQuick
    ? [
        [10, 20],
        [1_000, 2],
      ]
    : [
        [10, 200],
        [100, 60],
        [1_000, 9],
        [10_000, 5],
      ],
);

async function run(turns: number, isCompacting: boolean): Promise<void> {
  let turn = 0;
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
    tools: [workTool(OUTPUT)],
    limits: { maxTurns: turns },
    ...(isCompacting && { compaction: createCompactionPipeline({ contextWindow: WINDOW }) }),
  });
  mustComplete(await engine.run("Go."));
}

async function turnRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const totals: { readonly x: number; readonly y: number }[] = [];
  for (const [turns, rounds] of ROUNDS) {
    const contenders = { without: () => run(turns, false), with: () => run(turns, true) };
    const times = await interleave(contenders, { rounds, warmups: Math.max(1, Math.ceil(2_000 / turns)) });
    const perTurn = (ms: number) => (ms * 1_000) / turns;
    const what = `a turn with compaction on, ${turns} turns (floor: without)`;
    rows.push({ what, unit: "µs", floor: perTurn(times.without), ours: perTurn(times.with) });
    // The first compactions are still warming up.
    if (turns >= 100) totals.push({ x: turns, y: times.with });
  }
  if (totals.length < 2) return rows;
  const what = "growth with compaction on over 100 … 10,000 turns, exponent";
  return [...rows, { what, unit: "", ours: growthExponent(totals), budgets: [{ max: 1.02 }] }];
}

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const CALLS = 2_000;

/** Asks the policy again and again, each time about one message more. */
function preparing(length: number): () => Promise<void> {
  const policy = createCompactionPipeline();
  const messages = Array.from({ length }, (_, index) => Object.freeze(user(`Message ${index}.`)));
  const entryIds = messages.map((_, index) => `e${index}`);
  const about = { system: [], tools: [], sessionId: "s", signal: new AbortController().signal };
  const view: View = { ...about, messages, entryIds };
  const budget = { contextWindow: 1e9, reservedOutputTokens: 1_000 };
  return async () => {
    for (let call = 0; call < CALLS; call++) {
      messages.push(Object.freeze(user(`Message ${messages.length}.`)));
      entryIds.push(`e${messages.length}`);
      await policy.prepare(view, budget);
    }
  };
}

async function prepareRows(): Promise<Row[]> {
  const contenders = { short: preparing(100), long: preparing(100_000) };
  const times = await interleave(contenders, { rounds: isQuick ? 3 : 15, warmups: 3 });
  const perCall = (ms: number) => (ms * 1_000) / CALLS;
  return [
    {
      what: "preparing a view of 100,000 messages, one of them new (floor: of 100)",
      unit: "µs",
      floor: perCall(times.short),
      ours: perCall(times.long),
      budgets: [{ max: 1.5, times: "floor" }],
    },
  ];
}

report([...(await turnRows()), ...(await prepareRows())]);
