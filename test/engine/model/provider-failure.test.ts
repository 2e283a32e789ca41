import { AgentEngine, type ProviderAdapter, ProviderError, type ProviderEvent } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { describe, expect, test } from "vitest";
import { asProviderFailure } from "../../../src/engine/model/provider-failure.js";

const TOO_LONG: readonly (readonly [what: string, thrown: unknown])[] = [
  ["a plain Error", new Error("prompt is too long: 210000 tokens > 200000 maximum")],
  ["a code in the message", new Error("400 prompt_too_long")],
  ["too many tokens", new Error("Too many tokens in this request")],
  ["a code of its own", Object.assign(new Error("Bad request"), { code: "context_length_exceeded" })],
  ["a body inside", Object.assign(new Error("400"), { status: 400, error: { error: { type: "prompt_too_long" } } })],
  [
    "a body as text",
    Object.assign(new Error("API call failed"), { responseBody: '{"code":"context_length_exceeded"}' }),
  ],
  ["a cause", new Error("request failed", { cause: new Error("maximum context length is 8192 tokens") })],
  ["HTTP 413", Object.assign(new Error("Payload Too Large"), { status: 413 })],
  ["an object", { error: { message: "input tokens exceed the limit" } }],
  ["a string", "This model's maximum context length is 4096 tokens"],
  ["an adapter's own BAD_REQUEST", new ProviderError("BAD_REQUEST", { message: "prompt is too long" })],
];

const SOMETHING_ELSE: readonly (readonly [what: string, thrown: unknown, code: string])[] = [
  ["a network failure", new Error("fetch failed"), "PROVIDER_FAILED"],
  ["a throttle", Object.assign(new Error("Too many tokens, please wait"), { status: 429 }), "PROVIDER_FAILED"],
  ["a rate", Object.assign(new Error("tokens per minute exceeded"), { status: 413 }), "PROVIDER_FAILED"],
  ["a refusal that says nothing", new ProviderError("BAD_REQUEST", { message: "no" }), "BAD_REQUEST"],
  ["an error of ours", new ProviderError("SERVER", { message: "prompt is too long" }), "SERVER"],
  ["nothing", undefined, "PROVIDER_FAILED"],
];

describe("what a provider throws", () => {
  test.each(TOO_LONG)("%s is recognised as too long", (_what, thrown) => {
    expect(asProviderFailure(thrown, "mine")).toMatchObject({ code: "CONTEXT_TOO_LONG" });
  });

  test.each(SOMETHING_ELSE)("%s is not", (_what, thrown, code) => {
    expect(asProviderFailure(thrown, "mine")).toMatchObject({ code });
  });

  test("a value that throws when it is read is a failure like any other", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );

    expect(asProviderFailure(hostile, "mine")).toMatchObject({ code: "PROVIDER_FAILED" });
  });

  test("errors that point at each other end", () => {
    const first = new Error("a");
    const second = new Error("b", { cause: first });
    first.cause = second;

    expect(asProviderFailure(first, "mine")).toMatchObject({ code: "PROVIDER_FAILED" });
  });
});

test.each(TOO_LONG)(
  "a run goes on after %s: the view is made smaller and the model asked again",
  async (_what, thrown) => {
    let calls = 0;
    const provider: ProviderAdapter = {
      id: "mine",
      model: "m",
      async *stream({ messages }): AsyncGenerator<ProviderEvent> {
        calls++;
        if (JSON.stringify(messages).length > 40_000) throw thrown;
        yield { type: "message-start" };
        yield { type: "text-delta", text: "Done." };
        yield { type: "message-end", finishReason: "stop" };
      },
    };
    const engine = new AgentEngine({ provider, compaction: createCompactionPipeline() });
    const history = Array.from({ length: 40 }, (_, turn) => [
      { role: "user" as const, content: [{ type: "text" as const, text: `Question ${turn}: ${"word ".repeat(150)}` }] },
      {
        role: "assistant" as const,
        content: [{ type: "text" as const, text: `Reply ${turn}: ${"word ".repeat(150)}` }],
        finishReason: "stop" as const,
        provider: "mine",
        model: "m",
      },
    ]).flat();

    const result = await engine.run("And now?", { history });

    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(calls).toBe(2);
  },
);
