import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { responseEvents, sse } from "../../../../src/testing/fault-server/index.js";
import { checkStream } from "../../../../src/testing/provider/stream-grammar.js";
import { runs } from "../../../runs.js";
import { otherServer, weather } from "../other-server.js";
import { callsOf, outcome, play, request, textOf } from "../streams.js";
import { readEvents } from "./streams.js";

const { provider: remote, ask } = otherServer({ model: "gpt-5.1", api: "responses" });

test("another implementation of the protocol is understood: text, a run with a tool, a refusal", async () => {
  const hello = await outcome(remote().stream(ask("hello")));
  const run = await new AgentEngine({ provider: remote(), tools: [weather] }).run("weather");
  const failed = await outcome(remote().stream(ask("fail")));

  expect(textOf(hello.events)).toBe("Hi there!");
  expect(hello.events.at(-1)).toMatchObject({ type: "message-end", finishReason: "stop" });
  expect(run).toMatchObject({ status: "completed", text: "It rains in Köln.", turns: 2 });
  expect(failed.error).toMatchObject({ code: "RATE_LIMITED", retryable: true });
});

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64, cache_write_tokens: 30 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 120,
};

test("reasoning, text, calls and usage of one response become events in order", async () => {
  const { events, error } = await readEvents(
    responseEvents({
      reasoning: "Hm.",
      text: "Let me look.",
      toolCalls: [{ id: "call_a", name: "read", arguments: { p: 1 } }],
      usage: USAGE,
    }),
  );

  expect(error).toBeUndefined();
  expect(events).toEqual([
    { type: "message-start", id: "resp_1", model: "fault-model" },
    { type: "reasoning-delta", text: "Hm." },
    { type: "reasoning-end", providerData: { encrypted: "ZW5jcnlwdGVk", id: "rs_1" } },
    { type: "text-delta", text: "Let me look." },
    { type: "tool-call-start", index: 0, id: "call_a", name: "read" },
    { type: "tool-call-delta", index: 0, json: '{"p":1}' },
    { type: "tool-call-end", index: 0, call: { id: "call_a", name: "read", arguments: { p: 1 } } },
    {
      type: "message-end",
      finishReason: "tool-calls",
      usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, cacheWriteTokens: 30, reasoningTokens: 8 },
    },
  ]);
});

const FINISHES = [
  ["stop", undefined, "stop"],
  ["max_output_tokens", "length", "length"],
  ["content_filter", "content_filter", "content-filter"],
] as const;

for (const [reason, finishReason, expected] of FINISHES) {
  test(`a response that ends by "${reason}" ends with ${expected}`, async () => {
    const { events } = await readEvents(responseEvents({ text: "x", ...(finishReason && { finishReason }) }));

    expect(events.at(-1)).toEqual({ type: "message-end", finishReason: expected });
  });
}

test("an unknown reason for an incomplete response is other", async () => {
  const [created] = responseEvents({});
  const end = { type: "response.incomplete", response: { incomplete_details: { reason: "strange" } } };

  expect((await readEvents([created!, end])).events.at(-1)).toMatchObject({ finishReason: "other" });
});

test("a response that is called completed, and has used its limit to the token, was cut off", async () => {
  const ends = [100, 99].map(async (output_tokens) => {
    const usage = { input_tokens: 41, output_tokens, total_tokens: 41 + output_tokens };
    const response = { status: "completed", max_output_tokens: 100, output: [], usage };
    const { events } = await readEvents([
      ...responseEvents({ text: "x" }).slice(0, -1),
      { type: "response.completed", response },
    ]);
    return events.at(-1);
  });

  expect(await Promise.all(ends)).toMatchObject([{ finishReason: "length" }, { finishReason: "stop" }]);
});

test("a call that is cut off by the output limit is malformed, never half", async () => {
  const events = responseEvents({
    toolCalls: [{ name: "write", arguments: { path: "a", content: "long" } }],
    pieceSize: 9,
  });
  const deltas = events.filter(({ type }) => type === "response.function_call_arguments.delta").slice(0, 2);
  const end = { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } };

  for (const cut of [deltas, []]) {
    const read = await readEvents([...events.slice(0, 2), ...cut, end]);

    expect(callsOf(read.events)).toEqual([
      { id: "call_1", name: "write", arguments: {}, malformed: cut.length > 0 ? '{"path":"a","conte' : "" },
    ]);
    expect(read.events.at(-1)).toMatchObject({ finishReason: "length" });
  }
});

