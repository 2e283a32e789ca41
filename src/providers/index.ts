export { type RetryOptions, withRetry } from "../engine/model/retry.js";
export { createPrices, type PriceTable } from "./prices.js";
export { findModelLimits, type ModelLimits, type ModelName, type ModelPrice } from "./shared/known-models.js";
