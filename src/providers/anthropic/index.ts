export { anthropic } from "./anthropic.js";
export type { CacheLifetime } from "./cache-breakpoints.js";
export type { AnthropicFallback, AnthropicOptions, AnthropicToolOptions } from "./options.js";
export type { AnthropicServerTool } from "./server/server-tools.js";
export type {
  AnthropicBody,
  AnthropicCallOptions,
  AnthropicClient,
  AnthropicEffort,
  AnthropicThinking,
} from "./wire.js";