test("a refusal of the model is text, whether it streams or not", async () => {
  const item = { id: "m", type: "message", role: "assistant", content: [] };
  const done = { ...item, content: [{ type: "refusal", refusal: "I cannot." }] };
  const added = { type: "response.output_item.added", output_index: 0, item };
  const delta = { type: "response.refusal.delta", output_index: 0, content_index: 0, item_id: "m", delta: "I cannot." };
  const end = { type: "response.completed", response: { status: "completed" } };

  for (const middle of [[added, delta], [added], []]) {
    const { events } = await readEvents([
      ...middle,
      { type: "response.output_item.done", output_index: 0, item: done },
      end,
    ]);

    expect(textOf(events)).toBe("I cannot.");
  }
});

test("parallel calls that stream interleaved arrive whole", async () => {
  const item = (n: number) => ({ id: `fc_${n}`, type: "function_call", call_id: `c${n}`, name: "read", arguments: "" });
  const added = (n: number) => ({ type: "response.output_item.added", output_index: n, item: item(n) });
  const delta = (n: number, delta: string) => ({
    type: "response.function_call_arguments.delta",
    output_index: n,
    item_id: `fc_${n}`,
    delta,
  });
  const end = { type: "response.completed", response: { status: "completed" } };

  const { events } = await readEvents([
    added(0),
    added(1),
    delta(1, '{"p"'),
    delta(0, '{"p"'),
    delta(1, ":1}"),
    delta(0, ":0}"),
    end,
  ]);

  checkStream(events);
  expect(callsOf(events)).toEqual([
    { id: "c0", name: "read", arguments: { p: 0 } },
    { id: "c1", name: "read", arguments: { p: 1 } },
  ]);
});

/** What gateways do to the events of a response, none of which may change its meaning. */
const QUIRKS: Readonly<Record<string, (events: JsonObject[]) => (JsonObject | string)[]>> = {
  "an id of its own for each event": (events) =>
    events.map((event, n) => ({
      ...event,
      ...(event.item_id !== undefined && { item_id: `x${n}` }),
      ...(event.item !== undefined && { item: { ...(event.item as JsonObject), id: `y${n}` } }),
    })),
  "no places": (events) => events.map(({ output_index: _, ...event }) => event as JsonObject),
  "no places and no ids": (events) =>
    events.map(({ output_index: _, item_id: __, ...event }) => {
      const { id: ___, ...item } = (event.item ?? {}) as JsonObject;
      return { ...event, ...(event.item !== undefined && { item }) } as JsonObject;
    }),
  "no deltas": (events) => events.filter(({ type }) => !String(type).endsWith("delta")),
  "no deltas and no parts": (events) => events.filter(({ type }) => /item|completed|created/.test(String(type))),
  "only the last event": (events) => events.slice(-1),
  "no whole output at the end": (events) => [
    ...events.slice(0, -1),
    { ...events.at(-1)!, response: { ...(events.at(-1)!.response as JsonObject), output: [] } },
  ],
  "unknown events, pings and [DONE]": (events) => [
    ...events.flatMap((event) => [{ type: "keepalive" }, event, { type: "response.strange.delta", delta: "x" }]),
    "[DONE]",
  ],
  "no announcements": (events) => events.filter(({ type }) => !String(type).endsWith("added")),
};

for (const [capability, change] of Object.entries(QUIRKS)) {
  test(`a stream with ${capability} means the same`, async () => {
    const answer = { text: "Grüße.", toolCalls: [{ name: "read", arguments: { p: 1 } }], pieceSize: 3 };

    const { events, error } = await readEvents(change(responseEvents({ ...answer, reasoning: "Hm, well." })));

    expect(error).toBeUndefined();
    expect(checkStream(events)).toMatchObject({ text: "Grüße.", finishReason: "tool-calls" });
    expect(callsOf(events)).toMatchObject([{ name: "read", arguments: { p: 1 } }]);
    const reasoning = events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join("");
    expect(reasoning).toBe("Hm, well.");
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "reasoning-end",
        providerData: expect.objectContaining({ encrypted: "ZW5jcnlwdGVk" }),
      }),
    );
  });
}

