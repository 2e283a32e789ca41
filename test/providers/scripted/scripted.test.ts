import { afterEach, expect, test, vi } from "vitest";
import { ProviderError, RunAbortedError } from "../../../src/contracts/errors.js";
import type { Message } from "../../../src/contracts/message.js";
import { scripted, type Turn, text, toolCall } from "../../../src/providers/scripted/index.js";
import { ask, askUntilFailure, makeRequest } from "./request.js";

afterEach(() => {
  vi.useRealTimers();
});

test("turns answer requests in order, and a used-up script is exhausted", async () => {
  const provider = scripted([toolCall("bash", { command: "git push" }), text("Understood.")]);

  const first = await ask(provider);
  const second = await ask(provider);

  expect(first[1]).toMatchObject({ type: "tool-call-start", name: "bash" });
  expect(second[1]).toEqual({ type: "text-delta", text: "Understood." });
  provider.assertExhausted();
});

test("an unexpected request fails without retry, and says what it was asked", async () => {
  const provider = scripted(["Only this."]);
  await ask(provider);

  const { types, error } = await askUntilFailure(provider);

  expect(types).toEqual([]);
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({ code: "BAD_REQUEST", retryable: false });
  expect((error as Error).message).toBe(
    'The scripted provider "scripted" has 1 turn(s) and got request 2, asked with 1 message(s), the last by "user": text "Hello?". ' +
      "Add a turn for it, or find out why the run went on.",
  );
  expect(() => provider.assertExhausted()).toThrow("1 request(s) had no turn:\n  request 2, asked with 1 message(s)");
});

test("unused turns fail assertExhausted with a list of them", async () => {
  const provider = scripted(["played", toolCall("bash", { command: "ls" }), new Error("boom"), () => "later"]);
  await ask(provider);

  expect(() => provider.assertExhausted()).toThrow(
    'The scripted provider "scripted" was not used as prepared.\n3 of 4 turn(s) were never asked for:\n' +
      '  turn 2: call bash({"command":"ls"})\n  turn 3: throws Error: boom\n  turn 4: a function',
  );
});

test("messages about huge turns and requests stay short", async () => {
  const huge = "x".repeat(1_000_000);
  const provider = scripted(Array.from({ length: 50 }, () => [huge, toolCall("write", { content: huge })]));
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: huge }] }];
  const empty = scripted([]);

  const { error } = await askUntilFailure(empty, makeRequest({ messages }));
  for (let count = 0; count < 20; count += 1) await askUntilFailure(empty, makeRequest({ messages }));

  expect((error as Error).message.length).toBeLessThan(400);
  expect(failureOf(() => empty.assertExhausted()).message.length).toBeLessThan(2_000);
  expect(failureOf(() => empty.assertExhausted()).message).toContain("21 request(s) had no turn");
  expect(failureOf(() => provider.assertExhausted()).message.length).toBeLessThan(2_000);
  expect(failureOf(() => provider.assertExhausted()).message).toContain("… and 45 more");
});

test("a turn is taken when stream is called, so requests at once do not mix", async () => {
  const provider = scripted(["one", "two"]);
  const first = provider.stream(makeRequest());
  const second = provider.stream(makeRequest());

  const events = [await collect(second), await collect(first)];

  expect(events.map((each) => each[1])).toEqual([
    { type: "text-delta", text: "two" },
    { type: "text-delta", text: "one" },
  ]);
});

test("requests are recorded as they were", async () => {
  const provider = scripted(["a", "b"]);
  const messages: Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "Look " },
        { type: "text", text: "here" },
      ],
    },
  ];
  const request = makeRequest({ messages, system: [{ id: "system", text: "Be brief." }], temperature: 0.5 });

  await ask(provider, request);
  messages.push(
    { role: "assistant", content: [], finishReason: "stop", provider: "p", model: "m" },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "1", name: "a", output: "A", isError: false },
        { type: "tool-result", toolCallId: "2", name: "b", output: "B", isError: true },
      ],
    },
    { role: "user", content: [{ type: "text", text: "Remember." }], origin: "reminder" },
  );
  await ask(provider, request);

  const [first, second] = provider.requests;
  expect(first).toMatchObject({ system: [{ id: "system", text: "Be brief." }], temperature: 0.5, sessionId: "s" });
  expect(first?.messages).toHaveLength(1);
  expect(first?.lastMessage).toBe(messages[0]);
  expect(first?.lastUserText).toBe("Look here");
  expect(first?.lastToolResult).toBeUndefined();
  expect(first?.lastToolResults).toEqual([]);
  expect(second?.lastMessage).toBe(messages[3]);
  expect(second?.lastUserText).toBe("Remember.");
  expect(second?.lastToolResult).toMatchObject({ toolCallId: "2", isError: true });
  expect(second?.lastToolResults.map((result) => result.output)).toEqual(["A", "B"]);
});

test("record: false keeps no request and touches no message", async () => {
  const touched: PropertyKey[] = [];
  const messages = new Proxy<Message[]>([], {
    get(target, key, receiver) {
      touched.push(key);
      return Reflect.get(target, key, receiver);
    },
  });
  const provider = scripted(["a", () => "b"], { record: false });

  await ask(provider, makeRequest({ messages }));
  await ask(provider, makeRequest({ messages }));

  expect(touched).toEqual([]);
  expect(provider.requests).toEqual([]);
  expect(provider.requestCount).toBe(2);
  provider.assertExhausted();
});

