import type { ProviderAdapter } from "../../contracts/provider.js";
import { retrySettings } from "../options/read-options.js";
import type { RunSetup } from "../run/run-state.js";
import { isRetrying, repeating } from "./retry.js";

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
