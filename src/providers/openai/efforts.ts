/** How much a model reasons; which of them it takes is the model's business. */
export type OpenAIEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** Models of OpenAI that do not reason refuse every word about it. */
export const WITHOUT_REASONING = /^(?:gpt-4|gpt-3|chatgpt)/;
