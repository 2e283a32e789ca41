import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AgentEngine } from "../../../src/engine/engine.js";
import { createPrices, withFallback, withRetry } from "../../../src/providers/index.js";
import { openai } from "../../../src/providers/openai/index.js";
import { chatChunks, createFaultServer, sse } from "../../../src/testing/fault-server/index.js";
import { providerContract } from "../../../src/testing/index.js";
import { checkStream } from "../../../src/testing/provider/stream-grammar.js";
import { outcome, request, textOf } from "../openai/streams.js";
import { failing, playing, said } from "../playing.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

test("the next provider answers when the first one fails, and the switch is announced", async () => {
  const provider = withFallback([playing("a", [failing("OVERLOADED")]), playing("b", said("From b."))]);

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(checkStream(events).text).toBe("From b.");
  expect(events.slice(0, 2)).toEqual([
    { type: "restart", attempt: 1, delayMs: 0, error: expect.objectContaining({ code: "OVERLOADED" }) },
    { type: "message-start", by: { id: "b", model: "b-model" } },
  ]);
});

test("a message that breaks in the middle is begun again by the next provider, and nothing is doubled", async () => {
  const half = [{ type: "message-start" }, { type: "text-delta", text: "Half" }, failing("STREAM_BROKEN")] as const;
  const provider = withFallback([playing("a", half), playing("b", said("Whole."))]);

  const { events } = await outcome(provider.stream(request()));

  expect(textOf(events)).toBe("Whole.");
});

test("a provider that failed is left out for a while, and then preferred again", async () => {
  const a = playing("a", [failing("SERVER")], said("a"));
  const b = playing("b", said("b"));
  const provider = withFallback([a, b], { backAfterMs: 1_000 });
  const ask = async () => textOf((await outcome(provider.stream(request()))).events);

  const answers = [await ask(), await ask()];
  vi.advanceTimersByTime(999);
  answers.push(await ask());
  vi.advanceTimersByTime(1);
  answers.push(await ask(), await ask());

  expect(answers).toEqual(["b", "b", "b", "a", "a"]);
  expect(a.requests).toHaveLength(3);
});

test("a provider that says when to come back is left out until then", async () => {
  const a = playing("a", [failing("RATE_LIMITED", 90_000)], said("a"));
  const provider = withFallback([a, playing("b", said("b"))], { backAfterMs: 1_000 });
  const ask = async () => textOf((await outcome(provider.stream(request()))).events);

  await ask();
  vi.advanceTimersByTime(89_999);
  expect(await ask()).toBe("b");
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe("a");
});

test("when every provider has failed the last error is thrown, each having been asked once", async () => {
  const [a, b] = [playing("a", [failing("SERVER")]), playing("b", [failing("RATE_LIMITED", undefined, false)])];
  const provider = withFallback([a, b]);

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "RATE_LIMITED" });
  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: expect.any(String) });
  expect([a.requests.length, b.requests.length]).toEqual([2, 2]);
});

test("failures that another provider would repeat are thrown, unless the host says otherwise", async () => {
  for (const code of ["BAD_REQUEST", "CONTEXT_TOO_LONG", "AUTH", "CONTENT_FILTERED"] as const) {
    const b = playing("b", said("b"));
    const own = (options = {}) => withFallback([playing("a", [failing(code, undefined, false)]), b], options);

    expect((await outcome(own().stream(request()))).error).toMatchObject({ code });
    expect(b.requests).toHaveLength(0);
    expect(textOf((await outcome(own({ on: [code] }).stream(request()))).events)).toBe("b");
    expect(textOf((await outcome(own({ on: () => true }).stream(request()))).events)).toBe("b");
  }
});

test("an abort is not a failure: nobody else is asked", async () => {
  const b = playing("b", said("b"));
  const provider = withFallback([playing("a", "stall"), b], { on: () => true });
  const controller = new AbortController();
  const reading = outcome(provider.stream(request({ signal: controller.signal })));
  await Promise.resolve();

  controller.abort("enough");

  expect((await reading).error).toBe("enough");
  expect(b.requests).toHaveLength(0);
});

test("windows are the smallest, prices those of the provider that answers", () => {
  const prices = createPrices({ "a-model": { inputUsd: 1, outputUsd: 0 } });
  const other = createPrices({ "b-model": { inputUsd: 5, outputUsd: 0 } });
  const provider = withFallback([
    { ...playing("a"), contextWindow: 100, maxOutputTokens: 10, prices },
    { ...playing("b"), contextWindow: 50, prices: other },
    playing("c"),
  ]);
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };

  expect(provider).toMatchObject({ id: "a", model: "a-model", contextWindow: 50, maxOutputTokens: 10 });
  expect(provider.prices!({ provider: "b", model: "b-model" }, usage)).toBe(5);
  expect(provider.prices!({ provider: "c", model: "c-model" }, usage)).toBeNull();
});

