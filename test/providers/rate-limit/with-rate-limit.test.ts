import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProviderAdapter } from "../../../src/contracts/provider.js";
import { withRateLimit, withRetry } from "../../../src/providers/index.js";
import { outcome, request, textOf } from "../openai/streams.js";
import { failing, playing, said } from "../playing.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks, and notes the minute's millisecond at which the answer was complete. */
function asking(provider: ProviderAdapter) {
  const ended: (readonly [string, number])[] = [];
  const start = performance.now();
  const ask = async (name: string, overrides = {}) => {
    const { events, error } = await outcome(provider.stream(request(overrides)));
    ended.push([
      error ? String((error as Error).message ?? error) : `${name}:${textOf(events)}`,
      Math.round(performance.now() - start),
    ]);
    return events;
  };
  return { ask, ended };
}

test("no more requests begin within a minute than are allowed, and they keep their order", async () => {
  const { ask, ended } = asking(withRateLimit(playing("p", said("x")), { requestsPerMinute: 2 }));

  const all = Promise.all(["a", "b", "c", "d", "e"].map((name) => ask(name)));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ended.map(([name]) => name)).toEqual(["a:x", "b:x"]);
  await vi.advanceTimersByTimeAsync(120_000);
  await all;

  expect(ended).toEqual([
    ["a:x", 0],
    ["b:x", 0],
    ["c:x", 60_000],
    ["d:x", 60_000],
    ["e:x", 120_000],
  ]);
});

test("the window slides: a request that began later makes room later", async () => {
  const { ask, ended } = asking(withRateLimit(playing("p", said("x")), { requestsPerMinute: 2 }));

  await ask("a");
  await vi.advanceTimersByTimeAsync(40_000);
  const rest = Promise.all(["b", "c", "d"].map((name) => ask(name)));
  await vi.advanceTimersByTimeAsync(200_000);
  await rest;

  expect(ended.map(([, at]) => at)).toEqual([0, 40_000, 60_000, 100_000]);
});

test("tokens that were used count, not only those that were estimated", async () => {
  const usage = { inputTokens: 600, outputTokens: 100 };
  const { ask, ended } = asking(withRateLimit(playing("p", said("x", usage)), { tokensPerMinute: 1_000 }));

  await ask("a");
  await ask("b");
  const rest = ask("c");
  await vi.advanceTimersByTimeAsync(60_000);
  await rest;

  expect(ended.map(([, at]) => at)).toEqual([0, 0, 60_000]);
});

test("a request that is larger than the limit goes when nothing else does", async () => {
  const { ask, ended } = asking(withRateLimit(playing("p", said("x")), { tokensPerMinute: 10 }));
  const long = { messages: [{ role: "user", content: [{ type: "text", text: "word ".repeat(1_000) }] }] };

  const all = Promise.all([ask("a", long), ask("b", long)]);
  await vi.advanceTimersByTimeAsync(60_000);
  await all;

  expect(ended.map(([, at]) => at)).toEqual([0, 60_000]);
});

