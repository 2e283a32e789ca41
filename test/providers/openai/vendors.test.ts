// What real vendors send, and want back.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { AssistantPart, Message } from "../../../src/contracts/message.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { readUsage } from "../../../src/providers/openai/usage.js";
import { chatChunks, type FaultReply, sse } from "../../../src/testing/fault-server/index.js";
import { checkStream } from "../../../src/testing/provider/stream-grammar.js";
import { callsOf, outcome, play, request, textOf } from "./streams.js";

const HELLO: FaultReply = { body: sse(chatChunks({ text: "Hello." })) };

const chunk = (delta: object | null, finish_reason: string | null = null, rest: object = {}): JsonObject =>
  ({ choices: [{ index: 0, delta, finish_reason, ...rest }] }) as JsonObject;

async function read(chunks: (JsonObject | string)[], options = {}) {
  const { provider } = await play({ body: sse(chunks, options) });
  return outcome(provider.stream(request()));
}

const reasoningOf = (events: readonly { type: string; text?: string }[]) =>
  events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join("");

const look = defineTool({
  name: "look",
  description: "Looks.",
  permission: "read_only",
  input: { type: "object" },
  execute: async () => "seen",
});

test("Kimi's call ids go back as they came, also when it counts from zero again", async () => {
  const call = { body: sse(chatChunks({ toolCalls: [{ id: "functions.look:0", name: "look", arguments: {} }] })) };
  const { provider, server } = await play([call, call, HELLO], { id: "kimi" });

  const result = await new AgentEngine({ provider, tools: [look] }).run("go");

  expect(result.status).toBe("completed");
  const { messages } = server.requests[2]!.body as {
    messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
  };
  expect(messages.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? [])).toEqual(
    Array(2).fill("functions.look:0"),
  );
  expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(Array(2).fill("functions.look:0"));
});

const history = (provider: string, parts: AssistantPart[], id = "call_1"): Message[] => [
  { role: "user", content: [{ type: "text", text: "Go." }] },
  {
    role: "assistant",
    content: [...parts, { type: "tool-call", id, name: "look", arguments: {} }],
    finishReason: "tool-calls",
    provider,
    model: "m",
  },
  { role: "tool", content: [{ type: "tool-result", toolCallId: id, name: "look", output: "seen", isError: false }] },
];

test("another provider's ids are worded so that every server takes them", async () => {
  const { provider, server } = await play(HELLO, { id: "openai" });

  await outcome(provider.stream(request({ messages: history("kimi", [], "functions.look:0") }, "look")));

  const { messages } = server.requests[0]!.body as {
    messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
  };
  const [{ id }] = messages[2]!.tool_calls as [{ id: string }];
  expect(id).toMatch(/^[\w-]{1,40}$/);
  expect(messages[3]!.tool_call_id).toBe(id);
});

test("Mistral gets ids of nine letters and digits, once it has asked for them or is known to", async () => {
  const message = "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.";
  const refusal = { status: 400, body: JSON.stringify({ object: "error", message, code: "3280" }) };
  const { provider, server } = await play([refusal, HELLO]);

  const { error } = await outcome(provider.stream(request({ messages: history("openai", []) }, "look")));

  expect(error).toBeUndefined();
  expect(server.requests).toHaveLength(2);
  const { messages } = server.requests[1]!.body as {
    messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
  };
  expect(messages[2]!.tool_calls![0]!.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(messages[3]!.tool_call_id).toBe(messages[2]!.tool_calls![0]!.id);
});

test("thinking that came as a part of Mistral's content goes back as one", async () => {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }], closed: true };
  const first = sse([
    chunk({ content: [thinking] }),
    chunk({ content: [{ type: "text", text: "Yes." }] }),
    ...chatChunks({ toolCalls: [{ name: "look", arguments: {} }] }).slice(1),
  ]);
  const { provider, server } = await play([{ body: first }, HELLO], { id: "mistral" });

  await new AgentEngine({ provider, tools: [look] }).run("go");

  const { messages } = server.requests[1]!.body as { messages: { content: unknown }[] };
  expect(messages.at(-2)!.content).toEqual([
    { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    { type: "text", text: "Yes." },
  ]);
});

