import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import { googleSse, playGoogle } from "./streams.js";

const event = (chunk: JsonObject): string => `data: ${JSON.stringify(chunk)}\r\n\r\n`;
const part = (...parts: JsonObject[]): JsonObject => ({ candidates: [{ content: { parts } }] });
const end = (finishReason: string, more: JsonObject = {}): JsonObject => ({ candidates: [{ finishReason, ...more }] });

async function read(...chunks: (JsonObject | string)[]) {
  const body = chunks.map((chunk) => (typeof chunk === "string" ? chunk : event(chunk))).join("");
  const { provider } = await playGoogle({ body });
  return outcome(provider.stream(request({}, "look")));
}

test("thoughts, text and calls arrive in order, each in its own event", async () => {
  const { provider } = await playGoogle({
    body: googleSse({
      thoughts: "Hm.",
      text: "Yes.",
      toolCalls: [{ name: "look", arguments: { a: 1 } }],
      signature: "c2ln",
      usage: {
        promptTokenCount: 20,
        cachedContentTokenCount: 8,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 6,
        totalTokenCount: 30,
      },
    }),
  });

  const { events } = await outcome(provider.stream(request({}, "look")));

  expect(events).toEqual([
    { type: "message-start", id: "resp_1", model: "fault-model" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end" },
    { type: "text-delta", text: "Yes." },
    { type: "reasoning-end", providerData: { by: "google/gemini-3-pro", on: "call", thoughtSignature: "c2ln" } },
    { type: "tool-call-start", index: 0, id: "google-call-0", name: "look" },
    { type: "tool-call-delta", index: 0, json: '{"a":1}' },
    { type: "tool-call-end", index: 0, call: { id: "google-call-0", name: "look", arguments: { a: 1 } } },
    {
      type: "message-end",
      finishReason: "tool-calls",
      usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 8, reasoningTokens: 6 },
    },
  ]);
});

test.each([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["LANGUAGE", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["OTHER", "other"],
  ["SOMETHING_NEW", "other"],
])("the finish reason %s means %s", async (finishReason, expected) => {
  const { events } = await read(part({ text: "A" }), end(finishReason));

  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: expected });
});

test.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"])(
  "an answer that ends with %s is asked for again",
  async (finishReason) => {
    const { events, error } = await read(
      part({ text: "Let me" }),
      end(finishReason, { finishMessage: "print(look())" }),
    );

    expect(error).toMatchObject({ code: "SERVER", retryable: true, message: expect.stringContaining("print(look())") });
    expect(events.some(({ type }) => type === "message-end")).toBe(false);
  },
);

test("a blocked prompt is CONTENT_FILTERED, and is not asked again", async () => {
  const { error } = await read({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 3 } });

  expect(error).toMatchObject({ code: "CONTENT_FILTERED", retryable: false, details: { blockReason: "SAFETY" } });
});

test("feedback that gives only a message has blocked the prompt, too", async () => {
  const { error } = await read({ candidates: [], promptFeedback: { blockReasonMessage: "Not this." } });

  expect(error).toMatchObject({ code: "CONTENT_FILTERED", message: expect.stringContaining("Not this.") });
});

test("a request that lacks a signature is not sent again as it is", async () => {
  const { error } = await read(end("MISSING_THOUGHT_SIGNATURE", { finishMessage: "At contents[3]." }));

  expect(error).toMatchObject({
    code: "BAD_REQUEST",
    retryable: false,
    message: expect.stringContaining("contents[3]"),
  });
});

test("arguments in a string are read; half a string is malformed, and an empty list is no arguments", async () => {
  const { events } = await read(
    part({ functionCall: { name: "look", args: '{"a":1}' } }),
    part({ functionCall: { name: "look", args: '{"a":1' } }),
    part({ functionCall: { name: "look", args: [] } }),
    end("STOP"),
  );

  expect(callsOf(events).map(({ arguments: given, malformed }) => malformed ?? given)).toEqual([
    { a: 1 },
    '{"a":1',
    {},
  ]);
});

