import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import { playAnthropic } from "./streams.js";

async function read(events: readonly JsonObject[] | string, ...tools: string[]) {
  const body = typeof events === "string" ? events : namedSse(events);
  const { provider } = await playAnthropic({ body });
  return outcome(provider.stream(request({}, ...tools)));
}

const START = anthropicEvents({ text: "x", stopReason: null })[0]!;
const end = (stop_reason: string, usage: JsonObject = { output_tokens: 3 }): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason }, usage },
  { type: "message_stop" },
];
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

test("thinking, text and calls arrive in order, each in its own event", async () => {
  const { events } = await read(
    anthropicEvents({
      thinking: "Hm.",
      signature: "c2ln",
      text: "Yes.",
      toolCalls: [{ name: "look", arguments: { a: 1 } }],
    }),
  );

  expect(events).toEqual([
    { type: "message-start", id: "msg_1", model: "fault-model" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end", providerData: { by: "anthropic/claude-opus-5", signature: "c2ln" } },
    { type: "text-delta", text: "Yes." },
    { type: "tool-call-start", index: 0, id: "toolu_1", name: "look" },
    { type: "tool-call-delta", index: 0, json: '{"a":1}' },
    { type: "tool-call-end", index: 0, call: { id: "toolu_1", name: "look", arguments: { a: 1 } } },
    {
      type: "message-end",
      finishReason: "tool-calls",
      usage: { inputTokens: 25, outputTokens: 12, cacheReadTokens: 0, cacheWriteTokens: 0 },
    },
  ]);
});

test.each([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["tool_use", "tool-calls"],
  ["refusal", "content-filter"],
  ["pause_turn", "pause"],
  ["compaction", "pause"],
  ["model_context_window_exceeded", "length"],
  ["something_new", "other"],
])("the stop reason %s means %s", async (stopReason, finishReason) => {
  const { events } = await read(anthropicEvents({ text: "A", stopReason }));

  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason });
});

test("usage counts what was cached, and a later count replaces an earlier one unless it is missing", async () => {
  const usage = {
    input_tokens: 0,
    output_tokens: 40,
    cache_read_input_tokens: 70,
    output_tokens_details: { thinking_tokens: 30 },
  };
  const { events } = await read([START, ...block(0, { type: "text", text: "" }), ...end("end_turn", usage)]);

  expect(events.at(-1)).toMatchObject({
    usage: { inputTokens: 95, outputTokens: 40, cacheReadTokens: 70, cacheWriteTokens: 0, reasoningTokens: 30 },
  });
});

test("a call that was cut off before its arguments is malformed; one that needs none is not", async () => {
  const call = block(
    0,
    { type: "tool_use", id: "a", name: "look", input: {} },
    { type: "input_json_delta", partial_json: "" },
  );
  const cut = await read([START, ...call, ...end("max_tokens")]);
  const whole = await read([START, ...call, ...end("tool_use")]);
  const half = await read([
    START,
    ...block(
      0,
      { type: "tool_use", id: "a", name: "look", input: {} },
      { type: "input_json_delta", partial_json: '{"p": "sr' },
    ),
    ...end("max_tokens"),
  ]);

  expect(callsOf(cut.events)[0]).toEqual({ id: "a", name: "look", arguments: {}, malformed: "" });
  expect(callsOf(whole.events)[0]).toEqual({ id: "a", name: "look", arguments: {} });
  expect(callsOf(half.events)[0]).toMatchObject({ malformed: '{"p": "sr' });
});

test("arguments that come with the start of a call count, and ids that repeat are distinguished", async () => {
  const { events } = await read([
    START,
    ...block(0, { type: "tool_use", id: "same", name: "look", input: { a: 1 } }),
    ...block(1, { type: "tool_use", id: "same", name: "look", input: { b: 2 } }),
    ...block(2, { type: "tool_use", name: "look", input: {} }),
    ...end("tool_use"),
  ]);

  expect(callsOf(events)).toEqual([
    { id: "same", name: "look", arguments: { a: 1 } },
    { id: "same_1", name: "look", arguments: { b: 2 } },
    { id: "call_2", name: "look", arguments: {} },
  ]);
});

test("calls whose pieces are interleaved come out whole", async () => {
  const piece = (index: number, partial_json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const { events } = await read([
    START,
    { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "x", input: {} } },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "b", name: "y", input: {} } },
    piece(0, '{"n"'),
    piece(1, '{"m":'),
    piece(0, ":1}"),
    piece(1, "2}"),
    ...end("tool_use"),
  ]);

  expect(callsOf(events).map((call) => call.arguments)).toEqual([{ n: 1 }, { m: 2 }]);
});

