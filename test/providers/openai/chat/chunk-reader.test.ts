import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { chatChunks, sse } from "../../../../src/testing/fault-server/index.js";
import { otherServer, weather } from "../other-server.js";
import { callsOf, outcome, play, request, textOf } from "../streams.js";

const { provider: remote, ask } = otherServer({ model: "gpt-4o" });

test("another implementation of the protocol is understood: text and usage", async () => {
  const { events } = await outcome(remote().stream(ask("hello")));

  expect(textOf(events)).toBe("Hi there!");
  expect(events.at(-1)).toMatchObject({
    type: "message-end",
    finishReason: "stop",
    usage: { inputTokens: expect.any(Number) },
  });
});

test("another implementation of the protocol is understood: a run with a tool", async () => {
  const result = await new AgentEngine({ provider: remote(), tools: [weather] }).run("weather");

  expect(result).toMatchObject({ status: "completed", text: "It rains in Köln.", turns: 2 });
});

test("another implementation of the protocol is understood: a refusal", async () => {
  expect((await outcome(remote().stream(ask("fail")))).error).toMatchObject({ code: "RATE_LIMITED", retryable: true });
});

const chunk = (delta: object | null, finish_reason: string | null = null, rest: object = {}): JsonObject =>
  ({ choices: [{ index: 0, delta, finish_reason, ...rest }] }) as JsonObject;

async function eventsOf(chunks: JsonObject[], options = {}) {
  const { provider } = await play({ body: sse(chunks, options) });
  const { events, error } = await outcome(provider.stream(request()));
  expect(error).toBeUndefined();
  return events;
}

test("odd but harmless chunks change nothing", async () => {
  const events = await eventsOf(
    [
      { choices: [], prompt_filter_results: [] },
      chunk(null),
      chunk({ role: "assistant", content: null, refusal: null, tool_calls: null }),
      chunk({ content: "A", unknown: { deep: [1] } }, ""),
      { choices: [{ index: 1, delta: { content: "other" }, finish_reason: "stop" }] } as never,
      chunk({ content: "B" }, "null"),
      { object: "ping" },
      { ...chunk({}, null, { error: {} }), error: { code: "", message: "" } },
      chunk({}, "stop"),
    ],
    { done: false, comment: "keep-alive", newline: "\r\n" },
  );

  expect(events).toEqual([
    { type: "message-start" },
    { type: "text-delta", text: "A" },
    { type: "text-delta", text: "B" },
    { type: "message-end", finishReason: "stop" },
  ]);
});

test("a refusal of the model is text", async () => {
  expect(textOf(await eventsOf([chunk({ refusal: "I cannot." }), chunk({}, "stop")]))).toBe("I cannot.");
});

for (const field of ["reasoning_content", "reasoning"]) {
  test(`reasoning in "${field}" ends when the answer begins, and says how it came`, async () => {
    const events = await eventsOf([
      chunk({ [field]: "Hm" }),
      chunk({ [field]: "m." }),
      chunk({ content: "Yes." }),
      chunk({}, "stop"),
    ]);

    expect(events.slice(1, -1)).toEqual([
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning-delta", text: "m." },
      { type: "reasoning-end", providerData: { field } },
      { type: "text-delta", text: "Yes." },
    ]);
  });
}

test("reasoning that comes under both names counts once", async () => {
  const events = await eventsOf([
    chunk({ reasoning: "Hm.", reasoning_content: "Hm." }),
    chunk({ content: "Yes." }, "stop"),
  ]);

  expect(events.filter((event) => event.type === "reasoning-delta")).toEqual([
    { type: "reasoning-delta", text: "Hm." },
  ]);
});

test("content in parts is read: thinking and text", async () => {
  const events = await eventsOf([
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
    chunk({ content: [{ type: "text", text: "Yes." }] }, "stop"),
  ]);

  expect(events.slice(1, -1).map((event) => ("text" in event ? event.text : event.type))).toEqual([
    "Hm.",
    "reasoning-end",
    "Yes.",
  ]);
});

test.each<[where: string, delta: object]>([
  ["Copilot's field", { reasoning_text: "Hm." }],
  ["a field of Anthropic's name", { thinking: "Hm." }],
  ["an object", { reasoning: { content: "Hm." } }],
  ["LiteLLM's blocks", { thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }] }],
  ["blocks that repeat a field", { reasoning_content: "Hm.", thinking_blocks: [{ thinking: "Hm." }] }],
  ["a part with a summary", { content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }] }],
  ["a part with its text", { content: { type: "reasoning", text: "Hm." } }],
])("reasoning is found in %s", async (_where, delta) => {
  const events = await eventsOf([
    chunk(delta),
    chunk({ content: ["Yes", { type: "text", text: "." }] }),
    chunk({}, "stop"),
  ]);

  expect(events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : [])).join("")).toBe("Hm.");
  expect(textOf(events)).toBe("Yes.");
});

