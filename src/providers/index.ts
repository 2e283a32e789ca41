export type { RetryOptions } from "../engine/model/retry.js";
export { withRetry } from "../engine/model/with-retry.js";
export type { CacheBreak } from "./cache-guard/compare-requests.js";
export { type CacheGuardOptions, withCacheGuard } from "./cache-guard/with-cache-guard.js";
export { type FallbackOptions, withFallback } from "./fallback/with-fallback.js";
export type { CompatProfile } from "./openai/compat-profiles.js";
export { type ProbeOptions, probeProvider } from "./openai/probe/probe-provider.js";
export { createPrices, loadPrices, type PriceTable } from "./prices.js";
export { type RateLimits, withRateLimit } from "./rate-limit/with-rate-limit.js";
export {
  findModelLimits,
  type ModelLimits,
  type ModelName,
  type ModelPrice,
  type ModelPriceTier,
} from "./shared/models/known-models.js";
