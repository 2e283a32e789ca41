import { expect, test } from "vitest";
import type { ProviderError } from "../../../src/contracts/errors.js";
import { withRetry } from "../../../src/engine/model/with-retry.js";
import { openai } from "../../../src/providers/openai/index.js";
import { chatChunks, type FaultReply, sse } from "../../../src/testing/fault-server/index.js";
import { withGrowingLimit } from "../../growing-limit.js";
import { outcome, play, request } from "./streams.js";

const HELLO = sse(chatChunks({ text: "Hello." }));

/** The error that a reply leads to. */
async function failureOf(reply: FaultReply, apiKey = "sk-live-0123456789abcdef"): Promise<ProviderError> {
  const { provider } = await play(reply, { apiKey });
  return (await outcome(provider.stream(request()))).error as ProviderError;
}

function refusal(status: number, error: unknown, headers: Record<string, string> = {}): FaultReply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify({ error }) };
}

const OUTCOMES: readonly (readonly [string, number, unknown, string, boolean])[] = [
  [
    "a rate limit",
    429,
    {
      message:
        "Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
      code: "rate_limit_exceeded",
    },
    "RATE_LIMITED",
    true,
  ],
  [
    "a spent quota",
    429,
    { message: "You exceeded your current quota.", code: "insufficient_quota" },
    "RATE_LIMITED",
    false,
  ],
  ["an empty account", 402, { message: "Insufficient Balance" }, "RATE_LIMITED", false],
  [
    "a request beyond the limit of a minute",
    413,
    {
      message:
        "Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
      code: "rate_limit_exceeded",
    },
    "RATE_LIMITED",
    false,
  ],
  ["a timeout of the server", 408, {}, "SERVER", true],
  ["a conflict", 409, {}, "SERVER", true],
  ["a failed server", 500, { message: "The server had an error." }, "SERVER", true],
  ["a bad gateway", 502, "Bad gateway", "SERVER", true],
  ["a busy server", 503, { message: "The engine is currently overloaded" }, "OVERLOADED", true],
  ["an overloaded server", 529, {}, "OVERLOADED", true],
  ["a wrong key", 401, { message: "Incorrect API key provided", code: "invalid_api_key" }, "AUTH", false],
  ["a missing right", 403, { message: "Country not supported" }, "AUTH", false],
  [
    "a call of the model that Groq could not read",
    400,
    { message: "Failed to call a function.", type: "invalid_request_error", code: "tool_use_failed" },
    "SERVER",
    true,
  ],
  [
    "an answer that is not JSON",
    400,
    { message: "Failed to generate JSON.", code: "json_validate_failed" },
    "SERVER",
    true,
  ],
  ["a wrong request", 400, { message: "Invalid type for 'messages'" }, "BAD_REQUEST", false],
  ["an unknown model", 404, { message: "The model `x` does not exist", code: "model_not_found" }, "BAD_REQUEST", false],
  ["an unprocessable request", 422, { detail: [{ loc: ["body"], msg: "field required" }] }, "BAD_REQUEST", false],
  [
    "a filtered prompt of Azure",
    400,
    {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      code: "content_filter",
    },
    "CONTENT_FILTERED",
    false,
  ],
  ["a filtered prompt of DeepSeek", 400, { message: "Content Exists Risk" }, "CONTENT_FILTERED", false],
  [
    "a filtered prompt of Qwen",
    400,
    { message: "Input data may contain inappropriate content.", code: "data_inspection_failed" },
    "CONTENT_FILTERED",
    false,
  ],
];

for (const [name, status, error, code, retryable] of OUTCOMES) {
  test(`${name} is ${code}, ${retryable ? "" : "not "}retryable`, async () => {
    expect(await failureOf(refusal(status, error))).toMatchObject({ name: "ProviderError", code, retryable, status });
  });
}

