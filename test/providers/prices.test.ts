import { expect, test } from "vitest";
import { anthropic } from "../../src/providers/anthropic/index.js";
import { createPrices, findModelLimits, loadPrices, withRetry } from "../../src/providers/index.js";

const USAGE = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 400_000 };

test("a known model costs its list price, with the cached part at its own", () => {
  const cost = createPrices()({ provider: "openai", model: "gpt-5.1" }, USAGE);

  expect(cost).toBeCloseTo(0.6 * 1.25 + 0.4 * 0.125 + 0.1 * 10, 10);
});

test("a dated name costs what its model does, one that is not listed is not guessed", () => {
  const prices = createPrices();

  expect(prices({ provider: "openai", model: "gpt-4o-2024-11-20" }, USAGE)).not.toBeNull();
  for (const model of ["gpt-4o-2024-01-01", "gpt-4.5-preview", "GPT-5.1", "__proto__", ""]) {
    expect(prices({ provider: "openai", model }, USAGE)).toBeNull();
  }
  expect(prices({ provider: "my-proxy", model: "gpt-5.1" }, USAGE)).toBeNull();
});

test("nothing used costs nothing", () => {
  expect(createPrices()({ provider: "openai", model: "gpt-5" }, { inputTokens: 0, outputTokens: 0 })).toBe(0);
});

test("the host's prices win: by provider and model, then by model, and null means not known", () => {
  const prices = createPrices({
    "openai/gpt-5": { inputUsd: 1, outputUsd: 2 },
    "gpt-5": { inputUsd: 10, outputUsd: 20, cacheReadUsd: 1, cacheWriteUsd: 12 },
    "openai/gpt-4o": null,
  });
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 500_000, cacheWriteTokens: 250_000 };

  expect(prices({ provider: "openai", model: "gpt-5" }, usage)).toBeCloseTo(1, 10);
  expect(prices({ provider: "azure", model: "gpt-5" }, usage)).toBeCloseTo(2.5 + 0.5 + 3, 10);
  expect(prices({ provider: "openai", model: "gpt-4o" }, usage)).toBeNull();
});

test("a wrong price is refused by name", () => {
  for (const price of [{}, { inputUsd: -1, outputUsd: 1 }, { inputUsd: 1, outputUsd: Number.NaN }, "1", []]) {
    expect(() => createPrices({ "my/model": price as never })).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining('"my/model"') }),
    );
  }
});

test("limits are reported for known models only", () => {
  expect(findModelLimits({ provider: "openai", model: "gpt-4o" })).toEqual({
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
  });
  expect(findModelLimits({ provider: "openai", model: "unheard-of" })).toBeUndefined();
});

test("every vendor's well-known models have a price and a window", () => {
  const models = {
    openai: "gpt-6-sol",
    anthropic: "claude-opus-5",
    google: "gemini-2.5-pro",
    deepseek: "deepseek-v4-pro",
    mistral: "codestral-2508",
    xai: "grok-4.6",
    kimi: "kimi-k3",
    glm: "glm-5.3",
    qwen: "qwen3-max",
  };
  for (const [provider, model] of Object.entries(models)) {
    expect(createPrices()({ provider, model }, USAGE), model).toBeGreaterThan(0);
    expect(findModelLimits({ provider, model })!.contextWindow, model).toBeGreaterThan(30_000);
  }
});

test("models of late 2026 are known", () => {
  const names = ["openai/gpt-6.1-sol", "openai/gpt-6.1-terra", "anthropic/claude-mythos-5-1", "xai/grok-4.7"];
  const known = [...names, "mistral/codestral-latest", "glm/glm-5.1", "glm/glm-4.7", "qwen/qwen3.8-max"];
  for (const [provider, model] of known.map((name) => name.split("/") as [string, string])) {
    expect(createPrices()({ provider, model }, USAGE), model).toBeGreaterThan(0);
    expect(findModelLimits({ provider, model })!.contextWindow, model).toBeGreaterThan(100_000);
  }
  const large = { inputTokens: 300_000, outputTokens: 0 };
  expect(createPrices()({ provider: "openai", model: "gpt-6.1-terra" }, large)).toBeCloseTo(0.6, 10);
});

test("a large request costs what its tier says, all of it; cache writes have their own price", () => {
  const prices = createPrices();
  const claude = { provider: "anthropic", model: "claude-sonnet-4-5" };
  const written = { inputTokens: 100_000, outputTokens: 0, cacheWriteTokens: 100_000 };

  expect(prices(claude, { inputTokens: 200_000, outputTokens: 0 })).toBeCloseTo(0.2 * 3, 10);
  expect(prices(claude, { inputTokens: 200_001, outputTokens: 1_000_000 })).toBeCloseTo(0.200001 * 6 + 22.5, 6);
  expect(prices(claude, written)).toBeCloseTo(0.1 * 3.75, 10);
  const tiers = [
    { aboveInputTokens: 10, inputUsd: 2, outputUsd: 0 },
    { aboveInputTokens: 20, inputUsd: 3, outputUsd: 0 },
  ];
  const own = createPrices({ m: { inputUsd: 1, outputUsd: 0, tiers } });
  const costs = [10, 11, 21].map(
    (inputTokens) => own({ provider: "p", model: "m" }, { inputTokens, outputTokens: 0 })!,
  );
  expect(costs.map((cost) => Math.round(cost * 1e6))).toEqual([10, 22, 63]);
});

test("what stays in Claude's cache for an hour costs twice the input", () => {
  const usage = { inputTokens: 100_000, outputTokens: 0, cacheWriteTokens: 100_000 };
  const cost = (cache: "5m" | "1h") => {
    const { prices } = anthropic({ model: "claude-opus-5-5", apiKey: "k", cache });
    return prices!({ provider: "anthropic", model: "claude-opus-5-5" }, usage);
  };

  expect([cost("5m"), cost("1h")]).toEqual([0.5, 0.8]);
});

test("the optional package knows the models that neither table has; the host's table still wins", async () => {
  const prices = await loadPrices({ "groq/qwen/qwen3-32b": null });
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };

  expect(prices({ provider: "cerebras", model: "gpt-oss-120b" }, usage)).toBeCloseTo(0.35, 10);
  expect(createPrices()({ provider: "cerebras", model: "gpt-oss-120b" }, usage)).toBeNull();
  expect(prices({ provider: "groq", model: "qwen/qwen3-32b" }, usage)).toBeNull();
  expect(prices({ provider: "nobody", model: "unheard-of" }, usage)).toBeNull();
});

test("withRetry is the core's own", async () => {
  const core = await import("../../src/index.js");

  expect(withRetry).toBe(core.withRetry);
});
