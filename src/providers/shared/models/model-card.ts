import type { PriceLookup, ProviderAdapter } from "../../../contracts/provider.js";
import { findModelLimits } from "./known-models.js";
import { listPrices } from "./price-of.js";

/** The host's statements about a model; the rest is looked up. */
interface ModelOptions {
  readonly id: string;
  readonly model: string;
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** See `listPrices`. */
  readonly writeFactor?: number | undefined;
}

/**
 * An adapter's fields about its model. With a server that is not the vendor's own, price and window are that server's,
 * whatever the model is called. `owner` is the factory, such as `openai()`.
 */
export function modelCard(
  { id, model, contextWindow, maxOutputTokens, writeFactor }: ModelOptions,
  owner: string,
  vendor: string,
  isVendorsOwn: boolean,
): Omit<ProviderAdapter, "stream"> {
  const provider = isVendorsOwn ? vendor : id === vendor ? "" : id;
  const known = findModelLimits({ provider, model });
  const window = contextWindow ?? known?.contextWindow;
  const output = maxOutputTokens ?? known?.maxOutputTokens;
  const prices = listPrices(provider, writeFactor);
  return {
    id,
    model,
    ...(window !== undefined && { contextWindow: window }),
    ...(output !== undefined && { maxOutputTokens: output }),
    prices,
    ...(window === undefined && { unknown: unknownModel(id, model, owner, prices, provider !== "") }),
  };
}

/** The notice for a model that is not in the table: its consequences, and the way to declare the model. */
function unknownModel(id: string, model: string, owner: string, prices: PriceLookup, isListed: boolean): string {
  const isPriced = prices({ provider: id, model }, { inputTokens: 0, outputTokens: 0 }) !== null;
  const price = isPriced
    ? ""
    : " Its price is not known either, so costs are null: pass the engine prices of createPrices().";
  const why = isListed
    ? "is not in the table of known models."
    : "is not known: its server is not the vendor's own, so the vendor's table does not count.";
  return `The model "${model}" of provider "${id}" ${why} Its context window is not known, so the view is made smaller only once a request is refused as too long: pass contextWindow to ${owner}.${price}`;
}
