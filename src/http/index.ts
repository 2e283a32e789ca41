export type { StreamOptions } from "./byte-stream.js";
export type { EventPosition } from "./event-id.js";
export {
  createRunHub,
  type HubAnswerOptions,
  type HubRun,
  type RunHub,
  type RunHubOptions,
  type SubscribeOptions,
} from "./hub/run-hub.js";
export type { RunSubscription } from "./hub/subscription.js";
export type { MessagePage, StoredChatOptions } from "./messages/stored-chat.js";
export { type StoredAgUiMessage, toAgUiMessages } from "./messages/to-ag-ui-messages.js";
export { type ModelMessage, toModelMessages } from "./messages/to-model-messages.js";
export { type StoredUiMessage, toUiMessages } from "./messages/to-ui-messages.js";
export type { UiPart } from "./messages/ui-message-reader.js";
export type { NodeRequest, NodeResponse } from "./node/node-types.js";
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler, type WebHandler } from "./node/to-node-handler.js";
export type { PromptOfRequest } from "./requests/prompt-content.js";
export { type ReadRequestOptions, readAnswers, readPrompt } from "./requests/read-prompt.js";
export type { PromptRequest } from "./requests/request-body.js";
export type { ResetEvent, RunSource, RunStreamEvent, SessionSnapshotEvent } from "./run-source.js";
export { type ResponseFormat, type ResponseOptions, toErrorResponse, toResponse } from "./to-response.js";
export { type SseStreamOptions, toSse } from "./to-sse.js";
export { type AgUiOptions, toAgUi } from "./views/to-ag-ui.js";
export { toUiMessageStream } from "./views/to-ui-message-stream.js";
