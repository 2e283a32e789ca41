export { type AnthropicAnswer, anthropicEvents, namedSse } from "./anthropic-events.js";
export { type ChatAnswer, chatChunks, type SseOptions, sse } from "./chat-chunks.js";
export { createFaultServer, type FaultServer } from "./fault-server.js";
export { type GoogleAnswer, googleChunks } from "./google-chunks.js";
export { type HttpContractOptions, httpProviderContract } from "./http-provider-contract.js";
export type { FaultReply, FaultRequest, FaultScript } from "./reply.js";
export { responseEvents } from "./response-events.js";
