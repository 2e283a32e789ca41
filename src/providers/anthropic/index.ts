export { anthropic } from "./anthropic.js";
export type { CacheLifetime } from "./cache-breakpoints.js";
export type { AnthropicOptions } from "./options.js";
export type { AnthropicBody, AnthropicCallOptions, AnthropicClient, AnthropicThinking } from "./wire.js";
