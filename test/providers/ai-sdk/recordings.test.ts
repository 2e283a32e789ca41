// Parts as providers of the AI SDK give them, beyond the plain ones: what the versions and the vendors behind them do.
import { APICallError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { finishPart, playParts, VERSIONS } from "./streams.js";

const TEXT = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r1", modelId: "m-1", timestamp: new Date(0) },
  { type: "raw", rawValue: { anything: 1 } },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Yes." },
  { type: "text-end", id: "0" },
];
const begin = (id: string, more: object = {}) => ({ type: "tool-input-start", id, toolName: "look", ...more });
const delta = (id: string, said: string) => ({ type: "tool-input-delta", id, delta: said });

async function play(version: string, parts: readonly unknown[], more: object = {}) {
  const { provider } = playParts(version, parts, more);
  return outcome(provider.stream(request({}, "look")));
}

function usageOf(events: readonly ProviderEvent[]) {
  return (events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>).usage;
}

for (const version of VERSIONS) {
  test(`${version}: sources, drafts of the reasoning, pings and raw chunks say nothing of the message`, async () => {
    const noise = [
      { type: "source", sourceType: "url", id: "s", url: "https://a.example" },
      { type: "reasoning-file", mediaType: "image/png", data: "aGk=" },
      { type: "ping" },
      { type: "tool-approval-request", approvalId: "a", toolCallId: "t" },
      { type: "new-part" },
    ];

    const { events, error } = await play(version, [...TEXT, ...noise, finishPart(version, "stop")]);

    expect(error).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(["message-start", "text-delta", "message-end"]);
    expect(events[0]).toEqual({ type: "message-start", id: "r1", model: "m-1" });
    expect(textOf(events)).toBe("Yes.");
  });

  test(`${version}: a call whose input streams, but that never comes itself, is what streamed`, async () => {
    const parts = [
      begin("a"),
      delta("a", '{"p":'),
      delta("a", "1}"),
      { type: "tool-input-end", id: "a" },
      begin("b"),
      delta("b", '{"p":'),
    ];

    const whole = await play(version, [...parts, finishPart(version, "tool-calls")]);
    const cut = await play(version, [begin("c"), finishPart(version, "content-filter")]);

    expect(callsOf(whole.events)).toEqual([
      { id: "a", name: "look", arguments: { p: 1 } },
      { id: "b", name: "look", arguments: {}, malformed: '{"p":' },
    ]);
    expect(callsOf(cut.events)).toEqual([{ id: "c", name: "look", arguments: {}, malformed: "" }]);
  });

  test(`${version}: an answer of a vendor that counts early is cut off when nothing says how it ended`, async () => {
    const reason = version === "v2" ? "unknown" : { unified: "other", raw: undefined };
    const end = { ...finishPart(version, "stop"), finishReason: reason };

    const chat = await play(version, [...TEXT, end]);
    const google = await play(version, [...TEXT, end], { provider: "google.generative-ai" });
    const nothing = await play(version, [...TEXT, { ...finishPart(version, "stop", 10, 0), finishReason: reason }]);

    expect(chat.events.at(-1)).toMatchObject({ type: "message-end", finishReason: "other" });
    for (const { error } of [google, nothing]) expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  });

  test(`${version}: an error in the middle says what it is about`, async () => {
    const tooLong = new Error("prompt is too long: 201000 tokens > 200000 maximum");
    const unread = new APICallError({
      message: "Invalid JSON response",
      url: "https://api.example",
      requestBodyValues: {},
      statusCode: 200,
      responseBody: "<html>",
    });
    const failed = new APICallError({
      message: "Failed to process the response",
      url: "https://api.example",
      requestBodyValues: {},
      statusCode: 200,
      responseBody: JSON.stringify({ error: { message: "Overloaded", type: "overloaded_error" } }),
    });

    for (const [error, expected] of [
      [tooLong, { code: "CONTEXT_TOO_LONG", retryable: false }],
      [unread, { code: "STREAM_BROKEN", retryable: true }],
      [failed, { code: "OVERLOADED", retryable: true }],
      [new TypeError("terminated"), { code: "STREAM_BROKEN", retryable: true }],
      [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, { code: "OVERLOADED" }],
    ] as const) {
      const inside = await play(version, [...TEXT, { type: "error", error }, finishPart(version, "error")]);
      expect(inside.error).toMatchObject(expected);
    }
    for (const [error, code] of [
      [unread, "STREAM_BROKEN"],
      [failed, "OVERLOADED"],
    ] as const) {
      const before = await play(version, [], { doStream: () => Promise.reject(error) });
      expect(before.error).toMatchObject({ code, retryable: true });
    }
  });
}