test("a signature without a text belongs to the thought, or to the answer, that it comes behind", async () => {
  const { events } = await read(
    part({ text: "Hm.", thought: true }),
    part({ thought: true, thoughtSignature: "dGhvdWdodA==" }),
    part({ text: "Yes." }),
    part({ thoughtSignature: "YW5zd2Vy" }),
    end("STOP"),
  );

  const by = "google/gemini-3-pro";
  expect(events.slice(1, -1)).toEqual([
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end", providerData: { by, on: "thought", thoughtSignature: "dGhvdWdodA==" } },
    { type: "text-delta", text: "Yes." },
    { type: "reasoning-end", providerData: { by, on: "text", thoughtSignature: "YW5zd2Vy", chars: 0 } },
  ]);
});

test("a file at an address is a link in the text", async () => {
  const { events } = await read(
    part({ fileData: { mimeType: "image/png", fileUri: "https://a.example/b.png" } }),
    end("STOP"),
  );

  expect(textOf(events)).toBe("![image](https://a.example/b.png)");
});

test("parallel calls get ids of their own; ids of the server are kept", async () => {
  const { events } = await read(
    part({ functionCall: { name: "look", args: { a: 1 } } }, { functionCall: { name: "look", args: { a: 2 } } }),
    part({ functionCall: { name: "look", id: "srv", args: {} } }, { functionCall: { name: "look", id: "srv" } }),
    end("STOP"),
  );

  expect(callsOf(events)).toEqual([
    { id: "google-call-0", name: "look", arguments: { a: 1 } },
    { id: "google-call-1", name: "look", arguments: { a: 2 } },
    { id: "srv", name: "look", arguments: {} },
    { id: "srv_3", name: "look", arguments: {} },
  ]);
});

test("a call that has ended already is not ended by a call of its own", async () => {
  const { events } = await read(
    part({ functionCall: { name: "look", willContinue: true } }),
    part({ functionCall: { partialArgs: [{ jsonPath: "$.n", numberValue: 2 }] } }),
    part({ functionCall: {} }),
    end("STOP"),
  );

  expect(callsOf(events).map(({ name, arguments: given }) => [name, given])).toEqual([["look", { n: 2 }]]);
});

test("arguments that come in pieces come out whole", async () => {
  const call = (functionCall: JsonObject) => part({ functionCall });
  const { events } = await read(
    call({ name: "look", id: "x", willContinue: true }),
    call({ partialArgs: [{ jsonPath: "$.place", stringValue: "New ", willContinue: true }], willContinue: true }),
    call({
      partialArgs: [
        { jsonPath: "$.place", stringValue: "Delhi" },
        { jsonPath: "$.days[1].n", numberValue: 2 },
      ],
      willContinue: true,
    }),
    call({
      partialArgs: [
        { jsonPath: "$.days[0].n", numberValue: 1 },
        { jsonPath: "$.now", boolValue: true },
        { jsonPath: "$.x", nullValue: "NULL_VALUE" },
      ],
    }),
    call({ name: "look", args: {} }),
    end("STOP"),
  );

  expect(callsOf(events)).toEqual([
    { id: "x", name: "look", arguments: { place: "New Delhi", days: [{ n: 1 }, { n: 2 }], now: true, x: null } },
    { id: "google-call-1", name: "look", arguments: {} },
  ]);
});

test("a finish reason in every chunk does not end the answer early", async () => {
  const chunk = (text: string) => event({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] });
  const { length } = chunk("a");
  const { provider } = await playGoogle({
    body: chunk("a") + chunk("b") + chunk("c"),
    splitAt: [length, 2 * length],
    packetDelayMs: 400,
  });

  expect(textOf((await outcome(provider.stream(request()))).events)).toBe("abc");
});

