import { createOpenAICompatible as createV2 } from "ai-sdk-openai-v2";
import { createOpenAICompatible as createV3 } from "ai-sdk-openai-v3";
import { createOpenAICompatible as createV4 } from "ai-sdk-openai-v4";
import type { AiSdkLanguageModel } from "../../../src/providers/ai-sdk/index.js";

/** The real provider of each version of the specification: of ai 5, 6 and 7. */
export const REAL_MODELS: Readonly<
  Record<"v2" | "v3" | "v4", (baseURL: string, headers?: Record<string, string>) => AiSdkLanguageModel>
> = {
  v2: (baseURL, headers = {}) =>
    createV2({ name: "fault", apiKey: "k", baseURL, headers, includeUsage: true })("fault-model"),
  v3: (baseURL, headers = {}) =>
    createV3({ name: "fault", apiKey: "k", baseURL, headers, includeUsage: true })("fault-model"),
  v4: (baseURL, headers = {}) =>
    createV4({ name: "fault", apiKey: "k", baseURL, headers, includeUsage: true })("fault-model"),
};