test("no more requests are under way at once than are allowed, however they end", async () => {
  const provider = withRateLimit(playing("p", "stall", [failing("SERVER")], said("x")), { concurrent: 1 });
  const controller = new AbortController();
  const { ask, ended } = asking(provider);

  const first = ask("a", { signal: controller.signal });
  const others = Promise.all([ask("b"), ask("c"), ask("d")]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toEqual([]);
  controller.abort(new Error("enough"));
  await Promise.all([first, others]);

  expect(ended.map(([name]) => name)).toEqual(["enough", "SERVER", "c:x", "d:x"]);
});

test("a stream that is left makes room, also one that still waits", async () => {
  const inner = playing("p", "stall", said("x"));
  const provider = withRateLimit(inner, { concurrent: 1 });
  const first = provider.stream(request())[Symbol.asyncIterator]();
  await first.next();
  const second = provider.stream(request())[Symbol.asyncIterator]();
  const waiting = second.next();
  const third = outcome(provider.stream(request()));

  await second.return!();
  expect(await waiting).toEqual({ value: undefined, done: true });
  await first.return!();

  expect(textOf((await third).events)).toBe("x");
  expect(inner.requests).toHaveLength(2);
});

test("aborting a request that waits ends its wait at once, and nobody loses a turn", async () => {
  const { ask, ended } = asking(withRateLimit(playing("p", said("x")), { requestsPerMinute: 1 }));
  const controller = new AbortController();
  await ask("a");
  const all = Promise.all([ask("b", { signal: controller.signal }), ask("c")]);
  await vi.advanceTimersByTimeAsync(10_000);

  controller.abort(new Error("enough"));
  await vi.advanceTimersByTimeAsync(50_000);
  await all;

  expect(ended).toEqual([
    ["a:x", 0],
    ["enough", 10_000],
    ["c:x", 60_000],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("when the server says when to come back, everybody waits until then", async () => {
  const provider = withRateLimit(playing("p", [failing("RATE_LIMITED", 5_000)], said("x")), { concurrent: 4 });
  const { ask, ended } = asking(provider);

  await ask("a");
  const rest = Promise.all([ask("b"), ask("c")]);
  await vi.advanceTimersByTimeAsync(5_000);
  await rest;

  expect(ended.map(([, at]) => at)).toEqual([0, 5_000, 5_000]);
});

test("a refusal for weeks, or for good, does not hold up the requests after it", async () => {
  const plays = [[failing("RATE_LIMITED", 2 ** 32)], [failing("RATE_LIMITED", 30_000, false)], said("x")] as const;
  const { ask, ended } = asking(withRateLimit(playing("p", ...plays), { concurrent: 4 }));

  for (const name of ["a", "b", "c"]) await ask(name);

  expect(ended).toEqual([
    ["RATE_LIMITED", 0],
    ["RATE_LIMITED", 0],
    ["c:x", 0],
  ]);
});

test("waiting for one's turn is not silence, however little of it is allowed", async () => {
  const provider = withRetry(withRateLimit(playing("p", said("x")), { requestsPerMinute: 1 }), {
    firstTokenTimeoutMs: 1_500,
    idleTimeoutMs: 1_500,
    maxRetries: 0,
  });
  const { ask, ended } = asking(provider);

  await ask("a");
  const rest = Promise.all([ask("b"), ask("c")]);
  await vi.advanceTimersByTimeAsync(120_000);
  const events = await rest;

  expect(ended.map(([name, at]) => [name, at])).toEqual([
    ["a:x", 0],
    ["b:x", 60_000],
    ["c:x", 120_000],
  ]);
  expect(events.flat().some(({ type }) => type === "waiting")).toBe(false);
});

test("a provider that throws before it streams gives its place back", async () => {
  const inner = playing("p", said("x"));
  let isBroken = true;
  const stream: ProviderAdapter["stream"] = (asked) => {
    if (isBroken) throw failing("SERVER");
    return inner.stream(asked);
  };
  const { ask, ended } = asking(withRateLimit({ ...inner, stream }, { concurrent: 1 }));

  await ask("a");
  isBroken = false;
  const rest = ask("b");
  await vi.advanceTimersByTimeAsync(1_000);

  expect(ended.map(([name]) => name)).toEqual(["SERVER", "b:x"]);
  await rest;
});

test("one that leaves the line after its turn has come gives its place back", async () => {
  const provider = withRateLimit(playing("p", said("x")), { requestsPerMinute: 1, concurrent: 1 });
  const { ask, ended } = asking(provider);
  await ask("a");
  const leaving = provider.stream(request())[Symbol.asyncIterator]();
  const waiting = leaving.next();
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await waiting).value).toEqual({ type: "waiting" });
  await vi.advanceTimersByTimeAsync(50_000);

  await leaving.return?.();
  const rest = ask("b");
  await vi.advanceTimersByTimeAsync(60_000);

  expect(ended.map(([name]) => name)).toEqual(["a:x", "b:x"]);
  await rest;
});

test("wrong limits are refused by name", () => {
  for (const limits of [{ requestsPerMinute: 0 }, { tokensPerMinute: -1 }, { concurrent: 1.5 }, { rpm: 5 }]) {
    expect(() => withRateLimit(playing("p"), limits as never)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining(Object.keys(limits)[0]!) }),
    );
  }
});
