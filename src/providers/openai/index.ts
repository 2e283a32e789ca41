export { openai } from "./openai.js";
export type { OpenAICompat, OpenAIOptions } from "./options.js";
export type { CallOptions, ChatRequest, OpenAIClient } from "./wire.js";
