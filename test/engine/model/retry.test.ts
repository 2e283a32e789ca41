// Which failures repeat, after how long, and what consumers hear of it.
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { isRetrying } from "../../../src/engine/model/retry.js";
import {
  type ProviderAdapter,
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
  type RetryOptions,
  withRetry,
} from "../../../src/index.js";
import { scripted, type Turn, text } from "../../../src/providers/scripted/index.js";
import { quiet } from "../kit.js";

const failing = (about: { retryAfterMs?: number; retryable?: boolean } = {}) =>
  new ProviderError("RATE_LIMITED", { message: "Slow down.", retryable: true, ...about });

const request = (signal = new AbortController().signal): ProviderRequest => ({
  system: [],
  tools: [],
  messages: [],
  signal,
  sessionId: "s",
});

async function heard(provider: ProviderAdapter, signal?: AbortSignal): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(request(signal))) events.push(event);
  return events;
}

async function restarts(turns: Turn[], options: RetryOptions): Promise<[attempt: number, delayMs: number][]> {
  const events = await heard(withRetry(scripted(turns), options));
  return events.flatMap((event) => (event.type === "restart" ? [[event.attempt, event.delayMs]] : []));
}

test("waits double from baseMs up to maxMs", async () => {
  const turns = [failing(), failing(), failing(), failing(), text("ok")];

  expect(await restarts(turns, { maxRetries: 4, baseMs: 1, maxMs: 5, jitter: 0 })).toEqual([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 5],
  ]);
});

test("jitter takes a random share off a wait", async () => {
  expect(await restarts([failing(), text("ok")], { baseMs: 8, jitter: 0.5, random: () => 0.5 })).toEqual([[1, 6]]);
});

test("a server's retryAfterMs is honoured when it is longer than our own wait", async () => {
  expect(await restarts([failing({ retryAfterMs: 12 }), text("ok")], { baseMs: 1 })).toEqual([[1, 12]]);
});

test("a server that asks for too long a wait makes the call fail at once, and the error says how long", async () => {
  const provider = withRetry(scripted([failing({ retryAfterMs: 300_000 })]));

  await expect(heard(provider)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterMs: 300_000,
    message: expect.stringContaining("300 s"),
  });
});

test("what is not retryable, and what is not an error of ours, fails at once", async () => {
  for (const error of [failing({ retryable: false }), new Error("bug")]) {
    const inner = scripted([error, text("never")]);

    await expect(heard(withRetry(inner))).rejects.toBe(error);
    expect(inner.requestCount).toBe(1);
  }
});

test("when the attempts are used up the last error is thrown", async () => {
  const last = failing();

  await expect(heard(withRetry(scripted([failing(), last]), { maxRetries: 1, baseMs: 1 }))).rejects.toBe(last);
});

test("a stream that ends without message-end is broken, and retried", async () => {
  const events = await heard(withRetry(scripted([{ events: [{ type: "message-start" }] }, text("ok")]), { baseMs: 1 }));

  expect(events.map(({ type }) => type)).toEqual([
    "message-start",
    "restart",
    "message-start",
    "text-delta",
    "message-end",
  ]);
});

test("an abort ends a wait at once", async () => {
  const controller = new AbortController();
  const events = heard(withRetry(scripted([failing()]), { baseMs: 60_000 }), controller.signal);
  const outcome = events.catch((error: Error) => error.message);

  await quiet();
  controller.abort(new Error("lunch"));

  expect(await outcome).toBe("lunch");
});

test("a stream that is closed during a wait says no more, and leaves nothing behind", async () => {
  const { signal } = new AbortController();
  const stream = withRetry(scripted([failing()]), { baseMs: 60_000 })
    .stream(request(signal))
    [Symbol.asyncIterator]();
  expect((await stream.next()).value?.type).toBe("restart");
  const waiting = stream.next();

  await stream.return?.();

  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an attempt that was given up is reported through its signal, and not listened to any more", async () => {
  const signals: AbortSignal[] = [];
  let attempts = 0;
  const provider: ProviderAdapter = {
    id: "slow",
    model: "m",
    async *stream({ signal }) {
      signals.push(signal);
      if (attempts++ === 0) await new Promise(() => {});
      yield { type: "message-end", finishReason: "stop" };
    },
  };

  const events = await heard(withRetry(provider, { firstTokenTimeoutMs: 10, baseMs: 1 }));

  expect(events.map(({ type }) => type)).toEqual(["restart", "message-end"]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test("a slow consumer is not a silent provider", async () => {
  const provider = withRetry(scripted([text("abc", { chunkSize: 1 })]), { idleTimeoutMs: 5, baseMs: 1 });
  const types: string[] = [];

  for await (const { type } of provider.stream(request())) {
    types.push(type);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }

  expect(types).not.toContain("restart");
});

test("an event that throws when it is looked at fails the call instead of hanging it", async () => {
  const trap = Object.defineProperty({}, "type", {
    get: () => {
      throw new Error("boom");
    },
  });
  const provider: ProviderAdapter = {
    id: "trap",
    model: "m",
    async *stream() {
      yield trap as ProviderEvent;
    },
  };

  await expect(heard(withRetry(provider))).rejects.toThrow("boom");
});

test("a provider that retries already is known as one", () => {
  const provider = scripted([]);

  expect([isRetrying(provider), isRetrying(withRetry(provider))]).toEqual([false, true]);
});

test("a stream that was read to its end leaves no listener on the signal, and its provider has cleaned up", async () => {
  const { signal } = new AbortController();
  let cleanedUp = 0;
  const provider: ProviderAdapter = {
    id: "tidy",
    model: "m",
    async *stream() {
      try {
        yield { type: "message-start" };
        yield { type: "message-end", finishReason: "stop" };
      } finally {
        cleanedUp++;
      }
    },
  };

  const shared = withRetry(provider);
  for (let call = 0; call < 12; call++) await heard(call < 6 ? shared : withRetry(provider), signal);

  expect([getEventListeners(signal, "abort").length, cleanedUp]).toEqual([0, 12]);
});

test("a wrapped provider that two runs share leaves no listener on the signal of either", async () => {
  const shared = withRetry(scripted(Array.from({ length: 20 }, () => "Hello.")));
  const signals = [new AbortController().signal, new AbortController().signal];

  for (let turn = 0; turn < 20; turn++) {
    const stream = shared.stream(request(signals[turn % 2]))[Symbol.asyncIterator]();
    while ((await stream.next()).value?.type !== "message-end");
    await stream.return?.();
  }

  expect(signals.map((signal) => getEventListeners(signal, "abort").length)).toEqual([0, 0]);
});
