import { expect, test } from "vitest";
import { type AiSdkLanguageModel, aiSdk } from "../../../../src/providers/ai-sdk/index.js";
import { anthropic } from "../../../../src/providers/anthropic/index.js";
import { google } from "../../../../src/providers/google/index.js";
import { findModelLimits } from "../../../../src/providers/index.js";
import { listPrices } from "../../../../src/providers/shared/models/price-of.js";

const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const model = {
  specificationVersion: "v3",
  provider: "anthropic.messages",
  modelId: "claude-sonnet-4-5",
  doStream: () => {},
};

test.each([
  ["anthropic", "claude-sonnet-4-5", anthropic({ model: "claude-sonnet-4-5", apiKey: "k" })],
  ["google", "gemini-2.5-pro", google({ model: "gemini-2.5-pro", apiKey: "k" })],
  ["anthropic", "claude-sonnet-4-5", aiSdk(model as unknown as AiSdkLanguageModel)],
] as const)("%s %s has a price and a window without a call for it", (provider, name, adapter) => {
  const limits = findModelLimits({ provider, model: name })!;

  expect(adapter.contextWindow).toBe(limits.contextWindow);
  expect(adapter.prices?.({ provider: adapter.id, model: name }, usage)).toBeGreaterThan(0);
});

test("another server's price is its own", () => {
  const proxy = anthropic({ model: "claude-sonnet-4-5", baseURL: "http://localhost:1" });

  expect(proxy.contextWindow).toBeUndefined();
  expect(proxy.prices?.({ provider: proxy.id, model: proxy.model }, usage)).toBeNull();
});

test("a long prompt to Claude Haiku 5.5 costs more, all of it; Groq's models have prices of its own", () => {
  const prices = listPrices();
  const haiku = (inputTokens: number) =>
    prices({ provider: "anthropic", model: "claude-haiku-5-5" }, { inputTokens, outputTokens: 0 });

  expect(haiku(100_000)).toBeCloseTo(0.01, 10);
  expect(haiku(200_000)).toBeCloseTo(0.1, 10);
  expect(prices({ provider: "groq", model: "openai/gpt-oss-120b" }, usage)).toBeCloseTo(0.15, 10);
});
