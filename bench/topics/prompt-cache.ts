// A prompt cache as providers keep it: what a request has in common with the beginning of the one before is read from
// it. One run of 500 turns under four ways to keep it within the window.
import { AgentEngine, type ContextPolicy, type Message, type ProviderAdapter, type ProviderEvent } from "loopwright";
import { createCompactionPipeline, estimateTokens } from "loopwright/compaction";
import { mustComplete } from "../ours.js";
import { type Row, report } from "../row.js";
import { workTool } from "../work-tool.js";

const TURNS = 500;
const WINDOW = 64_000;
const OUTPUT = "const answer = compute(input, { limit: 42 }); // see the notes above\n".repeat(40);

const known = new WeakMap<Message, number>();
function tokensOf(message: Message): number {
  const tokens = known.get(message) ?? estimateTokens(JSON.stringify(message.content));
  known.set(message, tokens);
  return tokens;
}

const about = { stage: "bench", beforeTokens: 2, afterTokens: 1, removedTurns: 0, durationMs: 0, costUsd: 0 };

/** Drops the oldest turns as soon as the request has the whole budget, as few as will do. */
const sliding: ContextPolicy = {
  async prepare({ messages, entryIds }) {
    let excess = messages.reduce((sum, message) => sum + tokensOf(message), 0) - WINDOW * 0.8;
    let last = 0;
    while (excess > 0) excess -= tokensOf(messages[++last]!) + tokensOf(messages[++last]!);
    if (last === 0) return [];
    return [{ stage: "slide", from: entryIds[1]!, to: entryIds[last]!, replacement: [], report: about }];
  },
  recover: async () => [],
};

/** Clears the result that has just become older than the newest eight, in every turn. */
const clearing: ContextPolicy = {
  async prepare({ messages, entryIds }) {
    const results = messages.flatMap((message, at) => (message.role === "tool" ? [{ message, at }] : []));
    return results.slice(0, -8).flatMap(({ message, at }) => {
      const [part] = message.content;
      if (part!.output === "(cleared)") return [];
      const replacement: Message[] = [{ role: "tool", content: [{ ...part!, output: "(cleared)" }] }];
      return [{ stage: "clear", from: entryIds[at]!, to: entryIds[at]!, replacement, report: about }];
    });
  },
  recover: async () => [],
};

interface Sent {
  /** Input tokens of all requests together, and how many of them were read from the cache. */
  readonly tokens: number;
  readonly cached: number;
  readonly epochs: number;
}

async function sentWith(compaction: ContextPolicy | undefined): Promise<Sent> {
  let before: readonly Message[] = [];
  let [tokens, cached, turn, epochs] = [0, 0, 0, 0];
  const provider: ProviderAdapter = {
    id: "cached",
    model: "cached-1",
    async *stream({ messages }): AsyncGenerator<ProviderEvent> {
      const inputTokens = messages.reduce((sum, message) => sum + tokensOf(message), 0);
      for (let at = 0; at < before.length && before[at] === messages[at]; at++) cached += tokensOf(messages[at]!);
      tokens += inputTokens;
      before = [...messages];
      turn++;
      yield { type: "message-start" };
      yield { type: "text-delta", text: `Step ${turn}: on to the next file.` };
      if (turn < TURNS)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "work", arguments: { turn } } };
      yield { type: "message-end", finishReason: "stop", usage: { inputTokens, outputTokens: 30 } };
    },
  };
  const engine = new AgentEngine({
    provider,
    tools: [workTool(OUTPUT)],
    limits: { maxTurns: TURNS },
    ...(compaction && { compaction }),
  });
  engine.on("epoch", () => epochs++);
  mustComplete(await engine.run("Work through the list."));
  return { tokens, cached, epochs };
}

const WAYS: readonly (readonly [string, ContextPolicy | undefined])[] = [
  ["compaction", createCompactionPipeline({ contextWindow: WINDOW })],
  ["no compaction, for which it takes six times the window", undefined],
  ["a sliding window", sliding],
  ["old results cleared every turn", clearing],
];

const rows: Row[] = [];
for (const [name, policy] of WAYS) {
  const { tokens, cached, epochs } = await sentWith(policy);
  const what = `input tokens not from the prompt cache, ${TURNS} turns, ${WINDOW / 1_000}k window: ${name} (${(tokens / 1e6).toFixed(1)}M sent, ${epochs} epochs)`;
  const isOurs = name === "compaction";
  rows.push({ what, unit: "%", ours: 100 * (1 - cached / tokens), ...(isOurs && { budgets: [{ max: 10 }] }) });
}
report(rows);
