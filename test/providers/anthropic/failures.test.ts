import { expect, test, vi } from "vitest";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { outcome, request, textOf } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { playAnthropic } from "./streams.js";

const JSON_HEADERS = { "content-type": "application/json" };
const refusal = (status: number, type: string, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }),
});

test.each([
  [401, "authentication_error", "invalid x-api-key", "AUTH", false],
  [403, "permission_error", "Your API key does not have permission.", "AUTH", false],
  [404, "not_found_error", "model: claude-none", "BAD_REQUEST", false],
  [413, "request_too_large", "Request exceeds the maximum size", "CONTEXT_TOO_LONG", false],
  [429, "rate_limit_error", "Number of request tokens has exceeded your per-minute rate limit", "RATE_LIMITED", true],
  [500, "api_error", "Internal server error", "SERVER", true],
  [529, "overloaded_error", "Overloaded", "OVERLOADED", true],
  [400, "invalid_request_error", "prompt is too long: 201000 tokens > 200000 maximum", "CONTEXT_TOO_LONG", false],
  [
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "CONTEXT_TOO_LONG",
    false,
  ],
])("%i %s: %s is %s", async (status, type, message, code, retryable) => {
  const { provider } = await playAnthropic(refusal(status, type, message, { "retry-after": "7" }));

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code, retryable, status, retryAfterMs: 7_000 });
});

test.each([
  ["overloaded_error", "Overloaded", "OVERLOADED", true],
  ["rate_limit_error", "slow down", "RATE_LIMITED", true],
  ["api_error", "Internal server error", "SERVER", true],
  ["invalid_request_error", "bad", "BAD_REQUEST", false],
])("an error %s inside a stream is %s", async (type, message, expected, code, retryable = code) => {
  const head = namedSse(anthropicEvents({ text: "Let me", stopReason: null }));
  const body = `${head}event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message } })}\n\n`;
  const { provider } = await playAnthropic({ body });

  const { events, error } = await outcome(provider.stream(request()));

  expect(textOf(events)).toBe("Let me");
  expect(error).toMatchObject({ code: expected, retryable });
});

test("a stream without a stop reason is broken, and nothing in it has ended", async () => {
  const { provider } = await playAnthropic({ body: namedSse(anthropicEvents({ text: "Let me", stopReason: null })) });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(events.some(({ type }) => type === "message-end")).toBe(false);
});

test.each([
  [
    "the output limit",
    "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-x",
    { model: "claude-x" },
    {},
    (body: WireBody) => expect(body.max_tokens).toBe(8192),
  ],
  [
    "adaptive thinking",
    "adaptive thinking is not supported on this model",
    { model: "claude-x" },
    { reasoning: "low" as const },
    (body: WireBody) => expect(body.thinking).toEqual({ type: "enabled", budget_tokens: 2_048 }),
  ],
  [
    "a budget",
    "thinking.type.enabled: not supported for this model. Use thinking.type.adaptive.",
    { model: "claude-sonnet-4-5" },
    { reasoning: "low" as const },
    (body: WireBody) => expect(body.thinking).toMatchObject({ type: "adaptive" }),
  ],
  [
    "a temperature",
    "`temperature` is deprecated for this model.",
    { model: "claude-x" },
    { temperature: 1 },
    (body: WireBody) => expect(body.temperature).toBeUndefined(),
  ],
  [
    "an output format",
    "output_config.format: Extra inputs are not permitted",
    { model: "claude-x" },
    { output: { type: "object" } },
    (body: WireBody) => expect(body.tools[0].name).toBe("structured_output"),
  ],
  [
    "cache breakpoints",
    "system.0.cache_control: Extra inputs are not permitted",
    { model: "claude-x" },
    {},
    (body: WireBody) => expect(JSON.stringify(body)).not.toContain("cache_control"),
  ],
] as const)(
  "a model that refuses %s is asked again without it, and from then on",
  async (_what, message, options, overrides, check) => {
    const { provider, server } = await playAnthropic(
      (_asked, index) =>
        index === 0
          ? refusal(400, "invalid_request_error", message)
          : { body: namedSse(anthropicEvents({ text: "Yes." })) },
      options,
    );

    expect((await outcome(provider.stream(request(overrides)))).error).toBeUndefined();
    expect((await outcome(provider.stream(request(overrides)))).error).toBeUndefined();

    expect(server.requests).toHaveLength(3);
    check(server.requests[1]!.body as WireBody);
    check(server.requests[2]!.body as WireBody);
  },
);

test("signatures that the server does not take are left out", async () => {
  const message = "messages.1.content.0: Invalid `signature` in `thinking` block";
  const { provider, server } = await playAnthropic((asked) =>
    asked.text.includes('"signature"')
      ? refusal(400, "invalid_request_error", message)
      : { body: namedSse(anthropicEvents({ text: "Yes." })) },
  );
  const reasoning = {
    type: "reasoning" as const,
    text: "Hm.",
    provider: "anthropic",
    providerData: { signature: "old" },
  };
  const messages = [
    { role: "user" as const, content: [{ type: "text" as const, text: "go" }] },
    {
      role: "assistant" as const,
      content: [reasoning, { type: "text" as const, text: "A" }],
      finishReason: "stop" as const,
      provider: "anthropic",
      model: "claude-opus-5",
    },
    { role: "user" as const, content: [{ type: "text" as const, text: "on" }] },
  ];

  const { error } = await outcome(provider.stream(request({ messages })));

  expect(error).toBeUndefined();
  expect(server.requests).toHaveLength(2);
});

test("aborting closes the connection, and throws the signal's reason", async () => {
  const { provider, server } = await playAnthropic({
    body: namedSse(anthropicEvents({ text: "Let me", stopReason: null })),
    end: "stall",
  });
  const controller = new AbortController();
  const reason = new Error("enough");
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of provider.stream(request({ signal: controller.signal }))) {
      seen.push(event.type);
      if (event.type === "text-delta") controller.abort(reason);
    }
  })();

  await expect(reading).rejects.toBe(reason);
  expect(await server.requests[0]!.left).toBe(true);
});

test("a refusal never repeats the key", async () => {
  const key = "sk-ant-api03-very-secret-key";
  const { provider } = await playAnthropic(refusal(401, "authentication_error", `invalid key ${key}`), { apiKey: key });

  const { error } = await outcome(provider.stream(request()));

  expect(JSON.stringify([error, String(error)])).not.toContain("very-secret");
});

test("wrong options are refused by name", () => {
  const attempt = (options: object) => () => anthropic({ model: "m", apiKey: "k", ...options } as never);

  expect(attempt({ maxTokens: 5 })).toThrow(/has no option "maxTokens"/);
  expect(attempt({ cache: "2h" })).toThrow(/"cache"/);
  expect(attempt({ thinking: { type: "enabled", budget_tokens: 5 } })).toThrow(/"thinking"/);
  expect(attempt({ client: {} })).toThrow(/messages\.create/);
  expect(attempt({ baseURL: "ftp://x" })).toThrow(/"baseURL"/);
});

test("without a key it says where one may come from, and a server of one's own needs none", () => {
  vi.stubEnv("ANTHROPIC_API_KEY", undefined);
  vi.stubEnv("ANTHROPIC_BASE_URL", undefined);
  expect(() => anthropic({ model: "m" })).toThrow(/ANTHROPIC_API_KEY/);
  expect(anthropic({ model: "m", baseURL: "http://localhost:1" }).id).toBe("anthropic");
  expect(anthropic({ model: "m", headers: { Authorization: "Bearer x" } }).model).toBe("m");
});
