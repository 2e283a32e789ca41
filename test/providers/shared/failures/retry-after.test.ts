import { expect, test } from "vitest";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";
import { readRetryDelay } from "../../../../src/providers/shared/failures/retry-after.js";

const failures = new Failures({ provider: "google", model: "m", scrub: (text) => text });

const SAYINGS: readonly (readonly [string, number | undefined])[] = [
  ["Please retry in 48.9s.", 48_900],
  ["Please try again in 20ms. Visit …", 20],
  ["Please try again in 6m0s.", 360_000],
  ["Please try again in 1h2m3.5s.", 3_723_500],
  ["try again in 7.66 seconds", 7_660],
  ["Please retry after 30 seconds.", 30_000],
  ["Please try again in 2 minutes 5 seconds.", 125_000],
  ["Try again later.", undefined],
  ["Please retry in a moment.", undefined],
  ["in 30 seconds", undefined],
  ["Loading model", 10_000],
  ["Model org/large is currently loading", 10_000],
  ["Uploading models", undefined],
];

for (const [said, expected] of SAYINGS) {
  test(`"${said}" asks to wait ${expected} ms`, () => {
    expect(readRetryDelay(undefined, said)).toBe(expected);
  });
}

test("Google's RetryInfo and the headers that OpenRouter repeats say when to come back", () => {
  const info = (retryDelay: unknown) => ({ error: { details: [{ "@type": "…/google.rpc.RetryInfo", retryDelay }] } });

  expect(readRetryDelay(info("48.9s"), "")).toBe(48_900);
  expect(readRetryDelay([info({ seconds: 7 })], "")).toBe(7_000);
  expect(
    readRetryDelay({ error: { metadata: { headers: { "X-RateLimit-Reset": "1700000005000" } } } }, "", 1.7e12),
  ).toBe(5_000);
  expect(readRetryDelay({ retry_after: 2.5 }, "")).toBe(2_500);
});

const GEMINI = (quotaId: string, retryDelay: string) => ({
  error: {
    code: 429,
    message: `You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generate_content_free_tier_requests, limit: 15\nPlease retry in ${retryDelay}.`,
    status: "RESOURCE_EXHAUSTED",
    details: [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
    ],
  },
});

test("the quota of a minute is retryable and says when; the quota of a day is spent", () => {
  const minute = failures.refusal(GEMINI("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "48.9s"), 429);
  const day = failures.refusal(GEMINI("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "48.9s"), 429);

  expect(minute).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 48_900 });
  expect(minute.message).not.toContain("Waiting does not help");
  expect(day).toMatchObject({ code: "RATE_LIMITED", retryable: false });
});

test("an empty account stays spent, whenever its server says to come back", () => {
  const empty = failures.refusal({ error: { message: "Insufficient credits. Try again in 5s." } }, 402);

  expect(empty).toMatchObject({ code: "RATE_LIMITED", retryable: false });
});

for (const message of [
  "API key not valid. Please pass a valid API key.",
  "Incorrect API key provided: xx. You can obtain an API key from the console.",
  "Invalid API Key",
  "API Key has expired",
]) {
  test(`a wrong key answered with 400 is AUTH: "${message}"`, () => {
    expect(failures.refusal({ error: { message } }, 400)).toMatchObject({ code: "AUTH", retryable: false });
  });
}

test("an overflow counts when a gateway has wrapped it into a failure of its own", () => {
  const inner = "This model's maximum context length is 8192 tokens.";
  for (const status of [500, 502, 503]) {
    expect(failures.refusal({ error: { message: `upstream error: ${inner}` } }, status)).toMatchObject({
      code: "CONTEXT_TOO_LONG",
      retryable: false,
    });
  }
});

test("a local server that loads its model is asked again after ten seconds", () => {
  const loading = { error: { code: 503, message: "Loading model", type: "unavailable_error" } };

  expect(failures.refusal(loading, 503)).toMatchObject({ code: "OVERLOADED", retryable: true, retryAfterMs: 10_000 });
});
