import { APICallError, LoadAPIKeyError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { aiSdk } from "../../../src/providers/ai-sdk/index.js";
import { outcome, request } from "../openai/streams.js";
import { finishPart, playParts } from "./streams.js";

const apiError = (statusCode: number | undefined, body: object, headers: Record<string, string> = {}) =>
  new APICallError({
    message: "It failed.",
    url: "https://api.example/v1",
    requestBodyValues: { secret: "prompt text" },
    responseBody: JSON.stringify(body),
    responseHeaders: headers,
    ...(statusCode !== undefined && { statusCode }),
    isRetryable: true,
  });

test.each([
  [apiError(401, { error: { message: "bad key" } }), { code: "AUTH", retryable: false, status: 401 }],
  [
    apiError(429, { error: { message: "slow down" } }, { "Retry-After": "3" }),
    { code: "RATE_LIMITED", retryable: true, retryAfterMs: 3_000 },
  ],
  [
    apiError(529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    { code: "OVERLOADED", retryable: true },
  ],
  [
    apiError(400, { error: { message: "prompt is too long: 9 tokens > 8 maximum" } }),
    { code: "CONTEXT_TOO_LONG", retryable: false },
  ],
  [apiError(undefined, {}), { code: "CONNECTION", retryable: true }],
  [new LoadAPIKeyError({ message: "OpenAI API key is missing." }), { code: "AUTH", retryable: false }],
  [new UnsupportedFunctionalityError({ functionality: "images" }), { code: "BAD_REQUEST", retryable: false }],
  [
    Object.assign(new TypeError("fetch failed"), { cause: new Error("ECONNREFUSED") }),
    { code: "CONNECTION", retryable: true },
  ],
  [new TypeError("x is not a function"), { code: "PROVIDER_FAILED", retryable: false }],
])("what doStream throws is understood (%#)", async (thrown, expected) => {
  const { provider } = playParts("v4", [], { doStream: () => Promise.reject(thrown) });

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject(expected);
  expect(JSON.stringify([error, String(error)])).not.toContain("prompt text");
});

test("a file that the provider cannot send is named in text, from then on", async () => {
  const seen: string[] = [];
  const { provider } = playParts("v3", [], {
    doStream: async ({ prompt }: { prompt: unknown }) => {
      const text = JSON.stringify(prompt);
      seen.push(text);
      if (text.includes("JVBERi0="))
        throw new UnsupportedFunctionalityError({ functionality: "file part media type application/pdf" });
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(finishPart("v3", "stop"));
          controller.close();
        },
      });
      return { stream };
    },
  });
  const file = { type: "file" as const, mediaType: "application/pdf", data: "JVBERi0=", name: "a.pdf" };
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Read:" }, file] }];

  const first = await outcome(provider.stream(request({ messages })));
  await outcome(provider.stream(request({ messages })));

  expect(first.error).toBeUndefined();
  expect(seen).toHaveLength(3);
  expect(seen[1]).toContain('file \\"a.pdf\\" of type application/pdf was left out');
});

test("an error of a call inside the stream is understood as one before it", async () => {
  const { provider } = playParts("v4", [{ type: "error", error: apiError(503, { error: { message: "busy" } }) }]);

  const { error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "OVERLOADED", retryable: true });
});

test("aborting reaches the model and cancels its stream", async () => {
  let signal: AbortSignal | undefined;
  let isCancelled = false;
  const { provider } = playParts("v4", [], {
    doStream: async ({ abortSignal }: { abortSignal: AbortSignal }) => {
      signal = abortSignal;
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "Let me" }),
        cancel: () => {
          isCancelled = true;
        },
      });
      return { stream };
    },
  });
  const iterator = provider.stream(request())[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.next();

  await iterator.return?.();

  expect(signal?.aborted).toBe(true);
  expect(isCancelled).toBe(true);
});

test("what is not a model of these versions is refused with what to pass", () => {
  const refused = (model: unknown, options?: object) => () => aiSdk(model as never, options as never);
  const model = { specificationVersion: "v4", provider: "p", modelId: "m", doStream: () => {} };

  expect(refused("openai/gpt-5.1")).toThrow(/is the name "openai\/gpt-5\.1"/);
  expect(refused({ ...model, specificationVersion: "v1" })).toThrow(/"v1".*ai 5, 6 and 7/);
  expect(refused({ ...model, doStream: undefined })).toThrow(/is not a language model/);
  expect(refused(null)).toThrow(/is not a language model/);
  expect(refused(model, { contextwindow: 5 })).toThrow(/Did you mean "contextWindow"/);
  expect(aiSdk(model as never, { id: "mine", contextWindow: 9 })).toMatchObject({
    id: "mine",
    model: "m",
    contextWindow: 9,
  });
});

test("an image that the server behind a model refuses is left out, and the model is asked again", async () => {
  const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const prompts: string[] = [];
  const { model } = playParts("v4", [{ type: "text-delta", id: "1", delta: "Yes." }, finishPart("v4", "stop")]);
  const { provider } = playParts("v4", [], {
    doStream: async (options: { readonly prompt?: unknown }) => {
      prompts.push(JSON.stringify(options.prompt));
      if (prompts.length === 1) throw apiError(400, { error: { message: "Could not process image" } });
      return model.doStream(options as never);
    },
  });

  const { error, events } = await outcome(
    provider.stream(
      request({ messages: [{ role: "user", content: [{ type: "image", mediaType: "image/png", data: PIXEL }] }] }),
    ),
  );

  expect(error).toBeUndefined();
  expect(events[0]).toMatchObject({ type: "notice", code: "MEDIA_LEFT_OUT" });
  expect(prompts.map((prompt) => prompt.includes(PIXEL))).toEqual([true, false]);
});
