export type { CallOptions, ChatRequest, OpenAIClient, ResponsesRequest } from "./client.js";
export { openai } from "./openai.js";
export type { OpenAICompat, OpenAIOptions } from "./options.js";