const TOO_LONG: Record<string, string> = {
  OpenAI:
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (900 in the messages, 8100 in the completion). Please reduce the length of the messages or completion.",
  "OpenAI, newer": "Your input exceeds the context window of this model. Please adjust your input and try again.",
  vLLM: "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
  "vLLM, engine": "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
  "vLLM, with images":
    "The prompt (total length 9000) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is not a smaller than the number of text tokens plus multimodal tokens.",
  "vLLM, no room beside the prompt":
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (4096 > 32768 - 30000).",
  "llama.cpp":
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  "llama.cpp, newer": "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it",
  Ollama: "prompt too long; exceeded max context length by 512 tokens",
  "Ollama, embedded": "the input length exceeds the context length",
  DeepSeek: "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
  Qwen: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
  Kimi: "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)",
  "Kimi, older": "Input token length too long",
  OpenRouter:
    'This endpoint\'s maximum context length is 200000 tokens. However, you requested about 250000 tokens (249000 of text input). Please reduce the length of either one, or use the "middle-out" transform.',
  Groq: "Please reduce the length of the messages or completion.",
  Mistral: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  Anthropic: "prompt is too long: 200001 tokens > 200000 maximum",
  "Anthropic, with output":
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
  Google: "The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).",
  Bedrock: "Input is too long for requested model.",
  SGLang: "The input (10000 tokens) is longer than the model's context length (8192 tokens).",
  TGI: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000 `inputs` tokens and 100 `max_new_tokens`",
  "LM Studio":
    "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length",
  Fireworks: "The prompt is too long: 200000, model maximum context length: 131071",
  Copilot: "prompt token count of 130000 exceeds the limit of 128000",
  MiniMax: "invalid params, context window exceeds limit",
};

for (const [server, message] of Object.entries(TOO_LONG)) {
  test(`a conversation that is too long for ${server} is recognised by the phrase`, async () => {
    expect(await failureOf(refusal(400, { message, type: "invalid_request_error" }))).toMatchObject({
      code: "CONTEXT_TOO_LONG",
      retryable: false,
    });
  });
}

const NOT_TOO_LONG: Record<string, readonly [number, string, string]> = {
  "an output limit of OpenAI": [
    400,
    "max_tokens is too large: 99999. This model supports at most 16384 completion tokens, whereas you provided 99999.",
    "BAD_REQUEST",
  ],
  "an output limit of vLLM": [
    400,
    "'max_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 5 input tokens.",
    "BAD_REQUEST",
  ],
  "an output limit of Groq": [
    400,
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    "BAD_REQUEST",
  ],
  "an output limit of DeepSeek": [
    400,
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    "BAD_REQUEST",
  ],
  "an output limit of Qwen": [400, "Range of max_tokens should be [1, 8192]", "BAD_REQUEST"],
  "tokens per minute": [
    429,
    "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000. The input or output tokens must be reduced in order to run successfully.",
    "RATE_LIMITED",
  ],
  "a call id that is too long": [
    400,
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
    "BAD_REQUEST",
  ],
  "a string that is too long": [
    400,
    "Invalid 'user': string too long. Expected a string with maximum length 64.",
    "BAD_REQUEST",
  ],
};

for (const [name, [status, message, code]] of Object.entries(NOT_TOO_LONG)) {
  test(`${name} is not taken for a conversation that is too long`, async () => {
    expect(await failureOf(refusal(status, { message }))).toMatchObject({ code });
  });
}

test("a path that is not there says what to check", async () => {
  const { provider } = await play({ status: 404, body: "404 page not found" });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "BAD_REQUEST", status: 404 });
  expect((error as Error).message).toContain("404 page not found. Check the model's name and the path of baseURL");
});

test("what the server behind a gateway said counts", async () => {
  const raw = JSON.stringify({ error: { message: "prompt is too long: 200001 tokens > 200000 maximum" } });

  const error = await failureOf(refusal(400, { message: "Provider returned error", code: 400, metadata: { raw } }));

  expect(error).toMatchObject({ code: "CONTEXT_TOO_LONG" });
});

const WAITS: readonly (readonly [Record<string, string>, number | undefined])[] = [
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "20", "retry-after-ms": "1234" }, 1_234],
  [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{}, undefined],
];

for (const [headers, expected] of WAITS) {
  test(`the wait asked for by ${JSON.stringify(headers)} is ${expected} ms`, async () => {
    expect((await failureOf(refusal(429, { message: "Slow down." }, headers))).retryAfterMs).toBe(expected);
  });
}