for (const message of [
  "Invalid value for 'messages[1].content': expected a string, got null.",
  "messages.1.content: Input should be a valid string",
  "[{'type': 'none_required', 'loc': ('body', 'messages', 1, 'content'), 'msg': 'none is not an allowed value'}]",
  "Failed to parse messages: missing 'content'; content must be a string, not null",
]) {
  test(`a server that refuses null content gets an empty string: "${message.slice(0, 40)}…"`, async () => {
    const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
    const { provider, server } = await play([refusal, HELLO]);
    const asked = request({ messages: history("openai", []) }, "look");

    expect((await outcome(provider.stream(asked))).error).toBeUndefined();

    const contents = server.requests.map(
      ({ body }) => (body as { messages: { content: unknown }[] }).messages[2]!.content,
    );
    expect(contents).toEqual([null, ""]);
  });
}

test("a refusal that no capability of ours has to do with is not asked for again", async () => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message: "messages.0.content: got null" } }) };
  const { provider, server } = await play(refusal);

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "BAD_REQUEST" });
  expect(server.requests).toHaveLength(1);
});

test("a stream without a finish reason is whole when [DONE] or a last usage says so", async () => {
  const said = chatChunks({ text: "Hello.", finishReason: null });
  const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } };
  const counted = said.map((one) => ({ ...one, usage: { prompt_tokens: 3, completion_tokens: 2 } }));

  const done = await read(said);
  const used = await read([...said, usage], { done: false });
  const call = await read(chatChunks({ toolCalls: [{ name: "look", arguments: {} }], finishReason: null }));
  const cut = await read(said, { done: false });
  const alwaysCounted = await read(counted, { done: false });
  const nothing = await read([]);

  expect(done.events.at(-1)).toEqual({ type: "message-end", finishReason: "stop" });
  expect(used.events.at(-1)).toMatchObject({ finishReason: "stop", usage: { inputTokens: 3 } });
  expect(call.events.at(-1)).toMatchObject({ finishReason: "tool-calls" });
  for (const { error } of [cut, alwaysCounted, nothing]) expect(error).toMatchObject({ code: "STREAM_BROKEN" });
});

test("a document without a finish reason is whole", async () => {
  const body = JSON.stringify({ choices: [{ message: { role: "assistant", content: "Here." } }] });
  const { provider } = await play({ body, headers: { "content-type": "application/json" } });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(checkStream(events)).toMatchObject({ text: "Here.", finishReason: "stop" });
});

test("an empty delta beside the message does not hide it", async () => {
  const calls = [{ id: "a", function: { name: "look", arguments: '{"p":1}' } }];
  const message = { role: "assistant", content: "Here.", tool_calls: calls };

  for (const delta of [{}, { role: "assistant", content: "" }, { content: null }]) {
    const { events } = await read([chunk(delta, "tool_calls", { message })]);

    expect(textOf(events)).toBe("Here.");
    expect(callsOf(events)).toMatchObject([{ id: "a", arguments: { p: 1 } }]);
  }
});

test("reasoning that is only in details is reasoning, and goes back as details", async () => {
  const detail = (text: string) => ({ type: "reasoning.text", text, format: "unknown", index: 0 });
  const only = await read([
    chunk({ reasoning_details: [detail("Let me ")] }),
    chunk({ reasoning_details: [detail("see.")], content: "" }),
    chunk({ content: "Yes." }, "stop"),
  ]);
  const both = await read([
    chunk({ reasoning: "Let me ", reasoning_details: [detail("Let me ")] }),
    chunk({ reasoning: "see.", reasoning_details: [detail("see.")] }),
    chunk({ content: "Yes.", reasoning_details: [{ type: "reasoning.encrypted", data: "c2Vj", index: 1 }] }, "stop"),
  ]);
  const summary = await read([
    chunk({ reasoning_details: [{ type: "reasoning.summary", summary: "Hm.", index: 0 }] }),
    chunk({ content: "Yes." }, "stop"),
  ]);

  expect([only, both, summary].map(({ events }) => reasoningOf(events))).toEqual(["Let me see.", "Let me see.", "Hm."]);
  expect(only.events).toContainEqual({ type: "reasoning-end", providerData: { details: [detail("Let me see.")] } });
});

