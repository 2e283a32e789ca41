// Refusals as the vendors send them: what they are, whether they are worth another attempt, and when.
import { expect, test } from "vitest";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";

const failures = new Failures({ provider: "vendor", model: "m", scrub: (text) => text });
const anthropic = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_011CS",
});
const openai = (code: string | null, message: string, type = "invalid_request_error") => ({
  error: { message, type, param: null, code },
});

function refusalOf(said: unknown, status?: number, headers: Record<string, string> = {}) {
  const { code, retryable, retryAfterMs } = failures.refusal(said, status, (name) => headers[name]);
  return { code, retryable, retryAfterMs };
}

test.each([
  // Anthropic
  [
    anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    400,
    {},
    { code: "RATE_LIMITED", retryable: false },
  ],
  [anthropic("billing_error", "Your account has no credit left."), 402, {}, { code: "RATE_LIMITED", retryable: false }],
  [
    anthropic("rate_limit_error", "This request would exceed your organization's rate limit of 50,000 tokens."),
    429,
    {
      "x-should-retry": "true",
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": "2020-01-01T00:00:00Z",
    },
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 0 },
  ],
  [
    anthropic("rate_limit_error", "Error"),
    429,
    { "x-should-retry": "false" },
    { code: "RATE_LIMITED", retryable: false },
  ],
  [anthropic("overloaded_error", "Overloaded"), 529, {}, { code: "OVERLOADED", retryable: true }],
  [anthropic("overloaded_error", "Overloaded"), undefined, {}, { code: "OVERLOADED", retryable: true }],
  [
    anthropic("invalid_request_error", "Output blocked by content filtering policy"),
    400,
    {},
    { code: "CONTENT_FILTERED", retryable: false },
  ],
  [
    anthropic("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
    400,
    {},
    { code: "CONTEXT_TOO_LONG", retryable: false },
  ],
  [
    anthropic("invalid_request_error", "Third-party apps now draw from your extra usage, not your plan limits."),
    400,
    {},
    { code: "RATE_LIMITED", retryable: false },
  ],
  // Gateways and servers that speak its protocol
  [anthropic("ModelError", "Model claude-none is not supported"), 401, {}, { code: "BAD_REQUEST", retryable: false }],
  [anthropic("api_error", "insufficient balance (1008)"), 500, {}, { code: "RATE_LIMITED", retryable: false }],
  [
    { error: { code: "1301", message: "System detected potentially unsafe or sensitive content in input." } },
    400,
    {},
    { code: "CONTENT_FILTERED", retryable: false },
  ],
  // Google
  [
    {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message:
          "Quota exceeded for metric: free_tier_requests, limit: 0, model: gemini-3-pro\nPlease retry in 34.07s.",
      },
    },
    429,
    {},
    { code: "RATE_LIMITED", retryable: false },
  ],
  [
    {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Quota exceeded for metric: free_tier_requests, limit: 10, model: gemini-3-pro\nPlease retry in 34s.",
      },
    },
    429,
    {},
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 34_000 },
  ],
  // Bedrock and Vertex
  [
    { message: "Too many tokens, please wait before trying again." },
    429,
    {},
    { code: "RATE_LIMITED", retryable: true },
  ],
  [{ message: "Input is too long for requested model." }, 400, {}, { code: "CONTEXT_TOO_LONG", retryable: false }],
  [{ __type: "ThrottlingException", message: "Rate exceeded" }, undefined, {}, { code: "RATE_LIMITED" }],
  [
    [{ error: { code: 429, message: "Resource exhausted. Please try again later.", status: "RESOURCE_EXHAUSTED" } }],
    429,
    {},
    { code: "RATE_LIMITED", retryable: true },
  ],
  // Google, inside a stream
  [{ status: "RESOURCE_EXHAUSTED", message: "Slow." }, undefined, {}, { code: "RATE_LIMITED", retryable: true }],
  [{ status: "UNAUTHENTICATED", message: "No." }, undefined, {}, { code: "AUTH", retryable: false }],
  [{ status: "INVALID_ARGUMENT", message: "Bad part." }, undefined, {}, { code: "BAD_REQUEST", retryable: false }],
  [{ status: "DEADLINE_EXCEEDED", message: "Late." }, undefined, {}, { code: "SERVER", retryable: true }],
  // What a response of OpenAI fails with
  [{ code: "invalid_prompt", message: "Invalid prompt." }, undefined, {}, { code: "BAD_REQUEST", retryable: false }],
  [{ code: "invalid_image_url", message: "Not an image." }, undefined, {}, { code: "BAD_REQUEST", retryable: false }],
  [{ code: "image_too_large", message: "Too large." }, undefined, {}, { code: "BAD_REQUEST", retryable: false }],
  [{ code: "empty_image_file", message: "Empty." }, undefined, {}, { code: "BAD_REQUEST", retryable: false }],
  [
    { code: "image_content_policy_violation", message: "No." },
    undefined,
    {},
    { code: "CONTENT_FILTERED", retryable: false },
  ],
  [{ code: "cyber_policy", message: "No." }, undefined, {}, { code: "CONTENT_FILTERED", retryable: false }],
  [{ code: "vector_store_timeout", message: "Late." }, undefined, {}, { code: "SERVER", retryable: true }],
  [{ code: "server_error", message: "Broke." }, undefined, {}, { code: "SERVER", retryable: true }],
  [openai("invalid_api_key", "Incorrect API key provided"), undefined, {}, { code: "AUTH", retryable: false }],
  [
    openai("insufficient_quota", "You exceeded your current quota.", "insufficient_quota"),
    429,
    { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s" },
    { code: "RATE_LIMITED", retryable: false, retryAfterMs: undefined },
  ],
  [
    openai("rate_limit_exceeded", "Rate limit reached for requests.", "requests"),
    429,
    { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8.64s" },
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 8_640 },
  ],
  // Azure
  [
    openai("429", "Requests to this operation have exceeded the call rate limit. Please retry after 22 seconds."),
    429,
    {},
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 22_000 },
  ],
  [
    { error: { code: "content_filter", message: "The response was filtered.", innererror: { code: "X" } } },
    400,
    {},
    { code: "CONTENT_FILTERED", retryable: false },
  ],
  [
    { statusCode: 401, message: "Access token is missing, invalid, audience is incorrect." },
    401,
    {},
    { code: "AUTH", retryable: false },
  ],
  [
    { error: { type: "usage_limit_reached", message: "The usage limit has been reached", resets_in_seconds: 90 } },
    429,
    {},
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 90_000 },
  ],
  [
    anthropic("invalid_request_error", "This organization has been disabled."),
    400,
    {},
    { code: "AUTH", retryable: false },
  ],
  [
    { error: { code: "SensitiveContentDetected", message: "Refused." } },
    400,
    {},
    { code: "CONTENT_FILTERED", retryable: false },
  ],
  // Gateways
  [{ error: { message: "A dependency failed." } }, 424, {}, { code: "SERVER", retryable: true }],
  [{ error: { code: 499, message: "Cancelled.", status: "CANCELLED" } }, 499, {}, { code: "SERVER", retryable: true }],
  ["<html><head><title>524: A timeout occurred</title></head></html>", 524, {}, { code: "SERVER", retryable: true }],
  ["<html><head><title>413 Request Entity Too Large</title></head></html>", 413, {}, { code: "CONTEXT_TOO_LONG" }],
  ["", 502, {}, { code: "SERVER", retryable: true }],
  [openai("load_balancer_error", "No target."), 500, {}, { code: "SERVER", retryable: true }],
  [{ error: "upstream overloaded" }, 500, {}, { code: "SERVER", retryable: true }],
  [
    { success: false, errors: [{ code: 7009, message: "Upstream service unavailable" }] },
    502,
    {},
    { code: "SERVER", retryable: true },
  ],
  ["no healthy upstream", 503, { "retry-after": "3" }, { code: "OVERLOADED", retryable: true, retryAfterMs: 3_000 }],
  [
    "slow down",
    429,
    { "retry-after": "2 minutes" },
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: undefined },
  ],
])("a refusal %# is understood", (said, status, headers, expected) => {
  expect(refusalOf(said, status, headers as Record<string, string>)).toMatchObject(expected);
});