test("empty candidates, unknown parts and fields, and comments are skipped", async () => {
  const { events, error } = await read(
    ": hello\r\n\r\n",
    { candidates: [] },
    { usageMetadata: { promptTokenCount: 3 } },
    part({ odd: 1 }, { text: "Yes." }),
    { candidates: [{ index: 1, content: { parts: [{ text: "No." }] } }] },
    { candidates: [{ index: 0, finishReason: "STOP" }], news: true },
  );

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Yes.");
});

test("an answer that comes as one array instead of a stream is read", async () => {
  const body = JSON.stringify([part({ text: "Y" }), part({ text: "es." }), end("STOP")]);
  const { provider } = await playGoogle({ body, headers: { "content-type": "application/json" } });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Yes.");
});

test("responses that a gateway wraps are read", async () => {
  const { events } = await read({ response: part({ text: "Yes." }) }, { response: end("STOP") });

  expect(textOf(events)).toBe("Yes.");
});

test.each([
  [
    { promptTokenCount: 10, totalTokenCount: 40 },
    { inputTokens: 10, outputTokens: 30, reasoningTokens: 30 },
  ],
  [
    { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 40 },
    { inputTokens: 10, outputTokens: 30, reasoningTokens: 25 },
  ],
  [
    { promptTokenCount: 10, toolUsePromptTokenCount: 4, candidatesTokenCount: 5, totalTokenCount: 19 },
    { inputTokens: 14, outputTokens: 5 },
  ],
  [
    { promptTokenCount: 10, candidatesTokenCount: 5, cachedContentTokenCount: 99 },
    { inputTokens: 10, outputTokens: 5, cacheReadTokens: 10 },
  ],
  [{ totalTokenCount: 5 }, undefined],
  [
    { promptTokenCount: 10, candidatesTokenCount: 8, thoughtsTokenCount: 3, totalTokenCount: 18 },
    { inputTokens: 10, outputTokens: 8, reasoningTokens: 3 },
  ],
  [
    { promptTokenCount: 10, candidatesTokenCount: 8, thoughtsTokenCount: 3, totalTokenCount: 21 },
    { inputTokens: 10, outputTokens: 11, reasoningTokens: 3 },
  ],
  [
    { promptTokenCount: 10, candidatesTokenCount: 8, thoughtsTokenCount: 3 },
    { inputTokens: 10, outputTokens: 11, reasoningTokens: 3 },
  ],
] as const)("usage %j is read as %j", async (usageMetadata, usage) => {
  const { events } = await read(part({ text: "A" }), { ...end("STOP"), usageMetadata: { ...usageMetadata } });

  expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "stop", ...(usage && { usage }) });
});

test("a call that is sent again behind the end does not run twice; the same call in one answer does", async () => {
  const call = part({ functionCall: { name: "look", args: { a: 1 } } });
  const again = await read(call, end("STOP"), call, end("STOP"));
  const twice = await read(call, call, end("STOP"));

  expect(callsOf(again.events)).toHaveLength(1);
  expect(callsOf(twice.events)).toHaveLength(2);
});

test("an answer goes on behind a STOP that ends in code, however long the server takes to run it", async () => {
  const code = { executableCode: { language: "PYTHON", code: "print(6*7)" } };
  const ran = { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42" } };
  const chunks = [
    { candidates: [{ content: { parts: [code] }, finishReason: "STOP" }] },
    part(ran),
    part({ text: "It is " }),
    { candidates: [{ content: { parts: [{ text: "42." }] }, finishReason: "STOP" }] },
  ].map(event);
  const ends = chunks.map((_, n) => chunks.slice(0, n + 1).join("").length);
  const { provider } = await playGoogle({ body: chunks.join(""), splitAt: ends.slice(0, -1), packetDelayMs: 350 });

  expect(textOf((await outcome(provider.stream(request()))).events)).toBe("It is 42.");
  expect((await read(chunks[0]!, chunks[1]!)).events.at(-1)).toMatchObject({ finishReason: "stop" });
  expect((await read(...chunks.slice(0, 3))).error).toMatchObject({ code: "STREAM_BROKEN" });
});
