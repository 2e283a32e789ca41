export type { CallOptions, ChatRequest, OpenAIClient, ResponsesRequest } from "./client.js";
export { type CompatProfile, compatProfiles } from "./compat-profiles.js";
export type { OpenAIEffort } from "./efforts.js";
export { openai } from "./openai.js";
export type { OpenAICompat, OpenAIOptions, OpenAIToolOptions, ReasoningControl } from "./options.js";
export type { OpenAIServerTool } from "./server-tools.js";
export { type StrictSchema, toStrictSchema } from "./strict-schema.js";
