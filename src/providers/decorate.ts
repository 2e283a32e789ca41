import type { ProviderAdapter } from "../contracts/provider.js";
import { isRetrying, markRetrying } from "../engine/model/retry.js";

/** The same provider with another stream around its own. */
export function decorateProvider(provider: ProviderAdapter, stream: ProviderAdapter["stream"]): ProviderAdapter {
  const { id, model, contextWindow, maxOutputTokens, prices, serverTools, unknown } = provider;
  const decorated: ProviderAdapter = {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices && { prices }),
    ...(serverTools && { serverTools }),
    ...(unknown !== undefined && { unknown }),
    stream,
  };
  return isRetrying(provider) ? markRetrying(decorated) : decorated;
}
