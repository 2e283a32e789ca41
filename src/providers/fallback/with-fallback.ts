import {
  ConfigurationError,
  isHarnessError,
  type ProviderError,
  type ProviderErrorCode,
} from "../../contracts/errors.js";
import type { PriceLookup, ProviderAdapter } from "../../contracts/provider.js";
import { isRetrying, markRetrying } from "../../engine/model/retry.js";
import { byDefault, checkOptions, numberFrom, type OptionTable, optionOf } from "../../json/check-options.js";
import { IS_RETRYABLE } from "../shared/failures/provider-error.js";
import { FallbackStream } from "./fallback-stream.js";
import { ProviderRota } from "./provider-rota.js";

/** The conditions for asking the next provider. */
export interface FallbackOptions {
  /**
   * The failures after which the next provider is asked: codes, or a function of the error. Default: `RATE_LIMITED`,
   * `OVERLOADED`, `TIMEOUT`, `CONNECTION`, `SERVER`, `STREAM_BROKEN`.
   */
  readonly on?: readonly ProviderErrorCode[] | ((error: ProviderError) => boolean) | undefined;
  /** The time a failed provider is left out, unless it asked for longer. Unit: milliseconds. Default: 60_000. */
  readonly backAfterMs?: number | undefined;
}

const OPTIONS = {
  on: byDefault(
    ({ code }: ProviderError): boolean => IS_RETRYABLE[code],
    optionOf(
      // A code that no failure has would switch the fallback off.
      (value) =>
        typeof value === "function" ||
        (Array.isArray(value) && value.every((code) => Object.hasOwn(IS_RETRYABLE, code))),
      `a function, or an array of error codes: ${Object.keys(IS_RETRYABLE).join(", ")}`,
    ),
  ),
  backAfterMs: byDefault(60_000, numberFrom(0, "milliseconds")),
} satisfies OptionTable<FallbackOptions>;

/**
 * Asks the first provider; when it fails, the next one, and so on. A provider that failed is left out for a while, and then
 * asked again: the first one is always preferred.
 *
 * A switch in the middle of a message is announced with a `restart` event, which voids what came before. Messages are
 * recorded as those of the provider that wrote them, and are priced by it. Windows are the smallest of all, so that each
 * can take over at any time. When every provider has failed, the last error is thrown. Retrying goes around it (the
 * engine does that by itself) or around each provider: `withFallback([withRetry(a), withRetry(b)])`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function withFallback(providers: readonly ProviderAdapter[], options: FallbackOptions = {}): ProviderAdapter {
  checkProviders(providers);
  const { on, backAfterMs } = checkOptions("withFallback()", options, OPTIONS);
  const goesOn = typeof on === "function" ? on : (error: ProviderError) => on.includes(error.code);
  const rota = new ProviderRota(providers, backAfterMs);
  const [{ id, model }] = providers as [ProviderAdapter];
  const contextWindow = smallest(providers.map((provider) => provider.contextWindow));
  const maxOutputTokens = smallest(providers.map((provider) => provider.maxOutputTokens));
  const serverTools = [...new Set(providers.flatMap((provider) => provider.serverTools ?? []))];
  const [programs, ...others] = new Set(providers.map((provider) => provider.programs));
  const unknown = [...new Set(providers.flatMap((provider) => provider.unknown ?? []))].join(" ");
  const adapter: ProviderAdapter = {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providers.some(({ prices }) => prices) && { prices: pricesOf(providers) }),
    ...(serverTools.length > 0 && { serverTools }),
    ...(programs !== undefined && others.length === 0 && { programs }),
    ...(providers.every(({ compacts }) => compacts) && { compacts: true }),
    ...(unknown !== "" && { unknown }),
    stream: (request) => ({
      [Symbol.asyncIterator]: () =>
        new FallbackStream(rota, request, (error) => isHarnessError(error) && goesOn(error as ProviderError)),
    }),
  };
  return providers.every(isRetrying) ? markRetrying(adapter) : adapter;
}

/** Each provider knows the prices of its own models. */
function pricesOf(providers: readonly ProviderAdapter[]): PriceLookup {
  return (name, usage) => {
    for (const { id, model, prices } of providers) {
      if (id === name.provider && model === name.model) return prices?.(name, usage) ?? null;
    }
    return null;
  };
}

/** A window that is not known says nothing about the others. */
function smallest(windows: readonly (number | undefined)[]): number | undefined {
  const known = windows.filter((window) => window !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function checkProviders(providers: readonly ProviderAdapter[]): void {
  const isRight = Array.isArray(providers) && providers.length > 0;
  if (isRight && providers.every((provider) => typeof provider?.stream === "function")) return;
  throw new ConfigurationError("OPTION_INVALID", {
    message: "withFallback() needs an array of at least one provider, the preferred one first.",
    details: { option: "providers" },
  });
}
