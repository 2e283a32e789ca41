export type { Answer, PendingKind, PendingRequest, SuspendRequest } from "./contracts/approval.js";
export type { ContentPart, FitMedia, MediaLimits, MediaPart } from "./contracts/content.js";
export type {
  CompactionPermit,
  CompactionReport,
  ContextBudget,
  ContextPolicy,
  ContextSource,
  ContextUsage,
  ServerCompactor,
  View,
  ViewEdit,
} from "./contracts/context.js";
export {
  ConfigurationError,
  EditError,
  type ErrorCode,
  HarnessError,
  isHarnessError,
  PermissionError,
  ProviderError,
  type ProviderErrorCode,
  RunAbortedError,
  RunError,
  SandboxError,
  SessionError,
  ToolError,
} from "./contracts/errors.js";
export type {
  EngineEvent,
  EventBase,
  EventOf,
  EventPayloads,
  EventType,
  NoticeCode,
  StartedSubagent,
} from "./contracts/event.js";
export { EVENT_TYPES } from "./contracts/event.js";
export type {
  Fact,
  FactFilter,
  FactPatch,
  FactSource,
  FactStore,
  NewFact,
  RecalledFact,
  RememberedFact,
} from "./contracts/fact.js";
export {
  HOOK_POINTS,
  type Hook,
  type HookDispatcher,
  type HookInput,
  type HookMap,
  type HookOutcome,
  type HookPayloads,
  type HookPoint,
  type HookResult,
  type ToolNotice,
} from "./contracts/hook.js";
export type { JsonObject, JsonSchema, JsonValue } from "./contracts/json.js";
export type {
  Audience,
  Effects,
  Integrity,
  Label,
  LabelHints,
  Source,
  SourceKind,
  Target,
  TargetKind,
  TargetOrigin,
  TracedTarget,
} from "./contracts/label.js";
export type {
  AssistantMediaPart,
  AssistantMessage,
  AssistantPart,
  DeliveryOrigin,
  Message,
  MessageOrigin,
  ServerSummary,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "./contracts/message.js";
export type {
  PermissionDecision,
  PermissionDestination,
  PermissionGate,
  PermissionMode,
  PermissionRequest,
  PermissionResult,
  PermissionUpdate,
  RuleRef,
  RuleSource,
  ToolPermission,
} from "./contracts/permission.js";
export type {
  ModelAuthor,
  PriceLookup,
  PromptSection,
  ProviderAdapter,
  ProviderEvent,
  ProviderRequest,
  ReasoningEffort,
  RequestEpoch,
  ToolChoice,
} from "./contracts/provider.js";
export type { CompletedOutcome, IncompleteReason, RunResult, RunStatus, Transition } from "./contracts/run.js";
export type { Runtime } from "./contracts/runtime.js";
export type { Release, SessionEntry, SessionInfo, SessionRecord, SessionStore } from "./contracts/session.js";
export type { OwnTool, SubagentDefinition, SubagentInfo, SubagentKind } from "./contracts/subagent.js";
export type {
  NewTask,
  Task,
  TaskClaim,
  TaskFilter,
  TaskPatch,
  TaskStatus,
  TaskStore,
  TaskUpdateOptions,
} from "./contracts/task.js";
export type {
  BackgroundSubagents,
  BaseTool,
  Registry,
  ResourceClaim,
  SpawnOptions,
  SpawnSubagent,
  ToolContext,
  ToolOutput,
} from "./contracts/tool.js";
export type {
  CallDescription,
  CallKind,
  CallOutcome,
  DescribedCall,
  NestedCall,
  NestedCalls,
  NestedResult,
  RecordedWave,
  RootCall,
  ToolCall,
  ToolDefinition,
  ToolResult,
  ToolStatus,
} from "./contracts/tool-call.js";
export { outcomeOf } from "./contracts/tool-call.js";
export type { FinishReason, Usage, UsagePeriod, UsageStore, UsageSum } from "./contracts/usage.js";
export type {
  ArtifactRef,
  ArtifactStore,
  ChangeJournal,
  CommandOutcome,
  CommandRequest,
  CommandRunner,
  FileAccess,
  FileChange,
  FileStat,
  PathAccess,
  ShellDirectories,
  Workspace,
} from "./contracts/workspace.js";
export type { Containment } from "./contracts/workspace-machine.js";
export type { AgentRun } from "./engine/agent-run.js";
export { type Approver, type ApproverAnswer, isRequestFor } from "./engine/calls/permission/approval.js";
export { signAnswer } from "./engine/calls/permission/sign-answer.js";
export { AgentEngine } from "./engine/engine.js";
export type { RetryOptions } from "./engine/model/retry.js";
export { withRetry } from "./engine/model/with-retry.js";
export type { Limits } from "./engine/options/limits.js";
export type {
  ApprovalOptions,
  EngineOptions,
  ExecuteOptions,
  HistoryMessage,
  ModelOptions,
  ResumeOptions,
  RunOptions,
} from "./engine/options/options.js";
export { isHookInputFor } from "./engine/run/hooks/hook-input-for.js";
export { HookRunner } from "./engine/run/hooks/hook-runner.js";
export type { RunawayLimits } from "./engine/run/loop-detector.js";
export type { RunProgress } from "./engine/run-handle.js";
export { type AppToolContext, type AppToolOptions, defineTool, type ToolOptions } from "./engine/tools/define-tool.js";
export { defaultGate } from "./engine/tools/tool-defaults.js";
export { ToolRegistry } from "./engine/tools/tool-registry.js";
export { describeCall } from "./engine/transcript/describe-call.js";
export { latestMedia } from "./engine/transcript/message-shape.js";
export { repairTranscript, type TranscriptIssue, validateTranscript } from "./engine/transcript/validate-transcript.js";
export type { InferInput, ToolSchema } from "./schema/input-schema.js";
