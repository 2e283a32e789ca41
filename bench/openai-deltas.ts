// What the adapter costs beside the SDK: the same loopback stream, read in turns by the bare SDK, its text concatenated and
// its arguments parsed at the end, and through `openai()`.
// Run: npx tsx bench/openai-deltas.ts [rounds]
import { OpenAI } from "openai";
import { openai } from "../src/providers/openai/index.js";
import { type ChatAnswer, chatChunks, createFaultServer, sse } from "../src/testing/fault-server/index.js";

const ROUNDS = Number(process.argv[2] ?? 15);

const TEXT = "word ".repeat(8_000);
const CASES: Record<string, ChatAnswer> = {
  "8,000 text deltas": { text: TEXT, pieceSize: 5 },
  "800 KB of arguments in 100-byte deltas": {
    toolCalls: [{ name: "write", arguments: { content: "x".repeat(800_000) } }],
    pieceSize: 100,
  },
};

for (const [name, answer] of Object.entries(CASES)) {
  const body = new TextEncoder().encode(sse(chatChunks(answer)));
  await using server = await createFaultServer({ body });
  const client = new OpenAI({ apiKey: "bench", baseURL: server.url, maxRetries: 0 });
  const provider = openai({ model: "bench", apiKey: "bench", baseURL: server.url });
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? [readBare, readOurs] : [readOurs, readBare];
    for (const read of first) {
      const ms = await read(client, provider);
      if (round >= 0) (read === readBare ? bare : ours).push(ms);
    }
  }
  const ratio = median(ours) / median(bare);
  console.log(
    `${name}: SDK ${median(bare).toFixed(1)} ms, openai() ${median(ours).toFixed(1)} ms, ratio ${ratio.toFixed(3)}`,
  );
}

async function readBare(client: OpenAI): Promise<number> {
  const start = performance.now();
  const messages = [{ role: "user" as const, content: "go" }];
  const stream = await client.chat.completions.create({ model: "bench", messages, stream: true });
  let text = "";
  let json = "";
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta;
    text += delta?.content ?? "";
    for (const call of delta?.tool_calls ?? []) json += call.function?.arguments ?? "";
  }
  if (text === "" && Object.keys(JSON.parse(json)).length === 0) throw new Error("The stream was empty.");
  return performance.now() - start;
}

async function readOurs(_: OpenAI, provider: ReturnType<typeof openai>): Promise<number> {
  const start = performance.now();
  const { signal } = new AbortController();
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }];
  let events = 0;
  for await (const _event of provider.stream({ system: [], tools: [], messages, signal, sessionId: "bench" })) events++;
  if (events < 3) throw new Error("The stream was empty.");
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