test("in an engine, messages are recorded and priced as those of the provider that wrote them", async () => {
  vi.useRealTimers();
  await using down = await createFaultServer({ status: 503 });
  await using up = await createFaultServer({
    body: sse(chatChunks({ text: "Hello.", usage: { prompt_tokens: 1_000_000, completion_tokens: 0 } })),
  });
  const provider = withFallback([
    openai({ id: "first", model: "m", apiKey: "k", baseURL: down.url }),
    openai({ id: "mistral", model: "codestral-2508", apiKey: "k", baseURL: up.url }),
  ]);
  const engine = new AgentEngine({ provider, retry: { baseMs: 1 } });

  const result = await engine.run("Hi.");

  expect(result).toMatchObject({ status: "completed", text: "Hello.", costUsd: 0.3 });
  expect(result.messages().at(-1)).toMatchObject({ provider: "mistral", model: "codestral-2508" });
  expect(down.requests).toHaveLength(1);
});

test("withRetry around it asks all of them again; inside of it each is asked again by itself", async () => {
  vi.useRealTimers();
  const make = () => [playing("a", [failing("SERVER")]), playing("b", [failing("SERVER")], said("b"))] as const;
  const [a, b] = make();
  const around = withRetry(withFallback([a, b], { backAfterMs: 0 }), { baseMs: 0 });
  const [c, d] = make();
  const inside = withFallback([withRetry(c, { baseMs: 0, maxRetries: 1 }), withRetry(d, { baseMs: 0, maxRetries: 1 })]);

  expect(textOf((await outcome(around.stream(request()))).events)).toBe("b");
  expect([a.requests.length, b.requests.length]).toEqual([2, 2]);
  expect(textOf((await outcome(inside.stream(request()))).events)).toBe("b");
  expect([c.requests.length, d.requests.length]).toEqual([2, 2]);
});

test("a provider whose silence or half a message the retries around it give up is left out, too", async () => {
  vi.useRealTimers();
  for (const play of ["stall", [{ type: "message-start" }, { type: "text-delta", text: "Half" }]] as const) {
    const [a, b] = [playing("a", play), playing("b", said("b"))];
    const provider = withRetry(withFallback([a, b]), { baseMs: 0, firstTokenTimeoutMs: 20, maxRetries: 1 });

    const { events, error } = await outcome(provider.stream(request()));

    expect([error, textOf(events)]).toEqual([undefined, "b"]);
    expect([a.requests.length, b.requests.length]).toEqual([1, 1]);
  }
});

test("a run that is aborted while it is retried says nothing about its provider", async () => {
  vi.useRealTimers();
  const a = playing("a", "stall", said("a"));
  const provider = withFallback([a, playing("b", said("b"))], { on: () => true });
  const engine = new AgentEngine({ provider });
  const run = engine.stream("Hi.");
  for await (const event of run) if (event.type === "model-call-start") break;
  await run.idle;

  expect((await engine.run("Hi.")).text).toBe("a");
});

test("wrong options are refused by name", () => {
  const a = playing("a");

  for (const [providers, options] of [
    [[], {}],
    [[{}], {}],
    [a, {}],
    [[a], { onn: [] }],
    [[a], { on: "SERVER" }],
    [[a], { on: ["RATE_LIMIT"] }],
    [[a], { on: ["toString"] }],
  ]) {
    expect(() => withFallback(providers as never, options as never)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID" }),
    );
  }
});

for (const c of providerContract(async (scenario) => {
  vi.useRealTimers();
  const events =
    scenario.kind === "answer"
      ? [
          { type: "message-start" as const },
          { type: "text-delta" as const, text: scenario.text },
          ...scenario.toolCalls.map((call, index) => ({
            type: "tool-call-end" as const,
            index,
            call: { id: `c${index}`, ...call },
          })),
          {
            type: "message-end" as const,
            finishReason: scenario.toolCalls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
          },
        ]
      : [];
  const last =
    scenario.kind === "answer"
      ? playing("b", events)
      : scenario.kind === "refuse"
        ? playing("b", [failing(scenario.code, undefined, ["RATE_LIMITED", "SERVER"].includes(scenario.code))])
        : scenario.kind === "break"
          ? playing("b", [{ type: "message-start" }, { type: "text-delta", text: "x" }, failing("STREAM_BROKEN")])
          : undefined;
  return withFallback([playing("a", [failing("SERVER")]), last ?? stalling()]);
})) {
  test(`behind a provider that fails, ${c.name}`, c.run);
}

function stalling() {
  const provider = playing("b", "stall");
  return {
    ...provider,
    async *stream(asked: Parameters<typeof provider.stream>[0]) {
      yield { type: "message-start" as const };
      yield { type: "text-delta" as const, text: "Let me think" };
      asked.signal.throwIfAborted();
      await new Promise((_, reject) => {
        asked.signal.addEventListener("abort", () => reject(asked.signal.reason), { once: true });
      });
    },
  };
}
