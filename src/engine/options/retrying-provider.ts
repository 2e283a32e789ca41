import type { ProviderAdapter } from "../../contracts/provider.js";
import { isRetrying, repeating } from "../model/retry.js";
import type { RunSetup } from "../run/run-state.js";
import { retrySettings } from "./read-options.js";

/** The provider with its retry layer, unless it has one. */
export function retryingProvider(
  provider: ProviderAdapter,
  { config, limits, deadlines, loop }: Pick<RunSetup, "config" | "limits" | "deadlines" | "loop">,
): ProviderAdapter {
  if (isRetrying(provider)) return provider;
  const isUsual = limits === config.limits;
  const settings = isUsual ? config.retrySettings : retrySettings(config.retry, limits, config.runtime);
  return repeating(provider, settings, deadlines, () => loop().RetryingStream);
}
