import type { Answer, PendingRequest } from "./approval.js";
import type { CompactionReport } from "./context.js";
import type { ErrorCode, HarnessError, ProviderError } from "./errors.js";
import type { HookPoint } from "./hook.js";
import type { JsonValue } from "./json.js";
import type { Label } from "./label.js";
import type { AssistantMediaPart, ServerToolUse } from "./message.js";
import type { PermissionDecision, PermissionMode } from "./permission.js";
import type { ProviderNotice } from "./provider.js";
import type { RunStatus, Transition } from "./run.js";
import type { CallDescription, ToolCall, ToolResult } from "./tool-call.js";
import type { FinishReason, Usage } from "./usage.js";

/** The fields of every event. */
export interface EventBase {
  readonly runId: string;
  readonly sessionId: string;
  readonly turn: number;
  /** Names from the main agent (`[]`) down to the sub-agent it happened in. */
  readonly agentPath: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /**
   * Counts the events of a root run, its sub-agents' included, from 1 in the order they were emitted. Where a slow consumer
   * gets joined deltas, they carry the number of the last one.
   */
  readonly seq: number;
  /** The id of the call that makes the call this is about, where a tool makes it and not the model. */
  readonly within?: string;
}

/** The sub-agent of a run, for user interfaces that show it under the call it works for. */
export interface StartedSubagent {
  /** The `transcriptId` of its session: the same each time it is resumed, whatever the run's id. */
  readonly id: string;
  /** The main agent's call that it works for, also when another sub-agent has started it. */
  readonly toolCallId?: string;
  /** The run that has started it, and the call of that run it works for. No call: it goes on in the background. */
  readonly parent?: { readonly runId: string; readonly toolCallId?: string };
}

/** The payload of each event by its type; see `EngineEvent`. */
export interface EventPayloads {
  "run-start": { readonly resumed: boolean; readonly subagent?: StartedSubagent };
  /** A turn begins: one model call and the tool calls it asks for. */
  "turn-start": object;
  "model-call-start": { readonly provider: string; readonly model: string };
  "text-delta": { readonly text: string };
  "reasoning-delta": { readonly text: string };
  /** An image or a file that the model made, whole. */
  media: { readonly part: AssistantMediaPart };
  /** A tool of the vendor's server was called, or has answered: no gate has decided about it. */
  "server-tool": { readonly use: ServerToolUse };
  /** A piece of a call's arguments, while they stream. */
  "tool-input-delta": {
    readonly index: number;
    readonly json: string;
    /** The id and the tool that the call will have in `tool-call-start`. */
    readonly toolCallId: string;
    readonly tool: string;
  };
  /** Voids every event of this model call so far; it starts again. */
  "model-restart": { readonly attempt: number; readonly delayMs: number; readonly error: ProviderError };
  "model-call-end": {
    readonly finishReason: FinishReason;
    readonly usage: Usage;
    readonly costUsd: number | null;
    /** The provider's id of the response, and the model that wrote it, where it gives them. */
    readonly response?: { readonly id?: string; readonly model?: string };
  };
  /**
   * `target`: the call that is meant and run, where the model's own is a way to make another one. `description`: how that looks,
   * where its tool says so.
   */
  "tool-call-start": { readonly call: ToolCall; readonly target?: ToolCall; readonly description?: CallDescription };
  "tool-progress": { readonly toolCallId: string; readonly update: JsonValue };
  /** `target`: the name of the tool that was meant, where that is not the result's. `label`: where it comes from, if the gate uses labels. */
  "tool-call-end": { readonly result: ToolResult; readonly target?: string; readonly label?: Label };
  "permission-decision": {
    readonly toolCallId: string;
    readonly tool: string;
    readonly input: JsonValue;
    readonly decision: PermissionDecision;
    /** The run's permission mode, when it has one of its own. */
    readonly mode?: PermissionMode;
    /** The one who answered the gate's question; absent when the gate itself decided. */
    readonly by?: string;
  };
  "approval-requested": { readonly request: PendingRequest };
  /** An answer was taken. Emitted again by each run that continues with one the session has and has not used yet. */
  "approval-answered": { readonly request: PendingRequest; readonly answer: Answer };
  "hook-outcome": {
    readonly point: HookPoint;
    readonly durationMs: number;
    readonly outcome: "ok" | "blocked" | "failed";
    /** At points about a tool call. */
    readonly toolCallId?: string;
    readonly reason?: string;
  };
  compaction: { readonly report: CompactionReport };
  epoch: { readonly cause: string };
  /** Something a host may want to know and that changes nothing: dropped events, an abandoned tool, a budget near its end. */
  notice: { readonly code: NoticeCode; readonly message: string; readonly details?: JsonValue };
  /** Totals of the run so far, after each model call. */
  usage: { readonly usage: Usage; readonly costUsd: number | null };
  "turn-end": { readonly transition: Transition };
  "run-end": { readonly status: RunStatus; readonly error?: HarnessError };
}

/** The `code` of a `notice` event. */
export type NoticeCode =
  | "EVENTS_DROPPED"
  | "TOOL_ABANDONED"
  | "WORK_ABANDONED"
  | "BUDGET_NEAR"
  | "LOOP_SUSPECTED"
  | "STOP_HOOK_LIMIT"
  | "PROVIDER_NONSENSE"
  | "ANSWER_IGNORED"
  | "TOOL_REMINDER_FAILED"
  | "MESSAGE_UNDELIVERED"
  | "HOOK_MESSAGE"
  | "CONTEXT_LEFT_OUT"
  | "GATE_FAILED"
  | "ANSWER_INCOMPLETE"
  | "SERVER_TOOL_REFUSED"
  | "MODEL_UNKNOWN"
  | ProviderNotice
  | ErrorCode;

/** The `type` of an event. */
export type EventType = keyof EventPayloads;

const TYPES: { readonly [T in EventType]: true } = {
  "run-start": true,
  "turn-start": true,
  "model-call-start": true,
  "text-delta": true,
  "reasoning-delta": true,
  media: true,
  "server-tool": true,
  "tool-input-delta": true,
  "model-restart": true,
  "model-call-end": true,
  "tool-call-start": true,
  "tool-progress": true,
  "tool-call-end": true,
  "permission-decision": true,
  "approval-requested": true,
  "approval-answered": true,
  "hook-outcome": true,
  compaction: true,
  epoch: true,
  notice: true,
  usage: true,
  "turn-end": true,
  "run-end": true,
};

/** Every type of event. */
export const EVENT_TYPES = Object.keys(TYPES) as readonly EventType[];

/** Everything an observer can see, discriminated by `type`. */
export type EngineEvent = { [T in EventType]: { readonly type: T } & EventPayloads[T] & EventBase }[EventType];

/** The event of one type. */
export type EventOf<T extends EventType> = Extract<EngineEvent, { type: T }>;
