import type { ProviderAdapter } from "../contracts/provider.js";
import { isRetrying, markRetrying, modelCardOf } from "../engine/model/retry.js";

/** The same provider with another stream around its own. */
export function decorateProvider(provider: ProviderAdapter, stream: ProviderAdapter["stream"]): ProviderAdapter {
  const decorated: ProviderAdapter = { ...modelCardOf(provider), stream };
  return isRetrying(provider) ? markRetrying(decorated) : decorated;
}
