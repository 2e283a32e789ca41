// The official SDK reads the same streams to the same message.
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { type AnthropicAnswer, anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { playAnthropic } from "../../providers/anthropic/streams.js";
import { callsOf, outcome, request, textOf } from "../../providers/openai/streams.js";
import { randomCall } from "../../providers/random-calls.js";
import { runs } from "../../runs.js";

interface ReadMessage {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly text: string;
  readonly thinking: string;
  readonly signatures: readonly JsonValue[];
  readonly calls: readonly unknown[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

function ours(events: readonly ProviderEvent[]): ReadMessage {
  const start = events[0] as Extract<ProviderEvent, { type: "message-start" }>;
  const end = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData as never] : []));
  return {
    id: start.id,
    model: start.model,
    text: textOf(events),
    thinking: events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join(""),
    signatures: kept.map(({ signature, block }: { signature?: string; block?: { data: string } }) =>
      String(signature ?? block?.data),
    ),
    calls: callsOf(events).map(({ id, name, arguments: input }) => ({ id, name, input })),
    inputTokens: end.usage!.inputTokens,
    outputTokens: end.usage!.outputTokens,
  };
}

async function theirs(baseURL: string): Promise<ReadMessage> {
  const client = new Anthropic({ apiKey: "k", baseURL: baseURL.replace(/\/v1$/, ""), maxRetries: 0 });
  const stream = client.messages.stream({
    model: "claude-opus-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "Hello?" }],
  });
  const { id, model, content, usage } = await stream.finalMessage();
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    id,
    model,
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    signatures: content.flatMap((block) =>
      block.type === "thinking" ? [block.signature] : block.type === "redacted_thinking" ? [block.data] : [],
    ),
    calls: content.flatMap((b) => (b.type === "tool_use" ? [{ id: b.id, name: b.name, input: b.input }] : [])),
    inputTokens: usage.input_tokens + cached,
    outputTokens: usage.output_tokens,
  };
}

const answers = fc.record(
  {
    thinking: fc.string({ unit: "grapheme", maxLength: 60 }),
    signature: fc.base64String({ minLength: 4, maxLength: 40 }),
    redacted: fc.base64String({ minLength: 4, maxLength: 40 }),
    text: fc.string({ unit: "grapheme", maxLength: 80 }),
    toolCalls: fc.array(randomCall, { maxLength: 4 }),
    pieceSize: fc.integer({ min: 1, max: 30 }),
    usage: fc.record({
      output_tokens: fc.nat(5_000),
      input_tokens: fc.integer({ min: 1, max: 5_000 }),
      cache_read_input_tokens: fc.nat(5_000),
      cache_creation_input_tokens: fc.nat(5_000),
    }),
  },
  { requiredKeys: ["thinking", "signature", "text", "usage"] },
);

test("the official SDK reads the same streams to the same message", async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 1, max: 400 }), async (answer, splitEvery) => {
      const { provider, server } = await playAnthropic({
        body: namedSse(anthropicEvents(answer as unknown as AnthropicAnswer)),
        splitEvery,
      });

      const { events, error } = await outcome(provider.stream(request({}, "read_file", "write_file", "bash")));

      expect(error).toBeUndefined();
      expect(ours(events)).toEqual(await theirs(server.url));
      await server.close();
    }),
    { numRuns: runs(3, 60, 500) },
  );
});
