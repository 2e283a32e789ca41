export type { CallOptions, ChatRequest, OpenAIClient, ResponsesRequest } from "./client.js";
export { type CompatProfile, compatProfiles } from "./compat-profiles.js";
export { openai } from "./openai.js";
export type { OpenAICompat, OpenAIOptions, ReasoningControl } from "./options.js";
export { type StrictSchema, toStrictSchema } from "./strict-schema.js";
