import { findListedModel, type ModelName } from "../shared/models/known-models.js";

/** The efforts of reasoning; which of them a model takes is its own business. */
export type OpenAIEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

const WITHOUT_REASONING = /^(?:gpt-4|gpt-3|chatgpt)/;

/** Models of OpenAI that do not reason refuse every word about it. */
export function reasons(model: string): boolean {
  const least = findListedModel({ provider: "openai", model })?.leastEffort;
  return least === undefined ? !WITHOUT_REASONING.test(model) : least !== "off";
}

/** From the least to the most. */
const EFFORTS: readonly OpenAIEffort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The least effort that a listed model takes; `"none"` for every other. */
export function leastEffortOf(name: ModelName): OpenAIEffort {
  const least = findListedModel(name)?.leastEffort;
  return least === undefined || least === "off" ? "none" : least;
}

/** The effort, or the least that the model takes. */
export function atLeast(least: OpenAIEffort, effort: OpenAIEffort): OpenAIEffort {
  return EFFORTS.indexOf(effort) < EFFORTS.indexOf(least) ? least : effort;
}
