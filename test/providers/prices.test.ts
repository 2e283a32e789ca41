import { expect, test } from "vitest";
import { createPrices, findModelLimits, withRetry } from "../../src/providers/index.js";

const USAGE = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 400_000 };

test("a known model costs its list price, with the cached part at its own", () => {
  const cost = createPrices()({ provider: "openai", model: "gpt-5.1" }, USAGE);

  expect(cost).toBeCloseTo(0.6 * 1.25 + 0.4 * 0.125 + 0.1 * 10, 10);
});

test("a dated name costs what its model does, one that is not listed is not guessed", () => {
  const prices = createPrices();

  expect(prices({ provider: "openai", model: "gpt-4o-2024-11-20" }, USAGE)).not.toBeNull();
  for (const model of ["gpt-4o-2024-05-13", "gpt-5.1-codex-max", "GPT-5.1", "__proto__", ""]) {
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

test("limits are told for known models only", () => {
  expect(findModelLimits({ provider: "openai", model: "gpt-4o" })).toEqual({
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
  });
  expect(findModelLimits({ provider: "openai", model: "unheard-of" })).toBeUndefined();
});

test("withRetry is the core's own", async () => {
  const core = await import("../../src/index.js");

  expect(withRetry).toBe(core.withRetry);
});