test("the wait until an HTTP date is counted from now", async () => {
  const at = new Date(Date.now() + 60_000).toUTCString();

  const { retryAfterMs } = await failureOf(refusal(503, {}, { "retry-after": at }));

  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

const IN_STREAM: readonly (readonly [string, unknown, string, boolean])[] = [
  ["a failed server", { message: "The server had an error", type: "server_error" }, "SERVER", true],
  ["a status in the code", { message: "Rate limited upstream", code: 429 }, "RATE_LIMITED", true],
  ["a busy server", { message: "Overloaded", type: "overloaded_error" }, "OVERLOADED", true],
  ["a spent quota", { message: "No more", code: "insufficient_quota" }, "RATE_LIMITED", false],
  ["a long conversation", { message: "Too long", code: "context_length_exceeded" }, "CONTEXT_TOO_LONG", false],
  ["a plain text", "something broke", "SERVER", true],
];

for (const [name, error, code, retryable] of IN_STREAM) {
  test(`an error inside a stream counts: ${name} is ${code}`, async () => {
    const body = sse([...chatChunks({ text: "Let me", finishReason: null }), { error } as never]);
    const { provider } = await play({ body });

    const { events, error: thrown } = await outcome(provider.stream(request()));

    expect(thrown).toMatchObject({ code, retryable });
    expect(events.at(-1)?.type).toBe("text-delta");
  });
}

const MARKED: readonly (readonly [string, string, string])[] = [
  [
    "in the choice",
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":429,"message":"Slow."}}]}',
    "RATE_LIMITED",
  ],
  ["under an event of that name", 'event: error\ndata: {"type":"overloaded_error","message":"Busy."}', "OVERLOADED"],
  ["as text under that name", "event: error\ndata: it broke", "SERVER"],
  ["under a field of that name", 'error: {"code":500,"message":"Broke."}', "SERVER"],
  ["as an object of that name", 'data: {"object":"error","message":"Broke.","code":500}', "SERVER"],
  ["in place of its choices", 'data: {"choices":null,"code":"503","msg":"Broke."}', "OVERLOADED"],
  ["in a list", 'data: {"success":false,"errors":[{"code":7009,"message":"Broke."}]}', "SERVER"],
  ["as a line without a field", ': ping\n\n{"error":{"code":503,"message":"Broke."}}', "OVERLOADED"],
  ["beside its status", 'data: {"error":{"message":"Slow down.","type":""},"status_code":429}', "RATE_LIMITED"],
  ["as a detail", 'data: {"detail":"Broke."}', "SERVER"],
  ["in a gateway's own words", 'data: {"code":429,"msg":"Slow down."}', "RATE_LIMITED"],
  ["in an array", 'data: [{"error":{"code":503,"status":"UNAVAILABLE","message":"Busy."}}]', "OVERLOADED"],
  ["with a type of AWS", 'data: {"__type":"ThrottlingException","message":"Too many."}', "RATE_LIMITED"],
];

for (const [where, event, code] of MARKED) {
  test(`an error inside a stream counts when it comes ${where}, first or later`, async () => {
    const begun = sse(chatChunks({ text: "Let me", finishReason: null }), { done: false });
    for (const body of [event, begun + event]) {
      const { provider } = await play({ body: `${body}\n\ndata: [DONE]\n\n` });

      expect((await outcome(provider.stream(request()))).error).toMatchObject({ code, retryable: true });
    }
  });
}

test("an error in place of a stream counts, with its status 200", async () => {
  const error = await failureOf({
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ error: { message: "The model is overloaded", code: 503 } }),
  });

  expect(error).toMatchObject({ code: "OVERLOADED", retryable: true });
});

for (const reason of [
  "error",
  "ERROR",
  "network_error",
  "insufficient_system_resource",
  "abort",
  "cancelled",
  "TIMEOUT",
  "malformed_function_call",
]) {
  test(`the finish reason "${reason}" is a failed server, not the end of a message`, async () => {
    const { provider } = await play({ body: sse(chatChunks({ text: "Half", finishReason: reason })) });

    expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "SERVER", retryable: true });
  });
}

test("what the model's own server gave as its reason counts behind a gateway that calls it the end", async () => {
  const end = { index: 0, delta: {}, finish_reason: "stop", native_finish_reason: "MALFORMED_FUNCTION_CALL" };
  const { provider } = await play({ body: sse([{ choices: [end] }]) });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({
    code: "SERVER",
    retryable: true,
    details: { finishReason: "MALFORMED_FUNCTION_CALL" },
  });
});

test("an HTML error page is reported by its title, bounded", async () => {
  const page = `<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>${"<p>x</p>".repeat(50_000)}</body></html>`;

  const error = await failureOf({ status: 502, headers: { "content-type": "text/html" }, body: page });

  expect(error).toMatchObject({ code: "SERVER", retryable: true });
  expect(error.message).toContain('an HTML page titled "502 Bad Gateway"');
  expect(error.message.length).toBeLessThan(400);
});

test("an HTML page with status 200 is not a stream, and the message says what to check", async () => {
  const error = await failureOf({
    headers: { "content-type": "text/html" },
    body: "<html><title>Login</title></html>",
  });

  expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(error.message).toContain('an HTML page titled "Login"');
  expect(error.message).toContain("baseURL");
});

