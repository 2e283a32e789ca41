import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { google } from "../../../src/providers/google/index.js";
import { outcome, request } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { googleSse, playGoogle } from "./streams.js";

const refusal = (code: number, status: string, message: string, details: JsonObject[] = []) => ({
  status: code,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error: { code, message, status, details } }),
});
const retryIn = (retryDelay: string): JsonObject => ({
  "@type": "type.googleapis.com/google.rpc.RetryInfo",
  retryDelay,
});
const quota = (quotaId: string): JsonObject => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaMetric: "generate_content_free_tier_requests", quotaId }],
});
const QUOTA = "You exceeded your current quota, please check your plan and billing details. Please retry in 48.9s.";

test.each([
  [
    refusal(429, "RESOURCE_EXHAUSTED", QUOTA, [quota("GenerateRequestsPerMinutePerProjectPerModel"), retryIn("48s")]),
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 48_000 },
  ],
  [
    refusal(429, "RESOURCE_EXHAUSTED", QUOTA, [
      quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
      retryIn("12s"),
    ]),
    { code: "RATE_LIMITED", retryable: false },
  ],
  [
    refusal(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    { code: "RATE_LIMITED", retryable: true },
  ],
  [
    refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    { code: "AUTH", retryable: false },
  ],
  [refusal(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers."), { code: "AUTH", retryable: false }],
  [
    refusal(404, "NOT_FOUND", "models/gemini-x is not found for API version v1beta"),
    { code: "BAD_REQUEST", retryable: false },
  ],
  [
    refusal(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    { code: "CONTEXT_TOO_LONG", retryable: false },
  ],
  [
    refusal(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    { code: "OVERLOADED", retryable: true },
  ],
  [refusal(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."), { retryable: true }],
  [refusal(500, "INTERNAL", "An internal error has occurred."), { code: "SERVER", retryable: true }],
])("a refusal is understood (%#)", async (reply, expected) => {
  const { provider } = await playGoogle(reply);

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject(expected);
});

test("an error inside a stream is understood, also in an array", async () => {
  const failure = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };
  const head = googleSse({ text: "Let me", finishReason: null });

  for (const body of [`${head}data: ${JSON.stringify(failure)}\n\n`, JSON.stringify([failure])]) {
    const { provider } = await playGoogle({ body });
    const { error } = await outcome(provider.stream(request()));

    expect(error).toMatchObject({ code: "OVERLOADED", retryable: true });
  }
});

test("a stream without a finish reason is broken", async () => {
  const { provider } = await playGoogle({ body: googleSse({ text: "Let me", finishReason: null }) });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
});

const tools = [
  {
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object", properties: { a: { type: ["string", "null"] } } },
  },
];

test.each([
  [
    "a thinking level",
    "Thinking level is not supported for this model.",
    { reasoning: "low" as const },
    (body: WireBody) =>
      expect(body.generationConfig.thinkingConfig).toEqual({ includeThoughts: true, thinkingBudget: 2_048 }),
  ],
  [
    "a schema beside tools",
    "Function calling with a response mime type: 'application/json' is unsupported",
    { tools, output: { type: "object", properties: { b: {} } } },
    (body: WireBody) => expect(body.tools[0].functionDeclarations[1].name).toBe("structured_output"),
  ],
] as const)(
  "a model that refuses %s is asked again without it, and from then on",
  async (_what, message, overrides, check) => {
    const { provider, server } = await playGoogle((_asked, index) =>
      index === 0 ? refusal(400, "INVALID_ARGUMENT", message) : { body: googleSse({ text: "Yes." }) },
    );

    expect((await outcome(provider.stream(request(overrides)))).error).toBeUndefined();
    expect((await outcome(provider.stream(request(overrides)))).error).toBeUndefined();

    expect(server.requests).toHaveLength(3);
    check(server.requests[1]!.body as WireBody);
    check(server.requests[2]!.body as WireBody);
  },
);

test("aborting closes the connection, and throws the signal's reason", async () => {
  const { provider, server } = await playGoogle({
    body: googleSse({ text: "Let me", finishReason: null }),
    end: "stall",
  });
  const controller = new AbortController();
  const reason = new Error("enough");
  const reading = (async () => {
    for await (const event of provider.stream(request({ signal: controller.signal }))) {
      if (event.type === "text-delta") controller.abort(reason);
    }
  })();

  await expect(reading).rejects.toBe(reason);
  expect(await server.requests[0]!.left).toBe(true);
});

test("wrong options are refused by name, and a missing key says where one may come from", () => {
  const attempt = (options: object) => () => google({ model: "m", apiKey: "k", ...options } as never);
  vi.stubEnv("GEMINI_API_KEY", undefined);
  vi.stubEnv("GOOGLE_API_KEY", undefined);
  expect(attempt({ thinking: { budget: 5 } })).toThrow(/"thinking\.budget"/);
  expect(attempt({ client: {} })).toThrow(/generateContentStream/);
  expect(() => google({ model: "m" })).toThrow(/GEMINI_API_KEY/);
  expect(google({ model: "m", baseURL: "http://localhost:1" }).id).toBe("google");
});