test("paragraphs of a summary are set apart, and reasoning that is also sent as text counts once", async () => {
  const place = { output_index: 0, item_id: "r" };
  const part = (n: number) => ({ type: "response.reasoning_summary_part.added", ...place, summary_index: n });
  const delta = (delta: string) => ({ type: "response.reasoning_summary_text.delta", ...place, delta });
  const item = { id: "r", type: "reasoning", summary: [] };

  const { events } = await readEvents([
    { type: "response.output_item.added", output_index: 0, item },
    part(0),
    delta("One."),
    { type: "response.reasoning_text.delta", ...place, delta: "raw" },
    part(1),
    delta("Two."),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: {} },
  ]);

  const texts = events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : []));
  expect(texts.join("")).toBe("One.\n\nTwo.");
  expect(events.filter(({ type }) => type === "reasoning-end")).toEqual([{ type: "reasoning-end" }]);
});

test("a server that does not stream is understood", async () => {
  const whole = responseEvents({ text: "Here.", toolCalls: [{ name: "read", arguments: { p: 1 } }], usage: USAGE });
  const body = JSON.stringify(whole.at(-1)!.response);
  const { provider } = await play(
    { body, headers: { "content-type": "application/json" }, splitEvery: 7 },
    { api: "responses" },
  );

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(checkStream(events)).toMatchObject({ text: "Here.", calls: [{ name: "read", arguments: { p: 1 } }] });
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 100 } });
});

test("a stream that ends without the end of its response is broken, unless the server says it is done", async () => {
  const half = responseEvents({ text: "Half", finishReason: null });

  const cut = await readEvents(half);
  const done = await readEvents([...half, "[DONE]"]);
  const empty = await readEvents([]);

  expect(cut.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(done.error).toBeUndefined();
  expect(done.events.at(-1)).toEqual({ type: "message-end", finishReason: "stop" });
  expect(empty.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
});

const ERRORS: readonly (readonly [string, JsonObject, string, boolean])[] = [
  [
    "response.failed",
    { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "Broke." } } },
    "SERVER",
    true,
  ],
  [
    "response.failed by a limit",
    { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "Try again in 2s." } } },
    "RATE_LIMITED",
    true,
  ],
  ["response.failed without a word", { type: "response.failed", response: { error: null } }, "SERVER", true],
  ["an error event", { type: "error", code: "server_error", message: "Broke.", param: null }, "SERVER", true],
  [
    "an error event with an error in it",
    { type: "error", error: { type: "invalid_request_error", code: "context_length_exceeded", message: "Too long." } },
    "CONTEXT_TOO_LONG",
    false,
  ],
  ["an error of a gateway", { error: { message: "Overloaded", code: 503 } }, "OVERLOADED", true],
];

for (const [name, event, code, retryable] of ERRORS) {
  test(`an error inside a stream counts: ${name} is ${code}`, async () => {
    for (const before of [[], responseEvents({ text: "Let me", finishReason: null })]) {
      const { events, error } = await readEvents([...before, event]);

      expect(error).toMatchObject({ code, retryable });
      expect(events.some(({ type }) => type === "message-end")).toBe(false);
    }
  });
}

test("a failed response that is one document is an error", async () => {
  const body = JSON.stringify({
    object: "response",
    status: "failed",
    error: { code: "server_error", message: "No." },
  });
  const { provider } = await play({ body }, { api: "responses" });

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "SERVER", retryable: true });
});

test("any nonsense in an event is skipped, and never breaks the grammar of the stream", async () => {
  const junk = [null, [], 7, "x", {}, { type: 7 }, { type: "response.output_item.added", item: null }].map((value) =>
    JSON.stringify(value),
  );
  const odd = ["output_item.done", "output_text.delta", "function_call_arguments.delta", "reasoning_text.delta"].map(
    (type) => JSON.stringify({ type: `response.${type}`, output_index: {}, delta: [1], item: { type: [] } }),
  );
  const end = { type: "response.completed", response: { output: [null, { type: "new" }], usage: "many" } };

  const { events, error } = await readEvents([...junk, ...odd, end]);

  expect(error).toBeUndefined();
  expect(checkStream(events)).toMatchObject({ text: "", finishReason: expect.any(String) });
});