for (const body of ["data: {not json}\n\n", `data: ${"x".repeat(100_000)}\n\n`, 'data: {"choices":[\n\n']) {
  test(`garbage of ${body.length} characters breaks the stream, and is not repeated`, async () => {
    const error = await failureOf({ body });

    expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
    expect(error.message.length).toBeLessThan(200);
  });
}

for (const body of [new Uint8Array(5_000).fill(0xff), "", "\n\n\n", ": only pings\n\n"]) {
  test(`a body without any event (${body.length} bytes) is a broken stream`, async () => {
    expect(await failureOf({ body })).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  });
}

test("a server that is not there is CONNECTION, with the cause in the message", async () => {
  const provider = openai({ model: "m", apiKey: "k", baseURL: "http://127.0.0.1:9/v1" });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "CONNECTION", retryable: true });
  expect((error as Error).message).toMatch(/ECONNREFUSED|bad port/);
});

test("a socket that is reset before the head is CONNECTION", async () => {
  const { provider, server } = await play({ delayMs: 10_000 });
  const reading = outcome(provider.stream(request()));
  await until(() => server.requests.length === 1);

  await server.close();

  expect((await reading).error).toMatchObject({ code: "CONNECTION", retryable: true });
});

test("keys never reach messages or details, whoever repeats them", async () => {
  const key = "my-own-secret-key-1";
  const other = "sk-proj-abcdefghijklmnopqrstuvwx";
  const message = `Incorrect API key provided: ${key}. Or was it ${other}? Authorization: Bearer abc.def-ghi/jkl`;

  const error = await failureOf(
    refusal(401, { message, code: `bad ${key}`, type: other }, { "x-request-id": key }),
    key,
  );

  const everything = `${error.message} ${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.details)} ${String(error.cause)}`;
  for (const secret of [key, other, "abc.def-ghi/jkl"]) expect(everything).not.toContain(secret);
  expect(error.message).toContain("[secret]");
});

test("an event without an end is closed before it fills the memory", async () => {
  const { provider, server } = await play({
    body: `data: ${"x".repeat(1_000_000)}`,
    floodBytes: Number.POSITIVE_INFINITY,
  });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "RESPONSE_TOO_LARGE", retryable: false });
  expect(await server.requests[0]!.left).toBe(true);
});

test("a refusal without an end is closed after its beginning", async () => {
  const { provider } = await play({ status: 500, body: "no ".repeat(10_000), floodBytes: Number.POSITIVE_INFINITY });

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "SERVER" });
});

const SHAPES: readonly unknown[] = [
  { object: "error", message: "prompt is too long", type: "BadRequestError", code: 400 },
  [{ error: { message: "prompt is too long", code: 400 } }],
  { error: "prompt is too long" },
  { detail: "prompt is too long" },
  "prompt is too long",
];

for (const shape of SHAPES) {
  test(`a refusal is understood as ${JSON.stringify(shape)}`, async () => {
    const error = await failureOf({
      status: 400,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(shape),
    });

    expect(error).toMatchObject({ code: "CONTEXT_TOO_LONG", message: expect.stringContaining("prompt is too long") });
  });
}

test("an abort closes the connection at once, whatever the server is doing", async () => {
  for (const fault of [
    { end: "stall" },
    { floodBytes: 1e9 },
    { splitEvery: 1, packetDelayMs: 50 },
    { delayMs: 60_000 },
  ] as const) {
    const body = sse(chatChunks({ text: "Half", finishReason: null }), { done: false });
    const { provider, server } = await play({ body, ...fault });
    const controller = new AbortController();
    const reading = outcome(provider.stream(request({ signal: controller.signal })));
    await until(() => server.requests.length === 1);

    const reason = new Error("enough");
    controller.abort(reason);

    const { events, error } = await reading;
    expect(error).toBe(reason);
    expect(events.some((event) => event.type === "message-end")).toBe(false);
    expect(await server.requests[0]!.left).toBe(true);
  }
});

test("steps that are asked for at once come in order", async () => {
  const { provider } = await play({ body: sse(chatChunks({ text: "abc", pieceSize: 1 })) });
  const stream = provider.stream(request())[Symbol.asyncIterator]();

  const steps = await Promise.all(Array.from({ length: 7 }, () => stream.next()));

  const seen = steps.map(({ value }) => (value?.type === "text-delta" ? value.text : value?.type));
  expect(seen).toEqual(["message-start", "a", "b", "c", "message-end", undefined, undefined]);
});