const USAGES: readonly (readonly [string, object, object])[] = [
  [
    "reasoning beyond the completion",
    { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 20 } },
    { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
  ],
  [
    "reasoning beyond the completion, with a total",
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 35, completion_tokens_details: { reasoning_tokens: 20 } },
    { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
  ],
  [
    "a token more of reasoning than of output, with a total",
    { prompt_tokens: 10, completion_tokens: 60, total_tokens: 71, completion_tokens_details: { reasoning_tokens: 61 } },
    { inputTokens: 10, outputTokens: 61, reasoningTokens: 61 },
  ],
  [
    "a token more of reasoning than of output, which the total leaves out",
    { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70, completion_tokens_details: { reasoning_tokens: 61 } },
    { inputTokens: 10, outputTokens: 61, reasoningTokens: 61 },
  ],
  [
    "thinking in the total alone",
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 },
    { inputTokens: 10, outputTokens: 105, reasoningTokens: 100 },
  ],
  [
    "a cache beyond the prompt",
    { prompt_tokens: 4142, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4328 } },
    { inputTokens: 8470, outputTokens: 1, cacheReadTokens: 4328 },
  ],
  [
    "reasoning at the top",
    { prompt_tokens: 10, completion_tokens: 30, reasoning_tokens: 20, total_tokens: 40 },
    { inputTokens: 10, outputTokens: 30, reasoningTokens: 20 },
  ],
  [
    "no reasoning at all",
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, completion_tokens_details: { reasoning_tokens: 0 } },
    { inputTokens: 10, outputTokens: 5, reasoningTokens: 0 },
  ],
  [
    "a total that is too small",
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 5 },
    { inputTokens: 10, outputTokens: 5 },
  ],
  [
    "a cache that was read and written beside the prompt, which the total includes",
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      cache_creation_input_tokens: 60,
      cache_read_input_tokens: 40,
    },
    { inputTokens: 110, outputTokens: 5, cacheReadTokens: 40, cacheWriteTokens: 60 },
  ],
  [
    "writes beside the prompt",
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 75, cache_creation_input_tokens: 60 },
    { inputTokens: 70, outputTokens: 5, cacheWriteTokens: 60 },
  ],
  [
    "Anthropic's names among the details",
    {
      prompt_tokens: 300,
      completion_tokens: 5,
      total_tokens: 305,
      prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 200 },
    },
    { inputTokens: 300, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 200 },
  ],
  [
    "a prompt that came from the cache whole",
    { prompt_tokens: 0, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 100 } },
    { inputTokens: 100, outputTokens: 5, cacheReadTokens: 100 },
  ],
  [
    "the names of the other API",
    {
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, reasoningTokens: 2 },
  ],
  [
    "a field of zeros beside the one that counts",
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      input_tokens: 0,
      output_tokens: 0,
      prompt_cache_hit_tokens: 64,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    { inputTokens: 100, outputTokens: 5, cacheReadTokens: 64 },
  ],
  ["no output", { prompt_tokens: 9, total_tokens: 9 }, { inputTokens: 9, outputTokens: 0 }],
  [
    "more cache writes than input",
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 90 } },
    { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 6 },
  ],
];

for (const [what, said, expected] of USAGES) {
  test(`usage with ${what} adds up`, () => {
    expect(readUsage(said)).toEqual(expected);
  });
}

test("thoughts that Vercel's gateway leaves out of output and total are in the total it passes on", async () => {
  const outputs = [18, 180].map(async (completion) => {
    const google = { usageMetadata: { thoughtsTokenCount: 76, totalTokenCount: 57 + completion + 76 } };
    const usage = {
      prompt_tokens: 57,
      completion_tokens: completion,
      total_tokens: 57 + completion,
      completion_tokens_details: { reasoning_tokens: 76 },
    };
    const last = { ...chunk({ provider_metadata: { gateway: { cost: "0.001" }, google } }, "stop"), usage };
    return (await read([chunk({ role: "assistant" }), chunk({ content: "Yes." }), last])).events.at(-1);
  });

  expect(await Promise.all(outputs)).toMatchObject([
    { usage: { inputTokens: 57, outputTokens: 94, reasoningTokens: 76 } },
    { usage: { inputTokens: 57, outputTokens: 256, reasoningTokens: 76 } },
  ]);
});