test.each<[said: object, status: number]>([
  [openai("billing_hard_limit_reached", "The limit was reached."), 400],
  [anthropic("invalid_request_error", "You are over your specified API usage limits."), 400],
  [openai("Arrearage", "Access denied: your account is not in good standing."), 400],
  [{ type: "error", error: { type: "CreditsError", message: "Insufficient balance." } }, 401],
  [{ error: { code: "AccountOverdueError", message: "There is an overdue balance." } }, 403],
  [openai("insufficient_user_quota", "No quota."), 403],
  [{ error: { message: "The account is suspended: its spending limit was reached." } }, 412],
  [{ error: { code: 429, message: "The project is over its spending cap.", status: "RESOURCE_EXHAUSTED" } }, 429],
  [{ error: { code: "1113", message: "余额不足" } }, 429],
  [openai(null, "You are over your weekly rate limit."), 429],
  [openai(null, "You have hit your weekly limit."), 400],
  [openai(null, "Your account is overdue and was closed."), 403],
  [{ error: { code: "OperationDenied.ServiceOverdue", message: "Not open." } }, 403],
  [{ error: { code: "SetLimitExceeded", message: "The model service was paused." } }, 429],
  [{ error: { message: "Key limit exceeded (total limit).", code: 403 } }, 403],
  [{ error: { message: "A valid credit card is needed on file.", type: "customer_verification_required" } }, 403],
  [{ code: 1311, message: "The model is not available in your current plan" }, 429],
  [{ code: "2061", message: "your current token plan not support model, m" }, 400],
  [anthropic("invalid_request_error", "You are out of extra usage."), 400],
  [anthropic("rate_limit_error", "Extra usage is required for long context."), 429],
  [openai(null, "Your premium allowance: you have exhausted your premium model quota."), 429],
  [openai(null, "Monthly quota reached."), 429],
  [{ success: false, errors: [{ code: 3036, message: "The daily free allocation of neurons is used up." }] }, 429],
  [
    {
      error: {
        code: 429,
        message: "Resource has been exhausted.",
        status: "RESOURCE_EXHAUSTED",
        details: [{ retryDelay: "500s" }, { quotaId: "RequestsPerDayPerProject-FreeTier" }],
      },
    },
    429,
  ],
])("an account that is empty or may not spend more is told apart, whatever the status: %#", (said, status) => {
  expect(refusalOf(said, status)).toMatchObject({ code: "RATE_LIMITED", retryable: false });
});