test("the events are the same wherever the bytes are split, and cut off nothing ends early", async () => {
  const answer = { reasoning: "Ähm.", text: "Grüße 😀", toolCalls: [{ name: "read", arguments: { p: "ä" } }] };
  const body = sse(responseEvents(answer), { named: true, done: false });
  const bytes = new TextEncoder().encode(body).length;
  const stride = runs(67, 23, 1);
  const options = { api: "responses", compat: { promptCacheKey: true } } as const;
  const at = (asked: { body: unknown }) => Number((asked.body as { prompt_cache_key: string }).prompt_cache_key);
  const split = await play((asked) => ({ body, splitAt: [at(asked)] }), options);
  const cut = await play((asked) => ({ body, cutAt: at(asked) }), options);
  const whole = await outcome(split.provider.stream(request({ sessionId: "0" })));

  for (let offset = 1; offset < bytes; offset += stride) {
    const asked = () => request({ sessionId: String(offset) });
    expect(await outcome(split.provider.stream(asked())), `split at ${offset}`).toEqual(whole);
    const { events, error } = await outcome(cut.provider.stream(asked()));
    for (const call of callsOf(events)) expect(call, `cut at ${offset}`).toMatchObject({ arguments: { p: "ä" } });
    const hasEnded = events.some(({ type }) => type === "message-end");
    expect(error === undefined, `cut at ${offset}`).toBe(hasEnded);
    if (error) expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  }
});

test("what the end says beyond the deltas counts: the rest of a text, and another call", async () => {
  const place = { output_index: 0, item_id: "m", content_index: 0 };
  const call = (n: number) => ({ type: "function_call", call_id: `c${n}`, name: "read", arguments: `{"p":${n}}` });
  const content = [{ type: "output_text", text: "Hello" }];

  const { events } = await readEvents([
    { type: "response.output_text.delta", ...place, delta: "Hel" },
    { type: "response.output_item.done", output_index: 1, item: call(1) },
    { type: "response.completed", response: { output: [{ type: "message", id: "m", content }, call(1), call(2)] } },
  ]);

  expect(textOf(events)).toBe("Hello");
  expect(callsOf(events).map(({ id }) => id)).toEqual(["c1", "c2"]);
});

test.each([
  ["empty ids", ["", ""], [0, 1]],
  ["one id", ["fc", "fc"], [0, 1]],
  ["one place", ["a", "b"], [0, 0]],
  ["no ids and no places", [undefined, undefined], [undefined, undefined]],
])("calls of items with %s are told apart by their call_id", async (_what, ids, places) => {
  const calls = ["Rome", "Oslo"].flatMap((city, at): JsonObject[] => {
    const item = {
      id: ids[at],
      type: "function_call",
      call_id: `c${at}`,
      name: "weather",
      arguments: "",
    } as JsonObject;
    const [said, of] = [JSON.stringify({ city }), { item_id: ids[at], output_index: places[at] } as JsonObject];
    const again = places[at] === undefined ? [] : [{ type: "response.output_item.added", item, ...of }];
    return [
      { type: "response.output_item.added", item, ...of },
      ...again,
      { type: "response.function_call_arguments.delta", delta: said, ...of },
      { type: "response.function_call_arguments.done", arguments: said, ...of },
      { type: "response.output_item.done", item: { ...item, arguments: said }, ...of },
    ];
  });
  const completed = { id: "r", status: "completed", output: [], usage: { input_tokens: 1, output_tokens: 1 } };

  const { events, error } = await readEvents([...calls, { type: "response.completed", response: completed }]);

  expect(error).toBeUndefined();
  expect(callsOf(events)).toEqual([
    { id: "c0", name: "weather", arguments: { city: "Rome" } },
    { id: "c1", name: "weather", arguments: { city: "Oslo" } },
  ]);
});

test("arguments that come with the beginning of a call alone are its arguments", async () => {
  const item = { id: "f", type: "function_call", call_id: "c", name: "read", arguments: '{"p":1}' };
  const added = { type: "response.output_item.added", output_index: 0, item };

  const { events } = await readEvents([added, { type: "response.completed", response: {} }]);

  expect(callsOf(events)).toMatchObject([{ id: "c", name: "read", arguments: { p: 1 } }]);
});

test("text counts once where the numbers of its parts differ between events and item, as at Bedrock", async () => {
  const place = { output_index: 0, item_id: "msg_1", content_index: 1 };
  const item = { id: "msg_1", type: "message", role: "assistant" };
  const content = [{ type: "output_text", text: "Once." }];

  const { events, error } = await readEvents([
    { type: "response.created", response: { id: "resp_1", model: "gpt-oss" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_text.delta", ...place, delta: "On" },
    { type: "response.output_text.delta", ...place, delta: "ce." },
    { type: "response.output_item.done", output_index: 0, item: { ...item, content } },
    { type: "response.completed", response: { id: "resp_1", output: [{ ...item, content }] } },
  ]);

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Once.");
});