test("v4: input that streams as plain text is what the call's own part says", async () => {
  const parts = [begin("a", { inputEncoding: "text" }), delta("a", "*** Begin Patch")];

  const whole = await play("v4", [
    ...parts,
    { type: "tool-call", toolCallId: "a", toolName: "look", input: '{"patch":"*** Begin Patch"}' },
    finishPart("v4", "tool-calls"),
  ]);
  const lost = await play("v4", [...parts, finishPart("v4", "tool-calls")]);

  expect(callsOf(whole.events)).toEqual([{ id: "a", name: "look", arguments: { patch: "*** Begin Patch" } }]);
  expect(callsOf(lost.events)).toEqual([{ id: "a", name: "look", arguments: {}, malformed: "" }]);
});

test("v4: an interrupted answer without a count of its output is cut off", async () => {
  const end = { ...finishPart("v4", "stop", 10, 0), finishReason: { unified: "interrupted", raw: undefined } };

  expect((await play("v4", [...TEXT, end])).error).toMatchObject({ code: "STREAM_BROKEN" });
});

test("v2: Bedrock counts cached input beside the rest; later versions count by kind", async () => {
  const bedrock = await play("v2", [
    ...TEXT,
    {
      type: "finish",
      finishReason: "stop",
      usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 3 },
      providerMetadata: { bedrock: { usage: { cacheWriteInputTokens: 20 } } },
    },
  ]);
  const byKind = await play("v3", [
    ...TEXT,
    {
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: undefined, noCache: 5, cacheRead: 3, cacheWrite: 20 },
        outputTokens: { total: undefined, text: 2, reasoning: 4 },
        raw: {},
      },
    },
  ]);

  expect(usageOf(bedrock.events)).toEqual({
    inputTokens: 28,
    outputTokens: 2,
    cacheReadTokens: 3,
    cacheWriteTokens: 20,
  });
  expect(usageOf(byKind.events)).toEqual({
    inputTokens: 28,
    outputTokens: 6,
    cacheReadTokens: 3,
    cacheWriteTokens: 20,
    reasoningTokens: 4,
  });
});

test("a provider's own call that the turn paused at does not go back without its result", async () => {
  const search = { type: "tool-call", toolCallId: "s", toolName: "web_search", input: "{}", providerExecuted: true };
  const { provider, calls } = playParts("v4", [...TEXT, search, finishPart("v4", "other")]);
  const content: unknown[] = [];
  for (const event of (await outcome(provider.stream(request()))).events) {
    if (event.type === "text-delta") content.push({ type: "text", text: event.text });
    if (event.type === "reasoning-end" && event.providerData)
      content.push({ type: "reasoning", text: "", provider: "vendor.chat", providerData: event.providerData });
  }
  const answer = { role: "assistant", content, finishReason: "other", provider: "vendor.chat", model: "model-1" };
  const user = { role: "user", content: [{ type: "text", text: "Go on." }] };

  await outcome(provider.stream(request({ messages: [user, answer, user] as unknown as Message[] })));

  expect(content).toHaveLength(2);
  expect((calls[1] as WireBody).prompt[2].content).toEqual([{ type: "text", text: "Yes." }]);
});

test("v2: Google counts what was thought beside the output; others count it there", async () => {
  const end = (usage: object) => [...TEXT, { type: "finish", finishReason: "stop", usage }];
  const beside = await play(
    "v2",
    end({ inputTokens: 10, outputTokens: 4, reasoningTokens: 6, totalTokens: 20, cachedInputTokens: 3 }),
  );
  const inside = await play("v2", end({ inputTokens: 10, outputTokens: 10, reasoningTokens: 6, totalTokens: 20 }));

  expect(usageOf(beside.events)).toEqual({
    inputTokens: 10,
    outputTokens: 10,
    cacheReadTokens: 3,
    reasoningTokens: 6,
  });
  expect(usageOf(inside.events)).toEqual({ inputTokens: 10, outputTokens: 10, reasoningTokens: 6 });
});

test("a second response behind the beginning of the first breaks the stream; the same id again does not", async () => {
  const metadata = (id: string) => ({ type: "response-metadata", id, modelId: "m-1" });
  const again = await play("v4", [...TEXT, metadata("r2"), ...TEXT.slice(3), finishPart("v4", "stop")]);
  const twice = await play("v4", [...TEXT, metadata("r1"), finishPart("v4", "stop")]);

  expect(again.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(twice.error).toBeUndefined();
});
