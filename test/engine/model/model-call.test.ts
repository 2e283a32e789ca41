// One request to the model: whatever a provider does, the run ends with a typed status and a valid transcript.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type Limits,
  type ProviderAdapter,
  ProviderError,
  type ProviderEvent,
} from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { ALLOW, issuesOf, listen, ofType, PushedProvider, played, quiet, resultsOf, testEngine, tool } from "../kit.js";

const end: ProviderEvent = { type: "message-end", finishReason: "stop" };
const saying = (...events: unknown[]) => ({ events: events as ProviderEvent[] });

/** A provider that streams exactly this first, then an answer. */
function raw(...events: readonly unknown[]): ProviderAdapter {
  let turn = 0;
  return {
    id: "raw",
    model: "m",
    async *stream() {
      yield* (turn++ === 0 ? events : [{ type: "text-delta", text: "done" }, end]) as ProviderEvent[];
    },
  };
}

/** Streams no well-behaved model would send, and what becomes of them. */
const NONSENSE: Record<string, readonly unknown[]> = {
  "an event of an unknown type": [{ type: "hum" }],
  "null events": [null],
  "undefined events": [undefined],
  "strings for events": ["hello"],
  "numbers for text": [{ type: "text-delta", text: 7 }],
  "no text in a delta": [{ type: "reasoning-delta" }],
  "argument deltas of no call": [{ type: "tool-call-delta", index: 3, json: "{}" }],
  "argument deltas that are not text": [{ type: "tool-call-delta", index: 3, json: {} }],
  "an end of reasoning that never began": [{ type: "reasoning-end" }],
  "an absurd usage": [{ type: "message-end", finishReason: "stop", usage: { inputTokens: -1, outputTokens: 1e12 } }],
  "an unknown finish reason": [{ type: "message-end", finishReason: "bored" }],
  "an event that throws when read": [
    Object.defineProperty({}, "type", {
      get: () => {
        throw new Error("boom");
      },
    }),
  ],
  "a call without a name": [{ type: "tool-call-end", index: 0, call: { id: "a", arguments: {} } }],
  "a call that is null": [{ type: "tool-call-end", index: 0, call: null }],
  "a call with a number for an id": [{ type: "tool-call-end", index: 0, call: { id: 5, name: "look", arguments: {} } }],
  "arguments that are a function": [
    { type: "tool-call-end", index: 0, call: { id: "a", name: "look", arguments: () => {} } },
  ],
};

test.each(Object.keys(NONSENSE))("a model that sends %s never makes run() throw", async (what) => {
  const { engine } = testEngine([], {
    provider: raw({ type: "message-start" }, { type: "text-delta", text: "Hm." }, ...NONSENSE[what]!, end),
    tools: [tool("look", async () => "seen", { permission: "read_only" })],
    retry: false,
  });

  const result = await engine.run("go");

  expect(["completed", "failed"]).toContain(result.status);
  expect(issuesOf(result)).toEqual([]);
});

test("nonsense is skipped and told once", async () => {
  const provider = raw({ type: "hum" }, { type: "text-delta", text: "Hi." }, null, { type: "hum" }, end);
  const { engine } = testEngine([], { provider });
  const notices = listen(engine, "notice");

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "Hi." });
  expect(notices).toMatchObject([{ code: "PROVIDER_NONSENSE", message: expect.stringContaining('"hum"') }]);
});

test.each<[string, ProviderAdapter["stream"]]>([
  [
    "throws at once",
    () => {
      throw new Error("boom");
    },
  ],
  ["returns nothing", () => undefined as never],
  ["returns no iterable", () => ({}) as never],
  ["has an iterator without next", () => ({ [Symbol.asyncIterator]: () => ({}) }) as never],
  ["has a next that returns no promise", () => ({ [Symbol.asyncIterator]: () => ({ next: () => 7 }) }) as never],
  [
    "throws what is not an error",
    () => {
      throw null;
    },
  ],
  ["ends at once", async function* () {}],
  [
    "rejects",
    async function* () {
      yield end as never;
      throw new Error("boom");
    },
  ],
])("a provider whose stream %s fails the run and nothing else", async (_what, stream) => {
  const engine = new AgentEngine({ provider: { id: "odd", model: "m", stream }, retry: false });

  const result = await engine.run("go");

  expect(result.status).toBe("failed");
  expect(issuesOf(result)).toEqual([]);
});