test.each<[said: unknown, status: number | undefined, expected: object]>([
  // Limits of rate by other names, and when they end.
  ["Throttling error: too many tokens, please wait", undefined, { code: "RATE_LIMITED", retryable: true }],
  ["ResourceExhausted: the worker's requests (32/32)", undefined, { code: "RATE_LIMITED", retryable: true }],
  [
    { message: "Requests per minute limit exceeded.", param: "quota", code: "request_quota_exceeded" },
    429,
    { code: "RATE_LIMITED", retryable: true },
  ],
  [
    openai(null, "Weekly usage limit reached. Resets in 6hr 29min."),
    429,
    { retryable: true, retryAfterMs: 23_340_000 },
  ],
  [openai(null, "Your quota will reset after 3h22m17s."), 429, { retryable: true, retryAfterMs: 12_137_000 }],
  [openai(null, "Usage limit reached, available in 42 minutes"), 429, { retryable: true, retryAfterMs: 2_520_000 }],
  [{ error: { message: "Please wait 21 seconds before retrying." } }, 429, { retryable: true, retryAfterMs: 21_000 }],
  [{ error: { type: "usage_limit_reached", message: "Full.", resets_at: 1_000_000_001 } }, 429, { retryAfterMs: 0 }],
  // A server that is not able to, and says so otherwise.
  ["The service is currently experiencing high load.", undefined, { code: "SERVER", retryable: true }],
  [{ __type: "ModelNotReadyException", message: "Not ready." }, undefined, { code: "OVERLOADED", retryable: true }],
  [openai(null, "Upstream request failed.", "server_error"), 400, { code: "SERVER", retryable: true }],
  // What is refused for good.
  [{ error: { type: "authentication_error" } }, 400, { code: "AUTH", retryable: false }],
  [{ code: "x", error: "Content violates usage guidelines." }, 403, { code: "CONTENT_FILTERED", retryable: false }],
  [openai(null, "输入内容超过上下文长度上限"), 400, { code: "CONTEXT_TOO_LONG" }],
  [openai(null, "litellm.ContextWindowExceededError: too much"), 400, { code: "CONTEXT_TOO_LONG" }],
  [
    { error: { code: 400, message: "input exceeds the maximum number of tokens", status: "INVALID_ARGUMENT" } },
    400,
    { code: "CONTEXT_TOO_LONG" },
  ],
])("what is worded in another way is understood: %#", (said, status, expected) => {
  expect(refusalOf(said, status)).toMatchObject(expected);
});

