import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { withRetry } from "../../../src/engine/model/with-retry.js";
import {
  type ChatAnswer,
  chatChunks,
  type FaultReply,
  type FaultRequest,
  sse,
} from "../../../src/testing/fault-server/index.js";
import { runs } from "../../runs.js";
import { recordingTools } from "../byte-faults.js";
import { callsOf, outcome, play, request, textOf } from "./streams.js";

const ANSWER: ChatAnswer & Required<Pick<ChatAnswer, "text" | "toolCalls">> = {
  text: "Grüße 👩‍👧 世界.",
  toolCalls: [
    { name: "write", arguments: { path: "ä.ts", content: 'a "b" \\ 😀 }{' } },
    { name: "read", arguments: { path: "b" } },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 4 },
  pieceSize: 26,
};

/** Nothing that need not be there, since every byte of it is tried. */
const CHUNKS = chatChunks(ANSWER)
  .slice(1)
  .map(({ choices, usage }) => (usage ? { usage } : { choices }) as JsonObject);
const BODY = `: ping\n\n${sse(CHUNKS)}`;
const BYTES = new TextEncoder().encode(BODY).length;

const FINISH = BODY.indexOf('"finish_reason":"tool_calls"');
/** Before this byte the model has not ended; from the other one on, its last word has arrived. */
const FINISH_AT = new TextEncoder().encode(BODY.slice(0, FINISH)).length;
const FINISHED_AT = new TextEncoder().encode(BODY.slice(0, BODY.indexOf("\n\n", FINISH) + 2)).length;

/** Every byte with `npm run prove`, otherwise at a stride. */
const STRIDE = runs(67, 7, 1);

/** The server reads from the session's id what to do with a request. */
const script = (fault: (at: number, attempt: number) => FaultReply) => {
  const attempts = new Map<number, number>();
  return (asked: FaultRequest): FaultReply => {
    const at = Number((asked.body as { prompt_cache_key: string }).prompt_cache_key);
    attempts.set(at, (attempts.get(at) ?? 0) + 1);
    return { body: BODY, ...fault(at, attempts.get(at)!) };
  };
};

const KEYED = { compat: { promptCacheKey: true } };

test("the events are the same wherever the bytes of the stream are split", async () => {
  const { provider } = await play(
    script((at) => ({ splitAt: [at] })),
    KEYED,
  );
  const expected = await outcome(provider.stream(request({ sessionId: "0" })));

  await atOffsets(async (at) => {
    const split = await outcome(provider.stream(request({ sessionId: String(at) })));

    expect(split, `split at byte ${at}`).toEqual(expected);
  });

  expect(callsOf(expected.events).map((call) => call.arguments)).toEqual(ANSWER.toolCalls.map((c) => c.arguments));
  expect(expected.error).toBeUndefined();
});

test("the events are the same in packets of every size, compressed or not", async () => {
  const { provider } = await play(
    script((at) => ({ splitEvery: (at >> 1) + 1, gzip: at % 2 === 1 })),
    KEYED,
  );
  const expected = await outcome((await play({ body: BODY })).provider.stream(request()));

  // One after the other: the usage has to come within a moment of the finish reason.
  for (let at = 0; at < 24; at++) {
    const split = await outcome(provider.stream(request({ sessionId: String(at) })));
    expect(split.events, `packets of ${(at >> 1) + 1} bytes`).toEqual(expected.events);
  }
});

for (const end of ["close", "reset"] as const) {
  test(`a stream cut at any byte by a ${end} never ends a message or a call early`, async () => {
    const { provider } = await play(
      script((at) => ({ cutAt: at, end })),
      KEYED,
    );

    await atOffsets(async (at) => {
      const { events, error } = await outcome(provider.stream(request({ sessionId: String(at) })));

      for (const call of callsOf(events)) {
        expect(ANSWER.toolCalls, `cut at byte ${at}`).toContainEqual({ name: call.name, arguments: call.arguments });
      }
      const hasEnded = events.some((event) => event.type === "message-end");
      expect(error === undefined, `cut at byte ${at}`).toBe(hasEnded);
      if (error) expect(error, `cut at byte ${at}`).toMatchObject({ retryable: true });
      else expect(callsOf(events), `cut at byte ${at}`).toHaveLength(2);
      if (at <= FINISH_AT) expect(error, `cut at byte ${at}`).toBeDefined();
      if (at >= FINISHED_AT && end === "close") expect(error, `cut at byte ${at}`).toBeUndefined();
    });
  });
}

test("withRetry makes a stream that was cut at any byte whole, and says that it began again", async () => {
  const { provider } = await play(
    script((at, attempt) => (attempt === 1 ? { cutAt: at, end: "reset" } : {})),
    KEYED,
  );
  const retrying = withRetry(provider, { baseMs: 0 });
  const strip = (event: ProviderEvent) => (event.type === "message-end" ? { ...event, usage: undefined } : event);

  await atOffsets(async (at) => {
    const { events, error } = await outcome(retrying.stream(request({ sessionId: String(at) })));

    const restart = events.findLastIndex((event) => event.type === "restart");
    expect(error, `cut at byte ${at}`).toBeUndefined();
    if (at <= FINISH_AT) expect(restart, `cut at byte ${at}`).toBeGreaterThanOrEqual(0);
    expect(textOf(events), `cut at byte ${at}`).toBe(ANSWER.text);
    expect(callsOf(events.slice(restart + 1)), `cut at byte ${at}`).toHaveLength(2);
    expect(strip(events.at(-1)!)).toEqual({ type: "message-end", finishReason: "tool-calls", usage: undefined });
  });
});

test("no tool call runs twice or with half its arguments, wherever the engine's stream is cut", async () => {
  await atOffsets(async (at) => {
    const ran: unknown[] = [];
    const { provider, server } = await play((asked, index) => {
      if (asked.text.includes('"role":"tool"')) return { body: sse(chatChunks({ text: "Ready." })) };
      return index === 0 ? { body: BODY, cutAt: at, end: "reset" } : { body: BODY };
    });
    const engine = new AgentEngine({
      provider,
      tools: recordingTools(ran),
      retry: { baseMs: 0 },
    });

    const result = await engine.run("go");

    expect(result, `cut at byte ${at}`).toMatchObject({ status: "completed", text: "Ready.", turns: 2 });
    expect(ran, `cut at byte ${at}`).toHaveLength(2);
    expect(ran).toEqual(expect.arrayContaining([...ANSWER.toolCalls]));
    await server.close();
  }, 3 * STRIDE);
});

/** Tries offsets of the stream, some at a time. */
async function atOffsets(tryAt: (at: number) => Promise<void>, stride = STRIDE): Promise<void> {
  const offsets = Array.from({ length: Math.ceil(BYTES / stride) }, (_, i) => i * stride);
  const worker = async () => {
    for (let at = offsets.pop(); at !== undefined; at = offsets.pop()) await tryAt(at);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