test("blocks of the server's own tools are kept to go back unread", async () => {
  const result = {
    type: "web_search_tool_result",
    tool_use_id: "srv",
    content: [{ type: "web_search_result", url: "https://a.example" }],
  };
  const { events } = await read([
    START,
    ...block(
      0,
      { type: "server_tool_use", id: "srv", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":"x"}' },
    ),
    ...block(1, result),
    ...block(2, { type: "text", text: "Found." }),
    ...end("end_turn"),
  ]);

  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData] : []));
  expect(kept).toEqual([
    {
      by: "anthropic/claude-opus-5",
      block: { type: "server_tool_use", id: "srv", name: "web_search", input: { query: "x" } },
      serverWork: true,
    },
    { by: "anthropic/claude-opus-5", block: result, serverWork: true },
  ]);
  expect(textOf(events)).toBe("Found.");
});

test("unknown events, fields, deltas and comments are skipped", async () => {
  const events = anthropicEvents({ text: "Yes." });
  events.splice(
    2,
    0,
    { type: "news", index: 9 },
    { type: "content_block_delta", index: 7, delta: { type: "odd_delta" } },
  );
  const { events: readEvents, error } = await read(`: hello\n\n${namedSse(events)}data: null\n\n`);

  expect(error).toBeUndefined();
  expect(textOf(readEvents)).toBe("Yes.");
});

test("a server that leaves out the frame of the message is read all the same", async () => {
  const { events, error } = await read([
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Yes." } },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
  ]);

  expect(error).toBeUndefined();
  expect(events.map(({ type }) => type)).toEqual(["message-start", "text-delta", "message-end"]);
});

test("a message that comes as one document is read", async () => {
  const message = {
    id: "msg_9",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "text", text: "Yes." },
      { type: "tool_use", id: "a", name: "look", input: { b: 1 } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 5, output_tokens: 7 },
  };
  const { provider } = await playAnthropic({
    body: JSON.stringify(message),
    headers: { "content-type": "application/json" },
  });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Yes.");
  expect(callsOf(events)).toEqual([{ id: "a", name: "look", arguments: { b: 1 } }]);
  expect(events.at(-1)).toEqual({
    type: "message-end",
    finishReason: "tool-calls",
    usage: { inputTokens: 5, outputTokens: 7 },
  });
});

test("the end is known once the stop reason has come, although the connection is lost after it", async () => {
  const body = namedSse(anthropicEvents({ text: "Yes." }).slice(0, -1));
  const { provider } = await playAnthropic({ body, end: "reset" });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "stop" });
});

test("a message that is sent again after its end is not read twice", async () => {
  const events = anthropicEvents({ text: "Yes.", toolCalls: [{ name: "look", arguments: { a: 1 } }] });

  const once = await read(events);
  const twice = await read([...events, ...events]);

  expect(twice).toEqual(once);
});

test("a start that holds the whole message says why it stopped", async () => {
  const message = { ...(START.message as JsonObject), content: [{ type: "text", text: "Once" }] };
  const { events } = await read([
    { ...START, message: { ...message, stop_reason: "max_tokens" } },
    { type: "message_stop" },
  ]);

  expect(textOf(events)).toBe("Once");
  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "length" });
});

test("[DONE] in the middle of a block is not the end of the message", async () => {
  const said = [START, ...block(0, { type: "tool_use", id: "toolu_1", name: "look", input: {} }).slice(0, -1)];
  const whole = [START, ...block(0, { type: "text", text: "Yes." })];

  const cut = await read(`${namedSse(said)}data: [DONE]\n\n`, "look");

  expect(callsOf(cut.events)).toEqual([]);
  expect(cut.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect((await read(`${namedSse(whole)}data: [DONE]\n\n`)).error).toBeUndefined();
});

test("a message that begins again in the middle of a stream breaks it; a start that is only said twice does not", async () => {
  const said = (text: string) => block(0, { type: "text", text: "" }, { type: "text_delta", text });
  const again = await read([START, ...said("Once"), START, ...said("Once"), ...end("end_turn")]);
  const twice = await read([START, START, ...said("Once"), ...end("end_turn")]);

  expect(again.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect((again.error as Error).message).toContain("began its message again");
  expect(textOf(again.events)).toBe("Once");
  expect(twice).toMatchObject({ error: undefined });
});