test("what llama.cpp's cache held of the prompt stands beside the usage", async () => {
  const usage = { prompt_tokens: 139, completion_tokens: 41, total_tokens: 180 };
  const last = { choices: [], usage, timings: { cache_n: 138, prompt_n: 1, predicted_n: 41 } };

  const { events } = await read([chunk({ content: "Yes." }, "stop"), last]);

  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 139, outputTokens: 41, cacheReadTokens: 138 } });
});

test("usage of a response adds up, whatever is counted beside what", () => {
  const said = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 9 },
  };

  expect(readUsage(said)).toEqual({
    inputTokens: 40,
    outputTokens: 14,
    cacheReadTokens: 30,
    reasoningTokens: 9,
  });
  expect(readUsage({ input_tokens: 0, output_tokens: 0 })).toBeUndefined();
});

test("a call that Google's model wrote so that nobody can read it is a failed server", async () => {
  const { error } = await read([chunk({ content: "" }, "function_call_filter: MALFORMED_FUNCTION_CALL")]);

  expect(error).toMatchObject({ code: "SERVER", retryable: true });
});

test("what names the answer may come after a chunk that is about the prompt alone", async () => {
  const about = { choices: [], id: "", model: "", object: "", prompt_filter_results: [] };
  const named = { id: "chatcmpl-9", model: "gpt-4.1" };

  const { events } = await read([
    about,
    { ...named, ...chunk({ content: "Hi." }) },
    { ...named, ...chunk({}, "stop") },
  ]);

  expect(events[0]).toEqual({ type: "message-start", ...named });
});

test("what the model says aloud is its text, and its sound is kept whole", async () => {
  const [whole, samples] = ["RIFF\0\0\0\0WAVEfmt ", "\u0001\u0002\u0003\u0004\u0005"].map((text) => Buffer.from(text));
  const spoken = (sound: Buffer) => [
    chunk({ audio: { id: "audio_1", transcript: "Fix " } }),
    ...[sound.subarray(0, 2), sound.subarray(2)].map((piece) => chunk({ audio: { data: piece.toString("base64") } })),
    chunk({ audio: { transcript: "it.", expires_at: 1 } }),
    chunk({}, "stop"),
  ];

  for (const [sound, mediaType] of [
    [whole!, "audio/wav"],
    [samples!, "audio/pcm"],
  ] as const) {
    const { text, media } = checkStream((await read(spoken(sound))).events);

    expect(text).toBe("Fix it.");
    expect(media).toEqual([{ type: "file", mediaType, data: sound.toString("base64") }]);
  }
});

test("an answer that was cut at its limit is no failure, although OpenRouter says so behind it", async () => {
  const limit = { error: { code: 400, message: "Token limit reached" } };
  const end = { ...chunk({ content: "" }), ...limit, usage: { prompt_tokens: 43, completion_tokens: 10 } };

  const { events } = await read([chunk({ content: "We" }, "length"), end]);
  const broken = await read([chunk({ content: "We" }), { ...chunk({ content: "" }), ...limit }]);

  expect(events.at(-1)).toEqual({
    type: "message-end",
    finishReason: "length",
    usage: { inputTokens: 43, outputTokens: 10 },
  });
  expect(broken.error).toMatchObject({ code: "BAD_REQUEST" });
});

test("a finish reason with every chunk does not end the answer early, and late usage is counted", async () => {
  const usage = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } } as unknown as JsonObject;
  const chunks = [chunk({ content: "a" }, "stop"), chunk({ content: "b" }, "stop"), usage].map((said) =>
    sse([said], { done: false }),
  );
  const { provider } = await play({
    body: chunks.join(""),
    splitAt: [chunks[0]!.length, chunks[0]!.length + chunks[1]!.length],
    packetDelayMs: 400,
    end: "stall",
  });

  const { events } = await outcome(provider.stream(request()));

  expect(textOf(events)).toBe("ab");
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 9, outputTokens: 2 } });
});
