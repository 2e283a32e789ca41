import type { PriceLookup } from "../contracts/provider.js";
import type { Usage } from "../contracts/usage.js";
import {
  checkOptions,
  eitherOf,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  recordOf,
  required,
  tableOf,
} from "../json/check-options.js";
import { loadPeerIfInstalled } from "../peers/load-peer.js";
import { findListPrice, type ModelName, type ModelPrice, type ModelPriceTier } from "./shared/models/known-models.js";
import { priceOf } from "./shared/models/price-of.js";

/**
 * A host's own prices by `"provider/model"`, or by the model's name alone for any provider.
 * `null` says that the cost of a model is not known, whatever the list price.
 */
export type PriceTable = Readonly<Record<string, ModelPrice | null>>;

const DOLLARS = numberFrom(0, "dollars for a million tokens", undefined, true);
const RATES = {
  inputUsd: required(DOLLARS),
  outputUsd: required(DOLLARS),
  cacheReadUsd: DOLLARS,
  cacheWriteUsd: DOLLARS,
};
const TIER = { ...RATES, aboveInputTokens: required(numberFrom(0, "tokens")) } satisfies OptionTable<ModelPriceTier>;
const PRICE = { ...RATES, tiers: listOf(tableOf(TIER), "tiers") } satisfies OptionTable<ModelPrice>;
const TABLE = recordOf(eitherOf(oneOf(null), tableOf(PRICE)), "prices by model");

/**
 * The cost of model calls: the host's table first, then a small dated table of well-known models; `null` for every other
 * model, never a guess. `loadPrices` knows more models.
 *
 * `usage.inputTokens` is taken to count everything that was sent, caches included.
 *
 * @example
 * new AgentEngine({ provider, tools, prices: createPrices({ "ollama/qwen3": { inputUsd: 0, outputUsd: 0 } }) });
 *
 * @throws ConfigurationError `OPTION_INVALID` for a price that is not a number of at least 0
 */
export function createPrices(table: PriceTable = {}): PriceLookup {
  return pricesOver("createPrices()", table, () => null);
}

/**
 * The same, with the prices of the package `@pydantic/genai-prices` for every model that neither table has. Without the
 * package it is `createPrices`: install it with `npm install @pydantic/genai-prices`.
 *
 * @example
 * new AgentEngine({ provider, tools, prices: await loadPrices() });
 *
 * @throws ConfigurationError `OPTION_INVALID` for a price that is not a number of at least 0, `PEER_UNSUPPORTED` for a version
 * of the package that counts in another way
 */
export async function loadPrices(table: PriceTable = {}): Promise<PriceLookup> {
  const peer = await loadGenaiPrices();
  return pricesOver("loadPrices()", table, (model, usage) => (peer ? peerPrice(peer, model, usage) : null));
}

type Rest = (model: ModelName, usage: Usage) => number | null;

function pricesOver(owner: string, table: PriceTable, rest: Rest): PriceLookup {
  checkOptions(owner, { prices: table }, { prices: TABLE });
  const own = new Map(Object.entries(table));
  return (model, usage) => {
    const price = findPrice(own, model);
    if (price === undefined) return rest(model, usage);
    const cost = price === null ? null : priceOf(usage, price);
    return Number.isNaN(cost) ? null : cost;
  };
}

function findPrice(own: ReadonlyMap<string, ModelPrice | null>, model: ModelName): ModelPrice | null | undefined {
  for (const name of [`${model.provider}/${model.model}`, model.model]) {
    const price = own.get(name);
    if (price !== undefined) return price;
  }
  return findListPrice(model);
}

/** The parts of the package that are used. */
interface GenaiPrices {
  calcPrice(
    usage: Readonly<Record<string, number>>,
    model: string,
    options: { readonly providerId: string },
  ): { readonly total_price: number } | null;
}

function loadGenaiPrices(): Promise<GenaiPrices | undefined> {
  const name = "@pydantic/genai-prices";
  const load = async (): Promise<GenaiPrices> => {
    const { importByName } = await import("../peers/import-by-name.js");
    return (await importByName(name)) as GenaiPrices;
  };
  return loadPeerIfInstalled(name, load, ["calcPrice"]);
}

function peerPrice(peer: GenaiPrices, { provider, model }: ModelName, usage: Usage): number | null {
  const counted = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(usage.cacheReadTokens !== undefined && { cache_read_tokens: usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
  };
  try {
    const price = peer.calcPrice(counted, model, { providerId: PEER_NAMES[provider] ?? provider })?.total_price;
    return typeof price === "number" && Number.isFinite(price) ? price : null;
  } catch {
    return null; // Usage that does not add up is not a price of 0.
  }
}

/** The package's names of our providers. */
const PEER_NAMES: Readonly<Record<string, string>> = { kimi: "moonshotai", glm: "zai", xai: "x-ai" };
