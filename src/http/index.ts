export type { StreamOptions } from "./byte-stream.js";
export type { EventPosition } from "./event-id.js";
export type {
  HubAnswerOptions,
  HubRun,
  HubSendOptions,
  RunHub,
  RunHubOptions,
  SubscribeOptions,
} from "./hub/hub-types.js";
export { createRunHub } from "./hub/run-hub.js";
export type { RunSubscription } from "./hub/subscription.js";
export { type ChatBranch, listBranches } from "./messages/branches.js";
export type { ShownMessage } from "./messages/shown-message.js";
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
export { type ChatRoutes, createChatRoutes } from "./routes/chat-routes.js";
export type { ChatAction, ChatRoute, ChatRoutesOptions, ChatUser } from "./routes/route-options.js";
export type {
  NestedEntry,
  ResetEvent,
  RunSource,
  RunStreamEvent,
  SessionSnapshotEvent,
  SteeredEvent,
} from "./run-source.js";
export type { ChatSession, ChatSessionPage } from "./sessions/list-sessions.js";
export { type ResponseFormat, type ResponseOptions, toErrorResponse, toResponse } from "./to-response.js";
export { type SseStreamOptions, toSse } from "./to-sse.js";
export { createUsageStore } from "./usage/usage-store.js";
export type { UserLimits, UserUsageOptions } from "./usage/user-usage.js";
export { type AgUiOptions, toAgUi } from "./views/to-ag-ui.js";
export { toUiMessageStream } from "./views/to-ui-message-stream.js";
