import type { PriceLookup } from "../contracts/provider.js";
import {
  checkOptions,
  eitherOf,
  numberFrom,
  type OptionTable,
  oneOf,
  recordOf,
  required,
  tableOf,
} from "../json/check-options.js";
import { findListPrice, type ModelName, type ModelPrice } from "./shared/known-models.js";

/**
 * A host's own prices by `"provider/model"`, or by the model's name alone for any provider.
 * `null` says that the cost of a model is not known, whatever the list price.
 */
export type PriceTable = Readonly<Record<string, ModelPrice | null>>;

const DOLLARS = numberFrom(0, "dollars for a million tokens", undefined, true);
const PRICE = {
  inputUsd: required(DOLLARS),
  outputUsd: required(DOLLARS),
  cacheReadUsd: DOLLARS,
  cacheWriteUsd: DOLLARS,
} satisfies OptionTable<ModelPrice>;
const TABLE = recordOf(eitherOf(oneOf(null), tableOf(PRICE)), "prices by model");

/**
 * What model calls cost: the host's table first, then a small dated table of well-known models; `null` for every other
 * model, never a guess.
 *
 * `usage.inputTokens` is taken to count everything that was sent, caches included.
 *
 * @example
 * new AgentEngine({ provider, tools, prices: createPrices({ "ollama/qwen3": { inputUsd: 0, outputUsd: 0 } }) });
 *
 * @throws ConfigurationError `OPTION_INVALID` for a price that is not a number of at least 0
 */
export function createPrices(table: PriceTable = {}): PriceLookup {
  checkOptions("createPrices()", { prices: table }, { prices: TABLE });
  const own = new Map(Object.entries(table));
  return (model, usage) => {
    const price = findPrice(own, model);
    if (!price) return null;
    const read = usage.cacheReadTokens ?? 0;
    const written = usage.cacheWriteTokens ?? 0;
    const plain = Math.max(0, usage.inputTokens - read - written);
    const { inputUsd, outputUsd, cacheReadUsd = inputUsd, cacheWriteUsd = inputUsd } = price;
    const total = plain * inputUsd + read * cacheReadUsd + written * cacheWriteUsd + usage.outputTokens * outputUsd;
    return total / 1_000_000;
  };
}

function findPrice(own: ReadonlyMap<string, ModelPrice | null>, model: ModelName): ModelPrice | null | undefined {
  for (const name of [`${model.provider}/${model.model}`, model.model]) {
    const price = own.get(name);
    if (price !== undefined) return price;
  }
  return findListPrice(model);
}