test("a last chunk that repeats the whole message adds nothing to its deltas", async () => {
  const calls = [{ index: 0, id: "a", function: { name: "read", arguments: "{}" } }];
  const whole = { message: { content: "AB", tool_calls: calls } };
  for (const delta of [null, {}]) {
    const events = await eventsOf([
      chunk({ content: "A" }),
      chunk({ content: "B" }),
      chunk({ tool_calls: calls }),
      chunk(delta, "stop", whole),
    ]);

    expect(textOf(events)).toBe("AB");
    expect(callsOf(events)).toHaveLength(1);
  }
});

test("an answer that comes in messages instead of deltas is read", async () => {
  const events = await eventsOf([
    chunk(null, null, { message: { content: "A" } }),
    chunk(null, "stop", { message: { content: "B" } }),
  ]);

  expect(textOf(events)).toBe("AB");
});

test("a server that does not stream is understood", async () => {
  const message = {
    role: "assistant",
    content: "Here.",
    tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } }],
  };
  const answer = {
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  };
  for (const body of [JSON.stringify(answer), JSON.stringify(answer, null, 2)]) {
    const { provider } = await play({ body, headers: { "content-type": "application/json" }, splitEvery: 7 });

    const { events, error } = await outcome(provider.stream(request()));

    expect(error).toBeUndefined();
    expect(textOf(events)).toBe("Here.");
    expect(callsOf(events)).toEqual([{ id: "a", name: "read", arguments: { p: 1 } }]);
    expect(events.at(-1)).toMatchObject({ finishReason: "tool-calls", usage: { inputTokens: 3, outputTokens: 2 } });
  }
});

test("an answer whose calls are a choice of their own has them", async () => {
  const call = { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } };
  const choice = (index: number, message: object) => ({ index, message, finish_reason: "tool_calls" });
  const split = { choices: [choice(0, { content: "Let me see." }), choice(1, { tool_calls: [call] })] };
  const other = { choices: [choice(0, { tool_calls: [call] }), choice(1, { content: "x", tool_calls: [call] })] };

  for (const [answer, text] of [
    [split, "Let me see."],
    [other, ""],
  ] as const) {
    const { provider } = await play({ body: JSON.stringify(answer) });
    const { events } = await outcome(provider.stream(request()));

    expect(textOf(events)).toBe(text);
    expect(callsOf(events)).toEqual([{ id: "a", name: "read", arguments: { p: 1 } }]);
  }
});

test("a call in the words of the time before tools is a call", async () => {
  const events = await eventsOf([
    chunk({ function_call: { name: "read", arguments: "" } }),
    chunk({ function_call: { arguments: '{"p":' } }),
    chunk({ function_call: { arguments: "1}" } }),
    chunk({}, "function_call"),
  ]);

  expect(callsOf(events)).toMatchObject([{ name: "read", arguments: { p: 1 } }]);
});

const FINISHES: Record<string, string> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  eos: "stop",
  EOS_TOKEN: "stop",
  endTurn: "stop",
  finished: "stop",
  normal: "stop",
  model_length: "length",
  "max-tokens": "length",
  token_limit: "length",
  ERROR_LIMIT: "length",
  repetition_truncation: "length",
  toolUse: "tool-calls",
  sensitive: "content-filter",
  "content-filtered": "content-filter",
  ERROR_TOXIC: "content-filter",
  "content_filter: PROHIBITED_CONTENT": "content-filter",
  strange: "other",
};

for (const [reason, expected] of Object.entries(FINISHES)) {
  test(`the finish reason "${reason}" means ${expected}`, async () => {
    expect((await eventsOf([chunk({ content: "x" }, reason)])).at(-1)).toMatchObject({ finishReason: expected });
  });
}

test("calls that end with stop are tool calls all the same", async () => {
  const events = await eventsOf(chatChunks({ toolCalls: [{ name: "read", arguments: {} }], finishReason: "stop" }));

  expect(callsOf(events)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ finishReason: "tool-calls" });
});

const USAGES: readonly (readonly [string, object, object | undefined])[] = [
  [
    "OpenAI",
    {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    },
    { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, reasoningTokens: 8 },
  ],
  [
    "DeepSeek",
    { usage: { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 10 } },
    { inputTokens: 100, outputTokens: 20, cacheReadTokens: 10 },
  ],
  [
    "Moonshot, in the choice",
    { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 7, completion_tokens: 3, cached_tokens: 2 } }] },
    { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 },
  ],
  ["Groq", { x_groq: { usage: { prompt_tokens: 7, completion_tokens: 3 } } }, { inputTokens: 7, outputTokens: 3 }],
  [
    "xAI, with reasoning beside the output",
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    },
    { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
  ],
  ["nobody", {}, undefined],
  ["a server that counts nothing", { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, undefined],
  ["a server that counts nonsense", { usage: { prompt_tokens: -1, completion_tokens: "many" } }, undefined],
];

