// A prompt cache as providers keep it: what a request has in common with the beginning of the one before is read from
// it. One run of 500 turns under four ways to keep it within the window.
import { createCompactionPipeline, estimateTokens } from "../../src/compaction/index.js";
import { countMessage } from "../../src/compaction/token-count.js";
import {
  AgentEngine,
  type ContextPolicy,
  type Message,
  type ProviderAdapter,
  type ProviderEvent,
} from "../../src/index.js";

const TURNS = 500;
const WINDOW = 64_000;
const OUTPUT = "const answer = compute(input, { limit: 42 }); // see the notes above\n".repeat(40);

export interface CacheShare {
  readonly what: string;
  /** Input tokens of all requests together. */
  readonly inputTokens: number;
  /** Share of them that was read from the cache. */
  readonly share: number;
  readonly epochs: number;
  /** The largest request. */
  readonly largest: number;
}

const count = (message: Message) => countMessage(message, estimateTokens);
const report = { stage: "bench", beforeTokens: 2, afterTokens: 1, removedTurns: 0, durationMs: 0, costUsd: 0 };

/** Drops the oldest turns as soon as the request has the whole budget, as few as will do. */
const sliding: ContextPolicy = {
  async prepare({ messages, entryIds }) {
    let excess = messages.reduce((sum, message) => sum + count(message), 0) - WINDOW * 0.8;
    let last = 0;
    while (excess > 0) excess -= count(messages[++last]!) + count(messages[++last]!);
    if (last === 0) return [];
    return [{ stage: "slide", from: entryIds[1]!, to: entryIds[last]!, replacement: [], report }];
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
      return [{ stage: "clear", from: entryIds[at]!, to: entryIds[at]!, replacement, report }];
    });
  },
  recover: async () => [],
};

export async function cacheShares(): Promise<CacheShare[]> {
  return [
    await shareOf("no compaction (needs a larger window)", undefined),
    await shareOf("a sliding window", sliding),
    await shareOf("old results cleared every turn", clearing),
    await shareOf("loopwright: trigger 0.8, target 0.5", createCompactionPipeline({ contextWindow: WINDOW })),
  ];
}

async function shareOf(what: string, compaction: ContextPolicy | undefined): Promise<CacheShare> {
  let before: readonly Message[] = [];
  let [inputTokens, cached, largest, turn, epochs] = [0, 0, 0, 0, 0];
  const provider: ProviderAdapter = {
    id: "cached",
    model: "cached-1",
    async *stream({ messages }): AsyncGenerator<ProviderEvent> {
      const sent = messages.reduce((sum, message) => sum + count(message), 0);
      let hit = 0;
      for (let at = 0; at < before.length && before[at] === messages[at]; at++) hit += count(messages[at]!);
      inputTokens += sent;
      cached += hit;
      largest = Math.max(largest, sent);
      before = [...messages];
      turn++;
      yield { type: "message-start" };
      yield { type: "text-delta", text: `Step ${turn}: on to the next file.` };
      if (turn < TURNS)
        yield { type: "tool-call-end", index: 0, call: { id: `c${turn}`, name: "work", arguments: { turn } } };
      yield { type: "message-end", finishReason: "stop", usage: { inputTokens: sent, outputTokens: 30 } };
    },
  };
  const engine = new AgentEngine({
    provider,
    tools: [
      {
        name: "work",
        permission: "none",
        definition: () => ({ name: "work", description: "Works.", inputSchema: { type: "object" } }),
        execute: async ({ turn }: { turn: number }) => `${turn}\n${OUTPUT}`,
      },
    ],
    limits: { maxTurns: TURNS },
    ...(compaction && { compaction }),
  });
  engine.on("epoch", () => epochs++);
  await engine.run("Work through the list.");
  return { what, inputTokens, share: cached / inputTokens, epochs, largest };
}
