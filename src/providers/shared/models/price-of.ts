import type { PriceLookup } from "../../../contracts/provider.js";
import type { Usage } from "../../../contracts/usage.js";
import { findListPrice, type ModelPrice } from "./known-models.js";

/** The cost of these tokens at this price. Unit: US dollars. `inputTokens` counts everything that was sent, caches included. */
export function priceOf(usage: Usage, price: ModelPrice): number {
  const tier = price.tiers?.findLast(({ aboveInputTokens }) => usage.inputTokens > aboveInputTokens);
  const { inputUsd, outputUsd, cacheReadUsd = inputUsd, cacheWriteUsd = inputUsd } = tier ?? price;
  const read = usage.cacheReadTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const plain = Math.max(0, usage.inputTokens - read - written);
  const total = plain * inputUsd + read * cacheReadUsd + written * cacheWriteUsd + usage.outputTokens * outputUsd;
  return total / 1_000_000;
}

/**
 * The cost of an adapter's model calls by the table of well-known models; `null` for every other model. For
 * `ProviderAdapter.prices`: an adapter whose `id` is the host's own gives the vendor's name. `writeFactor` is what input
 * that is written to a cache costs, by the price of other input, where that is not the table's.
 */
export function listPrices(vendor?: string, writeFactor?: number): PriceLookup {
  return ({ provider, model }, usage) => {
    const price = findListPrice({ provider: vendor ?? provider, model });
    if (!price) return null;
    return priceOf(usage, writeFactor === undefined ? price : withWrites(price, writeFactor));
  };
}

function withWrites(price: ModelPrice, factor: number): ModelPrice {
  const priced = <Price extends Omit<ModelPrice, "tiers">>(one: Price) => ({
    ...one,
    cacheWriteUsd: one.inputUsd * factor,
  });
  return { ...priced(price), tiers: price.tiers?.map(priced) };
}
