// What vendors say of their caches reaches the guard's listener, with the break that was found and with money.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { ProviderAdapter, ProviderRequest } from "../../../src/contracts/provider.js";
import { anthropic } from "../../../src/providers/anthropic/anthropic.js";
import { type CacheMiss, withCacheGuard } from "../../../src/providers/cache-guard/with-cache-guard.js";
import { openai } from "../../../src/providers/openai/openai.js";
import {
  anthropicEvents,
  createFaultServer,
  namedSse,
  responseEvents,
  sse,
} from "../../../src/testing/fault-server/index.js";

async function missesOf(provider: ProviderAdapter, requests: readonly Partial<ProviderRequest>[]) {
  const misses: CacheMiss[] = [];
  const guarded = withCacheGuard(provider, {
    onMiss(miss) {
      misses.push(miss);
      throw new Error("The listener's own.");
    },
  });
  for (const request of requests) {
    const signal = new AbortController().signal;
    const prompt = { role: "user", content: [{ type: "text", text: "Hi." }] } as const;
    for await (const _ of guarded.stream({
      system: [],
      tools: [],
      messages: [prompt],
      sessionId: "s",
      signal,
      ...request,
    }));
  }
  return misses;
}

const CHANGED = [{ system: [{ id: "a", text: "One." }] }, { system: [{ id: "a", text: "Two." }] }];

test("Anthropic is told the last response, and says which part has changed and what was missed", async () => {
  const reason = { type: "system_changed", cache_missed_input_tokens: 100_000 };
  const events = anthropicEvents({ text: "Hello." });
  const missing = events.map((event) =>
    event.type === "message_start"
      ? { ...event, message: { ...(event.message as JsonObject), diagnostics: { cache_miss_reason: reason } } }
      : event,
  );
  const server = await createFaultServer([{ body: namedSse(events) }, { body: namedSse(missing) }]);
  const prices: ProviderAdapter["prices"] = (_, { inputTokens, cacheReadTokens = 0 }) =>
    (inputTokens - cacheReadTokens) * 5e-6 + cacheReadTokens * 5e-7;
  const plain = anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: server.url, cacheDiagnosis: true });

  const [miss, ...others] = await missesOf({ ...plain, prices }, CHANGED);

  const asked = server.requests.map(({ text }) => JSON.parse(text).diagnostics);
  expect(asked).toEqual([{ previous_message_id: null }, { previous_message_id: "msg_1" }]);
  expect(String(server.requests[0]!.headers["anthropic-beta"])).toBe("cache-diagnosis-2026-04-07");
  expect(JSON.parse(server.requests[1]!.text).thread).toBeUndefined();
  expect(others).toEqual([]);
  expect(miss).toMatchObject({ sessionId: "s", reason: "system_changed", missedTokens: 100_000 });
  expect(miss!.costUsd).toBeCloseTo(0.45);
  expect(miss!.found).toMatchObject({ segment: "system", index: 0 });
  await server.close();
});

test("OpenAI says by itself what was missed; a hit is no miss, and an unknown price costs nobody knows what", async () => {
  const answers: JsonObject[] = [
    { type: "cache_hit" },
    { type: "cache_miss", reason: "tools_changed", cache_missed_tokens: 900 },
  ];
  const replies = answers.map((prompt_cache_diagnostics) => {
    const events = responseEvents({ text: "Hello." });
    const end = events.at(-1)!;
    const response = { ...(end.response as JsonObject), prompt_cache_diagnostics };
    return { body: sse([...events.slice(0, -1), { ...end, response }]) };
  });
  const server = await createFaultServer(replies);
  const provider = openai({
    id: "mine",
    model: "m",
    api: "responses",
    cacheDiagnosis: true,
    apiKey: "k",
    baseURL: server.url,
  });

  const misses = await missesOf(provider, [{}, {}]);

  expect(misses).toEqual([{ sessionId: "s", reason: "tools_changed", missedTokens: 900, costUsd: null }]);
  await server.close();
});
