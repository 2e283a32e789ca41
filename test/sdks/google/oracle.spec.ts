// The official SDK reads the same streams to the same answer.
import { GoogleGenAI } from "@google/genai";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import type { GoogleAnswer } from "../../../src/testing/fault-server/index.js";
import { googleSse, playGoogle } from "../../providers/google/streams.js";
import { callsOf, outcome, request, textOf } from "../../providers/openai/streams.js";
import { randomCall } from "../../providers/random-calls.js";
import { runs } from "../../runs.js";

interface ReadAnswer {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly unknown[];
  readonly signatures: readonly unknown[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

function ours(events: readonly ProviderEvent[]): ReadAnswer {
  const end = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData as JsonObject] : []));
  return {
    text: textOf(events),
    thoughts: events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join(""),
    calls: callsOf(events).map(({ name, arguments: args }) => ({ name, args })),
    signatures: kept.flatMap((data) => (data ? [data.thoughtSignature] : [])),
    inputTokens: end.usage!.inputTokens,
    outputTokens: end.usage!.outputTokens,
  };
}

async function theirs(baseURL: string): Promise<ReadAnswer> {
  const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: baseURL.replace(/\/v1$/, "") } });
  const stream = await client.models.generateContentStream({ model: "gemini-3-pro", contents: "Hello?" });
  let text = "";
  let thoughts = "";
  const calls: unknown[] = [];
  const signatures: unknown[] = [];
  let usage: { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number } = {};
  for await (const chunk of stream) {
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      if (part.thought) thoughts += part.text ?? "";
      else text += part.text ?? "";
      if (part.functionCall) calls.push({ name: part.functionCall.name, args: part.functionCall.args });
      if (part.thoughtSignature) signatures.push(part.thoughtSignature);
    }
    usage = chunk.usageMetadata ?? usage;
  }
  return {
    text,
    thoughts,
    calls,
    signatures,
    inputTokens: usage.promptTokenCount ?? 0,
    outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  };
}

const answers = fc.record(
  {
    thoughts: fc.string({ unit: "grapheme", maxLength: 60 }),
    signature: fc.base64String({ minLength: 4, maxLength: 40 }),
    text: fc.string({ unit: "grapheme", maxLength: 80 }),
    toolCalls: fc.array(randomCall, { maxLength: 4 }),
    pieceSize: fc.integer({ min: 1, max: 30 }),
    usage: fc
      .tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), fc.nat(5_000))
      .map(([promptTokenCount, candidatesTokenCount, thoughtsTokenCount]) => ({
        promptTokenCount,
        candidatesTokenCount,
        thoughtsTokenCount,
        totalTokenCount: promptTokenCount + candidatesTokenCount + thoughtsTokenCount,
      })),
  },
  { requiredKeys: ["text", "usage"] },
);

test("the official SDK reads the same streams to the same answer", async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 1, max: 400 }), async (answer, splitEvery) => {
      const body = googleSse(answer as unknown as GoogleAnswer);
      const { provider, server } = await playGoogle({ body, splitEvery });

      const { events, error } = await outcome(provider.stream(request({}, "read_file", "write_file", "bash")));

      expect(error).toBeUndefined();
      expect(ours(events)).toEqual(await theirs(server.url));
      await server.close();
    }),
    { numRuns: runs(4, 60, 500) },
  );
});