test("a function answers with the request before it", async () => {
  const provider = scripted([
    (request, index) => `${index}: ${request.lastUserText}`,
    async () => [toolCall("a"), toolCall("b")],
    () => new ProviderError("OVERLOADED", { message: "busy", retryable: true }),
    () => {
      throw new ProviderError("AUTH", { message: "no" });
    },
    () => 42 as unknown as string,
  ]);

  const first = await ask(provider);
  const second = await ask(provider);
  const failures = [await askUntilFailure(provider), await askUntilFailure(provider), await askUntilFailure(provider)];

  expect(first[1]).toEqual({ type: "text-delta", text: "0: Hello?" });
  expect(second.filter((event) => event.type === "tool-call-end")).toHaveLength(2);
  expect(failures.map(({ error }) => (error as ProviderError).code)).toEqual(["OVERLOADED", "AUTH", "OPTION_INVALID"]);
});

test("a function that waits can see the abort", async () => {
  const controller = new AbortController();
  const untilAbort: Turn = (request) =>
    new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  const failing = askUntilFailure(scripted([untilAbort]), makeRequest({ signal: controller.signal }));

  controller.abort(new RunAbortedError("enough"));

  expect((await failing).error).toMatchObject({ code: "RUN_ABORTED" });
});

test("loop starts again after the last turn, with new ids", async () => {
  const provider = scripted([toolCall("a"), "b"], { loop: true });

  const starts = [];
  for (let count = 0; count < 4; count += 1) starts.push((await ask(provider))[1]);

  expect(starts).toEqual([
    { type: "tool-call-start", index: 0, id: "call_1", name: "a" },
    { type: "text-delta", text: "b" },
    { type: "tool-call-start", index: 0, id: "call_2", name: "a" },
    { type: "text-delta", text: "b" },
  ]);
  provider.assertExhausted();
});

test("options name the provider, size its window and set its usage", async () => {
  const usage = { inputTokens: 100, outputTokens: 1 };
  const provider = scripted(["a"], { id: "p", model: "m", contextWindow: 1_000, maxOutputTokens: 10, usage });

  const events = await ask(provider);

  expect(provider).toMatchObject({ id: "p", model: "m", contextWindow: 1_000, maxOutputTokens: 10 });
  expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "stop", usage });
});

test("an error is thrown before the first event, or after so many deltas", async () => {
  const error = new ProviderError("OVERLOADED", { message: "busy", retryable: true });
  const words = (errorAfterChunks?: number) => text("abcd", { chunkSize: 2, error, errorAfterChunks });
  const provider = scripted([
    error,
    words(),
    words(0),
    words(1),
    words(2),
    words(99),
    { events: [], error, errorAfterChunks: 1 },
  ]);

  const failures = [];
  for (let count = 0; count < 7; count += 1) failures.push(await askUntilFailure(provider));

  expect(failures.map(({ types }) => types)).toEqual([
    [],
    [],
    ["message-start"],
    ["message-start", "text-delta"],
    ["message-start", "text-delta", "text-delta"],
    ["message-start", "text-delta", "text-delta"],
    [],
  ]);
  for (const failure of failures) expect(failure.error).toBe(error);
});

test("delays pass before the first event and before each delta", async () => {
  vi.useFakeTimers();
  const provider = scripted([text("abc", { delayMs: 100, chunkDelayMs: 10, chunkSize: 1 })]);
  const started = Date.now();
  const seen: [string, number][] = [];

  const done = (async () => {
    for await (const event of provider.stream(makeRequest())) seen.push([event.type, Date.now() - started]);
  })();
  await vi.runAllTimersAsync();
  await done;

  expect(seen).toEqual([
    ["message-start", 100],
    ["text-delta", 110],
    ["text-delta", 120],
    ["text-delta", 130],
    ["message-end", 130],
  ]);
});

test("an abort ends a delay at once with the signal's reason, and leaves no timer and no listener", async () => {
  vi.useFakeTimers();
  const reason = new RunAbortedError("enough");
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, "addEventListener");
  const removed = vi.spyOn(controller.signal, "removeEventListener");
  const provider = scripted([text("ab", { delayMs: 50, chunkDelayMs: 60_000 })]);
  const failing = askUntilFailure(provider, makeRequest({ signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(50);

  controller.abort(reason);
  const { types, error } = await failing;

  expect({ types, error }).toEqual({ types: ["message-start"], error: reason });
  expect(vi.getTimerCount()).toBe(0);
  expect(added).toHaveBeenCalledTimes(2);
  expect(removed).toHaveBeenCalledTimes(1);
});

test("a delay on an aborted signal fails at once, a foreign reason as RunAbortedError", async () => {
  const provider = scripted([text("a", { delayMs: 60_000 })]);

  const { error } = await askUntilFailure(provider, makeRequest({ signal: AbortSignal.abort("no reason") }));

  expect(error).toMatchObject({ code: "RUN_ABORTED", cause: "no reason" });
});

test("the signal is not read unless there is a delay", async () => {
  const request = Object.defineProperty(makeRequest(), "signal", {
    get() {
      throw new Error("the signal was read");
    },
  });
  const provider = scripted(["a", () => toolCall("b"), text("c", { delayMs: 1 })]);

  await ask(provider, request);
  await ask(provider, request);
  const { error } = await askUntilFailure(provider, request);

  expect(error).toMatchObject({ message: "the signal was read" });
});

test("a provider can be spread to change one of its fields", async () => {
  const provider = { ...scripted(["a"]), model: "other" };

  await ask(provider);

  expect(provider.model).toBe("other");
  expect(provider.requests).toHaveLength(1);
  provider.assertExhausted();
});

test("breaking off a stream uses its turn", async () => {
  const provider = scripted(["one", "two"]);

  for await (const _ of provider.stream(makeRequest())) break;
  const events = await ask(provider);

  expect(events[1]).toEqual({ type: "text-delta", text: "two" });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function failureOf(work: () => void): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("It did not fail.");
}