test("a failure that can be retried is retried; consumers hear model-restart and nothing of the broken answer is kept", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, retry: { baseMs: 1, jitter: 0 } });

  const run = engine.stream("go");
  const reading = played(run);
  provider.push({ type: "text-delta", text: "Hal" });
  await quiet();
  provider.push(new ProviderError("OVERLOADED", { message: "busy", retryable: true }));
  while (provider.requests.length < 2) await quiet();
  provider.answer("Hello.");
  const { events, result } = await reading;

  expect(result).toMatchObject({ status: "completed", text: "Hello.", turns: 1 });
  expect(ofType(events, "model-restart")).toMatchObject([{ attempt: 1, delayMs: 1, error: { code: "OVERLOADED" } }]);
  expect(JSON.stringify(result.messages())).not.toContain('Hal"');
});

test("a failure that must not be retried ends the run with its error; the partial message is dropped", async () => {
  const { engine, provider } = testEngine([
    text("Partial", { error: new ProviderError("AUTH", { message: "Wrong key." }), errorAfterChunks: 1 }),
  ]);

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "failed", text: "", error: { code: "AUTH", message: "Wrong key." } });
  expect(result.messages()).toHaveLength(1);
  expect(provider.requestCount).toBe(1);
});

test("retries are bounded", async () => {
  const busy = () => new ProviderError("OVERLOADED", { message: "busy", retryable: true });
  const provider = scripted([busy], { loop: true });
  const { engine } = testEngine([], { provider, retry: { maxRetries: 2, baseMs: 1 } });

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "OVERLOADED" } });
  expect(provider.requestCount).toBe(3);
});

test("a provider that stays silent is given up after firstTokenTimeoutMs, one that falls silent after idleTimeoutMs", async () => {
  const provider = new PushedProvider();
  const engine = (limits: Limits) => new AgentEngine({ provider, retry: false, limits: { abandonMs: 5, ...limits } });

  const silent = await engine({ firstTokenTimeoutMs: 20 }).run("go");
  const run = engine({ idleTimeoutMs: 10 }).stream("go");
  await quiet();
  provider.push({ type: "text-delta", text: "…" });

  expect(silent).toMatchObject({
    status: "failed",
    error: { code: "TIMEOUT", message: expect.stringMatching(/ 20 ms.*firstTokenTimeoutMs/) },
  });
  expect(await run.result).toMatchObject({
    error: { code: "TIMEOUT", message: expect.stringMatching(/ 10 ms.*idleTimeoutMs/) },
  });
});

test("a provider that falls silent is given up after idleTimeoutMs, however long its first token may take", async () => {
  const provider = new PushedProvider();
  const limits = { firstTokenTimeoutMs: 60_000, idleTimeoutMs: 30, abandonMs: 5 };
  const run = new AgentEngine({ provider, retry: false, limits }).stream("go");
  await quiet();
  await new Promise((resolve) => setTimeout(resolve, 50)); // Longer than the silence that is allowed after it.
  provider.push({ type: "text-delta", text: "…" });

  expect(await run.result).toMatchObject({ error: { code: "TIMEOUT", message: expect.stringContaining("30 ms") } });
});

test("a response that never ends is cut off at maxResponseBytes", async () => {
  const flood: ProviderAdapter = {
    id: "flood",
    model: "m",
    async *stream() {
      for (;;) yield { type: "text-delta", text: "x".repeat(1_000) };
    },
  };
  const engine = new AgentEngine({ provider: flood, limits: { maxResponseBytes: 50_000 } });

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "RESPONSE_TOO_LARGE" } });
});

test("a call whose arguments were cut off by the output limit gets an error result, and the model may try again", async () => {
  const cut = saying(
    { type: "tool-call-start", index: 0, id: "a", name: "write" },
    { type: "tool-call-delta", index: 0, json: '{"path": "a", "content": "half' },
    { type: "message-end", finishReason: "length" },
  );
  let written = 0;
  const { engine } = testEngine([cut, text("done")], {
    tools: [
      tool("write", async () => {
        written++;
        return "ok";
      }),
    ],
  });
  const ends = listen(engine, "tool-call-end");

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(ends[0]!.result).toMatchObject({ status: "failure", details: { code: "TOOL_INPUT_MALFORMED" } });
  expect(resultsOf(result).a!.output).toContain("half");
  expect(written).toBe(0);
});

test("calls are run because the message holds them, whatever the finish reason says", async () => {
  const look = tool("look", async () => "seen", { permission: "read_only" });
  for (const finishReason of ["stop", "length", "other", "content-filter", "error"] as const) {
    const { engine, provider } = testEngine([{ toolCalls: [{ name: "look" }], finishReason }, text("done")], {
      tools: [look],
    });

    expect(await engine.run("go")).toMatchObject({ status: "completed", text: "done" });
    expect(provider.requests[1]!.lastToolResult).toMatchObject({ output: "seen" });
  }
});

