export { type RetryOptions, withRetry } from "../engine/model/retry.js";
export { createPrices, loadPrices, type PriceTable } from "./prices.js";
export {
  findModelLimits,
  type ModelLimits,
  type ModelName,
  type ModelPrice,
  type ModelPriceTier,
} from "./shared/known-models.js";