for (const [server, said, expected] of USAGES) {
  test(`usage as sent by ${server} is read`, async () => {
    const end = (await eventsOf([chunk({ content: "x" }, "stop"), said as JsonObject])).at(-1)!;

    expect(end).toEqual({ type: "message-end", finishReason: "stop", ...(expected && { usage: expected }) });
  });
}

test.each([
  [1002, "rate limit", { code: "RATE_LIMITED", retryable: true }],
  [1004, "login fail: no key was sent", { code: "AUTH", retryable: false }],
  [1008, "insufficient balance", { code: "RATE_LIMITED", retryable: false }],
  [1026, "input new_sensitive", { code: "CONTENT_FILTERED", retryable: false }],
  [2013, "invalid params, no such tool", { code: "BAD_REQUEST", retryable: false }],
  [2013, "invalid params, context window exceeds limit", { code: "CONTEXT_TOO_LONG", retryable: false }],
])("a server's own status %i beside no choices is its failure: %s", async (status_code, status_msg, expected) => {
  const said = JSON.stringify({ id: "", choices: null, base_resp: { status_code, status_msg } });
  const { provider } = await play({ body: said, headers: { "content-type": "application/json" } });

  expect((await outcome(provider.stream(request()))).error).toMatchObject(expected);
});

test("a server's own status of success is not a failure", async () => {
  const events = await eventsOf([
    { ...chunk({ content: "Hi." }, "stop"), base_resp: { status_code: 0, status_msg: "" } },
  ]);

  expect(textOf(events)).toBe("Hi.");
});

const opening = chunk({ role: "assistant", content: "" });
const pieces = (...texts: string[]) => texts.map((content) => chunk({ content }));

test("a message that begins again under one id is passed on: it may be what the model has said", async () => {
  const said = pieces("I", " am", " a", " long", " story, and nobody reads me to the end.");
  const events = await eventsOf([opening, ...said, opening, ...said, chunk({}, "stop")]);

  expect(textOf(events)).toBe([...said, ...said].map(contentOf).join(""));
});

test("another message in the middle of one breaks the stream, and is not taken behind it", async () => {
  const named = (id: string) => (one: JsonObject) => ({ id, ...one });
  const first = [opening, ...pieces("Once upon", " a time")].map(named("a"));
  const other = [opening, ...pieces("There was"), chunk({}, "stop")].map(named("b"));
  const mixed = [opening, ...pieces("Once", " upon"), opening, ...pieces(" a time."), chunk({}, "stop")];

  const { provider } = await play({ body: sse([...first, ...other]) });
  const { error } = await outcome(provider.stream(request()));
  const behind = await eventsOf([...first, named("a")(chunk({}, "stop")), ...other]);
  const ownIds = await eventsOf(mixed.map((one, at) => named(`id-${at}`)(one)));

  expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect([behind, ownIds].map(textOf)).toEqual(["Once upon a time", "Once upon a time."]);
});

test("a message that repeats itself is not taken for one that begins again", async () => {
  const named = (text: string) => chunk({ role: "assistant", content: text });
  const streams: readonly JsonObject[][] = [
    [opening, ...pieces("Ha", " ", "Ha", " "), ...pieces("Ha", " ")],
    [opening, ...pieces("One. "), opening, ...pieces("Two.")],
    [opening, ...pieces("One. ", "Two. "), opening, ...pieces("One. ", "More.")],
    [named("Ha"), named("Ha"), named("Ha")],
    [opening, ...pieces("Ok"), opening, ...pieces("Okay, go on.")],
    [opening, ...pieces("One. ", "Two. "), opening],
  ];

  for (const stream of streams) {
    const events = await eventsOf([...stream, chunk({}, "stop")]);
    expect(textOf(events)).toBe(stream.map(contentOf).join(""));
  }
  const open = await eventsOf([opening, ...pieces("One. "), opening]);
  expect(textOf(open)).toBe("One. ");
});

function contentOf({ choices }: JsonObject): string {
  const [choice] = choices as unknown as [{ delta: { content?: string } }];
  return choice.delta.content ?? "";
}

test("a whole answer that Google has marked as thought is the answer", async () => {
  const thought = chunk({ content: "It is noon.", extra_content: { google: { thought: true } } });

  expect(textOf(await eventsOf([thought, chunk({}, "stop")]))).toBe("It is noon.");
  expect(textOf(await eventsOf([thought, chunk({ content: "Noon." }), chunk({}, "stop")]))).toBe("Noon.");
});
