import type { ProviderAdapter } from "../../../contracts/provider.js";
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
 * whatever the model is called.
 */
export function modelCard(
  { id, model, contextWindow, maxOutputTokens, writeFactor }: ModelOptions,
  vendor: string,
  isVendorsOwn: boolean,
): Omit<ProviderAdapter, "stream"> {
  const provider = isVendorsOwn ? vendor : id === vendor ? "" : id;
  const known = findModelLimits({ provider, model });
  const window = contextWindow ?? known?.contextWindow;
  const output = maxOutputTokens ?? known?.maxOutputTokens;
  return {
    id,
    model,
    ...(window !== undefined && { contextWindow: window }),
    ...(output !== undefined && { maxOutputTokens: output }),
    prices: listPrices(provider, writeFactor),
  };
}
