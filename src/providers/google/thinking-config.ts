import type { ReasoningEffort } from "../../contracts/provider.js";
import type { ModelFeatures } from "./model-features.js";
import type { GoogleThinking } from "./wire.js";

/** How many tokens each effort may think, where thinking has a budget. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = { none: 0, low: 2_048, medium: 8_192, high: 24_576 };

/** How a request for effort is worded for this model; `undefined` leaves it to the model. */
export function thinkingConfig(
  effort: ReasoningEffort | undefined,
  features: ModelFeatures,
  model: string,
): GoogleThinking | undefined {
  if (effort === undefined || features.thinking === "none") return undefined;
  const includeThoughts = effort !== "none";
  if (features.thinking === "budget") {
    return { includeThoughts, thinkingBudget: Math.max(BUDGETS[effort], features.minBudget) };
  }
  // The model cannot stop thinking: Flash goes as low as "minimal", Pro as low as "low".
  const lowest = /flash/i.test(model) ? "minimal" : "low";
  return { includeThoughts, thinkingLevel: effort === "none" ? lowest : effort };
}
