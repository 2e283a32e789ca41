import { ConfigurationError } from "../contracts/errors.js";
import type { PriceLookup, Usage } from "../contracts/provider.js";
import { findListPrice, type ModelName, type ModelPrice } from "./shared/known-models.js";
import { priceOf } from "./shared/price-of.js";

/**
 * A host's own prices by `"provider/model"`, or by the model's name alone for any provider.
 * `null` says that the cost of a model is not known, whatever the list price.
 */
export type PriceTable = Readonly<Record<string, ModelPrice | null>>;

/**
 * What model calls cost: the host's table first, then a small dated table of well-known models; `null` for every other
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
  return pricesOver(table, () => null);
}

/**
 * The same, with the prices of the package `@pydantic/genai-prices` for every model that neither table has. Without the
 * package it is `createPrices`: install it with `npm install @pydantic/genai-prices`.
 *
 * @example
 * new AgentEngine({ provider, tools, prices: await loadPrices() });
 *
 * @throws ConfigurationError `OPTION_INVALID` for a price that is not a number of at least 0
 */
export async function loadPrices(table: PriceTable = {}): Promise<PriceLookup> {
  const prices = createPrices(table);
  const peer = await loadGenaiPrices();
  return peer ? pricesOver(table, (model, usage) => peerPrice(peer, model, usage)) : prices;
}

type Rest = (model: ModelName, usage: Usage) => number | null;

function pricesOver(table: PriceTable, rest: Rest): PriceLookup {
  const own = new Map(Object.entries(table));
  for (const [name, price] of own) if (price !== null) checkPrice(name, price);
  return (model, usage) => {
    const price = findPrice(own, model);
    if (price === undefined) return rest(model, usage);
    return price === null ? null : priceOf(usage, price);
  };
}

function findPrice(own: ReadonlyMap<string, ModelPrice | null>, model: ModelName): ModelPrice | null | undefined {
  for (const name of [`${model.provider}/${model.model}`, model.model]) {
    const price = own.get(name);
    if (price !== undefined) return price;
  }
  return findListPrice(model);
}

/** What is used of the package. */
interface GenaiPrices {
  calcPrice(
    usage: Readonly<Record<string, number>>,
    model: string,
    options: { readonly providerId: string },
  ): { readonly total_price: number } | null;
}

async function loadGenaiPrices(): Promise<GenaiPrices | undefined> {
  // Bundlers would take the package for a part of the program.
  const specifier = "@pydantic/genai-prices";
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ specifier)) as GenaiPrices;
  } catch {
    return undefined;
  }
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
    return null; // Usage that does not add up is no price of 0.
  }
}

/** What the package calls our providers. */
const PEER_NAMES: Readonly<Record<string, string>> = { kimi: "moonshotai", glm: "zai", xai: "x-ai" };

const FIELDS = ["inputUsd", "outputUsd", "cacheReadUsd", "cacheWriteUsd"] as const;

function checkPrice(name: string, price: ModelPrice): void {
  const isObject = typeof price === "object" && !Array.isArray(price);
  for (const field of FIELDS) {
    const value: unknown = isObject ? price[field] : undefined;
    const isOptional = field.startsWith("cache");
    if (isOptional && value === undefined) continue;
    if (typeof value === "number" && value >= 0 && Number.isFinite(value)) continue;
    throw wrongPrice(name, field, `${String(value)}; expected dollars for a million tokens, at least 0`);
  }
  if (price.tiers === undefined) return;
  if (!Array.isArray(price.tiers)) throw wrongPrice(name, "tiers", "something else than an array");
  for (const tier of price.tiers) {
    if (!(tier?.aboveInputTokens >= 0)) throw wrongPrice(name, "aboveInputTokens", "no number of at least 0");
    checkPrice(name, { ...tier, tiers: undefined });
  }
}

function wrongPrice(model: string, field: string, what: string): ConfigurationError {
  const message = `The price of "${model}" has ${field} ${what}.`;
  return new ConfigurationError("OPTION_INVALID", { message, details: { model, field } });
}
