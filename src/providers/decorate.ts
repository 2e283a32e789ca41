import type { ProviderAdapter } from "../contracts/provider.js";
import { isRetrying, markRetrying } from "../engine/model/retry.js";

/** The same provider with another stream around its own. */
export function decorateProvider(provider: ProviderAdapter, stream: ProviderAdapter["stream"]): ProviderAdapter {
  const { id, model, contextWindow, maxOutputTokens, prices } = provider;
  const decorated: ProviderAdapter = {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices && { prices }),
    stream,
  };
  return isRetrying(provider) ? markRetrying(decorated) : decorated;
}
