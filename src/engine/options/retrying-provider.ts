import type { ProviderAdapter } from "../../contracts/provider.js";
import { LinkedControllers } from "../model/attempt-signals.js";
import { isRetrying, markForRun } from "../model/retry.js";
import { repeating } from "../model/with-retry.js";
import type { RunSetup } from "../run/run-setup.js";
import { retrySettings } from "./read-options.js";

/**
 * `withRetry` for one run, unless its provider has a retry layer. A model call needs no timer and no listener of its own: the
 * layer has the run's deadlines and its signal.
 */
export function retryingProvider(
  provider: ProviderAdapter,
  { config, limits, deadlines }: Pick<RunSetup, "config" | "limits" | "deadlines">,
): ProviderAdapter {
  if (isRetrying(provider)) return provider;
  const isUsual = limits === config.limits;
  const settings = isUsual ? config.retrySettings : retrySettings(config.retry, limits, config.runtime);
  const layer = repeating(provider, settings, new LinkedControllers(true), deadlines);
  markForRun(layer);
  return layer;
}