test("a stream that is closed while its request is under way says no more", async () => {
  const { provider, server } = await play({ delayMs: 60_000 });
  const stream = provider.stream(request())[Symbol.asyncIterator]();
  const step = stream.next();
  await until(() => server.requests.length === 1);

  await stream.return!();

  expect([await step, await stream.next()]).toEqual(Array(2).fill({ value: undefined, done: true }));
  expect(await server.requests[0]!.left).toBe(true);
});

test("leaving a stream closes the connection", async () => {
  const body = sse(chatChunks({ text: "Half", finishReason: null }), { done: false });
  const { provider, server } = await play({ body, end: "stall" });

  for await (const _ of provider.stream(request())) break;

  expect(await server.requests[0]!.left).toBe(true);
});

test("a signal that has aborted before sends no request", async () => {
  const { provider, server } = await play({ body: HELLO });

  const { error } = await outcome(provider.stream(request({ signal: AbortSignal.abort("no") })));

  expect(error).toBe("no");
  expect(server.requests).toHaveLength(0);
});

test("a server that has said all but does not close ends the message all the same", async () => {
  const { provider } = await play({ body: sse(chatChunks({ text: "All." }), { done: false }), end: "stall" });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "stop" });
});

for (const [what, done] of [
  ["[DONE]", true],
  ["its finish reason", false],
] as const) {
  test(`a server that does not close after ${what} is not taken for a silent one`, async () => {
    const heard = async (idleTimeoutMs: number) => {
      const { provider, server } = await play({ body: sse(chatChunks({ text: "Hello." }), { done }), end: "stall" });
      return { server, ...(await outcome(withRetry(provider, { idleTimeoutMs }).stream(request()))) };
    };

    const { events, error, server } = await withGrowingLimit(400, heard, (heard) => heard.error === undefined);

    expect(error).toBeUndefined();
    expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "stop" });
    expect(server.requests).toHaveLength(1);
    expect(await server.requests[0]!.left).toBe(true);
  });
}

test("a refusal whose text breaks off or never ends is known by its status", async () => {
  const body = "No key, no answ";
  const headers = { "content-type": "text/plain" };

  for (const end of ["reset", "stall"] as const) {
    const refused = await failureOf({ status: 401, headers, body, end });

    expect(refused).toMatchObject({ code: "AUTH", retryable: false, status: 401 });
    expect(refused.message).toContain(end === "stall" ? body : "401");
  }
});

test("a platform that waits no longer for the head of a response has timed out, not failed to connect", async () => {
  const cause = Object.assign(new Error("Headers Timeout Error"), { code: "UND_ERR_HEADERS_TIMEOUT" });
  const thrown = Object.assign(new Error("Connection error.", { cause }), { status: undefined });
  const client = { chat: { completions: { create: () => Promise.reject(thrown) } } };

  const { error } = await outcome(openai({ model: "m", client }).stream(request()));

  expect(error).toMatchObject({
    code: "TIMEOUT",
    retryable: true,
    message: expect.stringContaining("Headers Timeout"),
  });
});

test("what is nested too deeply to be read breaks the stream", async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const call = `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":${deep}}}]}}]}`;

  const refused = await failureOf({ body: sse([`{"error":{"message":${deep}}}`]) });
  const called = await failureOf({ body: sse([call]) });

  // Newer engines read and write JSON of any depth: they can tell that it was the server's error, and have the call.
  expect(refused).toMatchObject({ code: expect.stringMatching(/^(?:STREAM_BROKEN|SERVER)$/), retryable: true });
  expect(called ?? { code: "none" }).toMatchObject({ code: expect.stringMatching(/^(?:STREAM_BROKEN|none)$/) });
});

test("withRetry repeats what the server asks to repeat, and nothing else", async () => {
  const again = await play([refusal(503, {}), refusal(429, {}, { "retry-after-ms": "1" }), { body: HELLO }]);
  const never = await play([refusal(400, { message: "No." }), { body: HELLO }]);

  const done = await outcome(withRetry(again.provider, { baseMs: 0 }).stream(request()));
  const refused = await outcome(withRetry(never.provider, { baseMs: 0 }).stream(request()));

  expect(done.error).toBeUndefined();
  expect(again.server.requests).toHaveLength(3);
  expect(refused.error).toMatchObject({ code: "BAD_REQUEST" });
  expect(never.server.requests).toHaveLength(1);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test("a refusal by OpenAI's safety system is a content filter, also without a code", async () => {
  const message = "Your request was rejected as a result of our safety system.";
  const { provider } = await play({ status: 400, body: JSON.stringify({ error: { message } }) });

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "CONTENT_FILTERED" });
});