test("message order is the order in which calls began, not that in which they ended", async () => {
  const provider = new PushedProvider();
  const look = tool("look", async () => "seen", { permission: "read_only" });
  const engine = new AgentEngine({ provider, tools: [look] });

  const run = engine.stream("go");
  provider.push({ type: "tool-call-start", index: 0, id: "a", name: "look" });
  provider.push({ type: "tool-call-start", index: 1, id: "b", name: "look" });
  provider.call(1, { id: "b", name: "look", arguments: { n: 2 } });
  provider.call(0, { id: "a", name: "look", arguments: { n: 1 } });
  provider.end();
  provider.answer("done");

  expect(Object.keys(resultsOf(await run.result))).toEqual(["a", "b"]);
});

test("an abort while the model streams keeps the text so far and the complete calls, each answered", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, permissions: ALLOW, tools: [tool("act", async () => "ok")] });

  const run = engine.stream("go");
  provider.push({ type: "text-delta", text: "I will" });
  provider.call(0, { id: "a", name: "act", arguments: {} });
  provider.push({ type: "tool-call-start", index: 1, id: "b", name: "act" });
  await quiet();
  run.abort("enough");
  const result = await run.result;

  expect(result).toMatchObject({ status: "aborted", text: "I will" });
  expect(result.messages().slice(1)).toMatchObject([
    { role: "assistant", finishReason: "aborted", content: [{ text: "I will" }, { id: "a" }] },
    { role: "tool", content: [{ toolCallId: "a", isError: true }] },
  ]);
  expect(issuesOf(result)).toEqual([]);
});

test("usage is estimated and marked so when the provider reports none", async () => {
  const { engine } = testEngine([text("Hello there.", { usage: "none" })]);

  const { usage } = await engine.run("A question of some length?");

  expect(usage).toMatchObject({ estimated: true });
  expect(usage.inputTokens).toBeGreaterThan(5);
  expect(usage.outputTokens).toBeGreaterThan(2);
});

test("each request without a report counts with all that it sends: system prompt, tools and every message", async () => {
  const inputSchema = { type: "object", properties: { path: { type: "string", description: "Where. ".repeat(200) } } };
  const read = tool("read", async () => "line ".repeat(100), {
    permission: "read_only",
    definition: () => ({ name: "read", description: "Reads.", inputSchema, outputSchema: { ...inputSchema } }) as never,
  });
  const turns = (_request: unknown, index: number) => [toolCall("read", { index }), { usage: "none" as const }];
  const provider = scripted([turns as never], { loop: true });
  const { engine } = testEngine([], {
    provider,
    tools: [read],
    systemPrompt: "Be brief. ".repeat(200),
    limits: { maxTokens: 12_000 },
  });
  const uses = listen(engine, "model-call-end");

  const result = await engine.run("go");

  const sent = provider.requests.map(({ system, tools, messages }) => {
    const read = tools.map(({ outputSchema: _none, ...rest }) => rest);
    return JSON.stringify([system, read, messages.map(({ content }) => content)]).length / 4;
  });
  expect(result).toMatchObject({ status: "budget-exceeded", usage: { estimated: true } });
  expect(uses.length).toBeGreaterThan(4);
  for (const [at, { usage }] of uses.entries()) {
    expect(usage.inputTokens / sent[at]!).toBeGreaterThan(0.9);
    expect(usage.inputTokens / sent[at]!).toBeLessThan(1.1);
  }
});

