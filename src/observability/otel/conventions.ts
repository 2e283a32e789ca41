// Names of the OpenTelemetry conventions for generative AI, and what our words are called there.
// @see https://github.com/open-telemetry/semantic-conventions-genai (in development; read 2026-11)
import type { FinishReason, Usage } from "../../contracts/usage.js";

export const OPERATION = "gen_ai.operation.name";
export const PROVIDER = "gen_ai.provider.name";
export const REQUEST_MODEL = "gen_ai.request.model";
export const RESPONSE_MODEL = "gen_ai.response.model";
export const RESPONSE_ID = "gen_ai.response.id";
export const RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons";
export const CONVERSATION = "gen_ai.conversation.id";
export const AGENT_NAME = "gen_ai.agent.name";
export const TOOL_NAME = "gen_ai.tool.name";
export const TOOL_TYPE = "gen_ai.tool.type";
export const TOOL_CALL_ID = "gen_ai.tool.call.id";
export const TOOL_ARGUMENTS = "gen_ai.tool.call.arguments";
export const TOOL_RESULT = "gen_ai.tool.call.result";
export const TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";
export const SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
export const INPUT_MESSAGES = "gen_ai.input.messages";
export const OUTPUT_MESSAGES = "gen_ai.output.messages";
export const TOKEN_TYPE = "gen_ai.token.type";
export const ERROR_TYPE = "error.type";

/** Ids of our providers that the conventions have another name for. */
const PROVIDER_NAMES: { readonly [id: string]: string } = {
  google: "gcp.gemini",
  kimi: "moonshot_ai",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** `gen_ai.provider.name`: unknown ids are their own name. */
export function providerName(id: string): string {
  return Object.hasOwn(PROVIDER_NAMES, id) ? PROVIDER_NAMES[id]! : id;
}

const REASONS: { readonly [Reason in FinishReason]?: string } = {
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

export function finishReason(reason: FinishReason): string {
  return REASONS[reason] ?? reason;
}

/** The attributes of a model call's tokens. What the provider did not say is left out. */
export function usageAttributes(usage: Usage): { readonly [name: string]: number | boolean } {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, estimated } = usage;
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(cacheReadTokens !== undefined && { "gen_ai.usage.cache_read.input_tokens": cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { "gen_ai.usage.reasoning.output_tokens": reasoningTokens }),
    ...(estimated && { "loopwright.usage.estimated": true }),
  };
}