test.each<[said: unknown, status: number | undefined, expected: object]>([
  // A gateway names the kind of a failure beside its message, below it, or inside a string.
  [
    { error: { code: 502, message: "Upstream failed", metadata: { error_type: "provider_overloaded" } } },
    502,
    { code: "OVERLOADED", retryable: true },
  ],
  [
    { error: { code: 400, message: "Upstream failed", metadata: { error_type: "context_length_exceeded" } } },
    400,
    { code: "CONTEXT_TOO_LONG" },
  ],
  [{ error: { code: 400, message: "No.", metadata: { error_type: "refusal" } } }, 400, { code: "CONTENT_FILTERED" }],
  [{ error: { code: "server_error", message: "No." }, error_type: "authentication" }, undefined, { code: "AUTH" }],
  [{ error: "It has too much to do.", error_type: "overloaded" }, undefined, { code: "OVERLOADED", retryable: true }],
  [
    { error: { message: '{"error":{"type":"rate_limit_error","message":"Slow down."}}', code: "upstream" } },
    undefined,
    { code: "RATE_LIMITED", retryable: true, message: expect.stringContaining("Slow down.") },
  ],
  [
    { message: '[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]' },
    422,
    { code: "BAD_REQUEST", message: expect.stringContaining("stream_options") },
  ],
  [{ detail: { code: "invalid_api_key", message: "No such key." } }, undefined, { code: "AUTH" }],
  [
    { Message: "You are not authorized to do this." },
    403,
    { code: "AUTH", message: expect.stringContaining("do this") },
  ],
  [{ error_code: 336_100, error_msg: "server is busy" }, undefined, { code: "OVERLOADED", retryable: true }],
  // The status of the model behind a gateway, inside a stream.
  [{ type: "error", error: { type: "x", message: "x", http_code: "529" } }, undefined, { code: "OVERLOADED" }],
  [{ status: 429, title: "Too Many Requests" }, undefined, { code: "RATE_LIMITED", retryable: true, status: 429 }],
  [{ error: { status_code: 401, message: "No." } }, undefined, { code: "AUTH" }],
  // When to come back.
  [
    { error: { code: 429, message: "No.", metadata: { retry_after_seconds: 7 } } },
    undefined,
    { retryable: true, retryAfterMs: 7_000 },
  ],
  [{ error: { message: "No.", retryAfterMs: 1_500 } }, 429, { retryAfterMs: 1_500 }],
  [{ error: { message: "No.", metadata: { headers: { "Retry-After": "30s" } } } }, 429, { retryAfterMs: 30_000 }],
  [
    { error: { code: "AccountQuotaExceeded", message: "Spent. It will reset at 2001-01-07 20:37:00 +0800 CST." } },
    429,
    { code: "RATE_LIMITED", retryable: false },
  ],
  // Accounts that are empty.
  [{ error: { message: "Insufficient USD or XYZ balance for this request." } }, 400, { code: "RATE_LIMITED" }],
  [{ code: 403, reason: "NOT_ENOUGH_BALANCE", message: "No." }, 403, { code: "RATE_LIMITED", retryable: false }],
  [{ error: { code: "credit_balance_exhausted", message: "No." } }, 429, { code: "RATE_LIMITED", retryable: false }],
  [{ error: { message: "Limited to 1000 calls / month." } }, 429, { code: "RATE_LIMITED", retryable: false }],
  [{ error: { message: "Insufficient permission to see the balance" } }, 403, { code: "AUTH" }],
  [{ error: { message: "The daily request limit was reached" } }, 429, { code: "RATE_LIMITED", retryable: false }],
  [{ error: { code: "1305", message: "该模型当前访问量过大" } }, undefined, { code: "OVERLOADED", retryable: true }],
  [{ error: { code: "1304", message: "今日调用次数已达上限" } }, 429, { code: "RATE_LIMITED", retryable: false }],
  // Content.
  [{ error: { type: "censorship_blocked", message: "No." } }, 451, { code: "CONTENT_FILTERED" }],
  [{ error: { type: "hooks_failed", message: "The checks have failed." } }, 446, { code: "CONTENT_FILTERED" }],
  [
    { error: { code: "malicious", message: "The content of the message is unsafe" } },
    400,
    { code: "CONTENT_FILTERED" },
  ],
  [{ error: { message: "Invalid stop token" } }, 400, { code: "BAD_REQUEST" }],
  // What a status or a wording hides.
  [
    openai(null, "当前分组上游负载已饱和", "context_length_exceeded"),
    429,
    { code: "CONTEXT_TOO_LONG", retryable: false },
  ],
  [openai(null, "It ran out of room in the model's context window."), 400, { code: "CONTEXT_TOO_LONG" }],
  [{ message: "Too many tokens per day, please wait." }, 429, { code: "RATE_LIMITED", retryable: false }],
  [{ code: 30_011, message: "Paid balance required" }, 403, { code: "RATE_LIMITED", retryable: false }],
  [openai(null, "BadRequestError: GroqException - tool_use_failed"), 400, { code: "SERVER", retryable: true }],
])("gateways and vendors of all kinds are understood: %#", (said, status, expected) => {
  expect(failures.refusal(said, status)).toMatchObject(expected);
});