test("arguments full of traps reach the tool as plain data", async () => {
  const args = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "s": "\\ud800", "big": ""}');
  args.big = "x".repeat(5_000_000);
  const seen: Record<string, unknown>[] = [];
  const { engine } = testEngine([toolCall("look", args), text("done")], {
    tools: [
      tool("look", async (input) => {
        seen.push(input);
        return "ok";
      }),
    ],
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(Object.keys(seen[0]!)).toEqual(["__proto__", "constructor", "s", "big"]);
  expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
  expect((seen[0] as { admin?: boolean }).admin).toBeUndefined();
  expect(seen[0]!.s).toBe("\ud800");
});

test("arguments 10,000 levels deep get an error result instead of a stack overflow", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level++) deep = [deep];
  const call = { id: "a", name: "look", arguments: deep };
  const { engine } = testEngine([saying({ type: "tool-call-end", index: 0, call }, end), text("done")], {
    tools: [tool("look", async () => "ok")],
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(resultsOf(result).a!.output).toContain("nested deeper");
});

test("a provider that changes what it handed out changes nothing any more", async () => {
  const args = { path: "a" };
  const { engine } = testEngine([toolCall("look", args), text("done")], {
    tools: [
      tool("look", async () => {
        args.path = "changed";
        return "ok";
      }),
    ],
  });

  expect(JSON.stringify((await engine.run("go")).messages())).not.toContain("changed");
});

test("reasoning is kept with its provider and its opaque data", async () => {
  const { engine } = testEngine([
    saying(
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning-delta", text: "m." },
      { type: "reasoning-end", providerData: { signature: "s" } },
      { type: "text-delta", text: "Yes." },
      end,
    ),
  ]);

  const result = await engine.run("go");

  expect(result.messages()[1]!.content).toEqual([
    { type: "reasoning", text: "Hmm.", provider: "scripted", providerData: { signature: "s" } },
    { type: "text", text: "Yes." },
  ]);
});

test("what a request hands out is frozen, so that a provider that keeps it cannot change the session", async () => {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, tools: [tool("look", async () => "x", { permission: "read_only" })] });

  const run = engine.stream("go");
  await quiet();
  provider.call(0, { id: "a", name: "look", arguments: { list: [1] } });
  provider.end();
  await quiet();
  provider.answer("done");
  await run.result;

  const seen: object[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    seen.push(value);
    Object.values(value).forEach(walk);
  };
  provider.requests[1]!.messages.forEach(walk);
  expect(seen.length).toBeGreaterThan(8);
  expect(seen.filter((value) => !Object.isFrozen(value))).toEqual([]);
});

test.each([
  ["an abort", {}],
  ["a deadline", { deadlineMs: 50 }],
])("a provider that never waits does not keep %s from ending the run", async (_what, limits) => {
  let deltas = 0;
  const provider: ProviderAdapter = {
    id: "endless",
    model: "m",
    async *stream() {
      yield { type: "message-start" };
      // Ends by itself, so that a run that cannot be ended fails this test rather than hanging it.
      while (deltas++ < 3_000_000) yield { type: "text-delta", text: "x" };
    },
  };
  const run = new AgentEngine({ provider, limits }).stream("go");
  if (!("deadlineMs" in limits)) setTimeout(() => run.abort(), 50);

  const { status } = await run.result;

  expect(status).toBe("deadlineMs" in limits ? "deadline" : "aborted");
});

test("arguments that refer to themselves, or share their parts without end, are answered as malformed", async () => {
  const self: Record<string, unknown> = {};
  self.a = self;
  self.b = self;
  const trap = new Proxy({}, { ownKeys: () => expect.unreachable("looked at") });
  for (const args of [self, trap]) {
    const calls: readonly ProviderEvent[] = [
      { type: "message-start" },
      { type: "tool-call-end", index: 0, call: { id: "a", name: "t", arguments: args as never } },
      { type: "message-end", finishReason: "tool-calls", usage: { inputTokens: 1, outputTokens: 1 } },
    ];
    let asked = 0;
    const ends: readonly ProviderEvent[] = [
      calls[0]!,
      { type: "text-delta", text: "Done." },
      { type: "message-end", finishReason: "stop" },
    ];
    const provider: ProviderAdapter = {
      id: "p",
      model: "m",
      async *stream() {
        yield* asked++ === 0 ? calls : ends;
      },
    };
    const result = await new AgentEngine({ provider, tools: [tool("t", async () => "ran")] }).run("go");

    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(Object.values(resultsOf(result))).toMatchObject([{ isError: true }]);
  }
});

test.each([
  ["its call", { type: "tool-call-end", index: 0 }],
  ["its call's arguments", { type: "tool-call-end", index: 0, call: { id: "a", name: "look" } }],
])("a tool-call-end without %s never runs the tool without the arguments that streamed", async (_what, brokenEnd) => {
  const seen: unknown[] = [];
  const look = tool("look", async (input) => String(seen.push(input)), { permission: "read_only" });
  const { engine } = testEngine([], {
    provider: raw(
      { type: "tool-call-start", index: 0, id: "a", name: "look" },
      { type: "tool-call-delta", index: 0, json: '{"path":"a.ts"' },
      brokenEnd,
      { type: "message-end", finishReason: "tool-calls" },
    ),
    tools: [look],
    retry: false,
  });

  const result = await engine.run("go");

  expect(seen).toEqual([]);
  expect(resultsOf(result)).toMatchObject({ a: { isError: true } });
});
