import type { EngineEvent } from "../contracts/event.js";
import type { RunResult } from "../contracts/run.js";
import type { SessionEntry } from "../contracts/session.js";
import type { UiChunk } from "./views/ui-message-chunks.js";

/** The events after the position that was asked for are no longer kept: what follows is the session, then the run. */
export interface ResetEvent {
  readonly type: "reset";
  readonly code: "EVENTS_GONE";
  readonly message: string;
  readonly runId: string;
  readonly sessionId: string;
}

/**
 * Every entry of the session, oldest first. The run's events go on behind it, and may repeat tool calls that are in the
 * entries: tell them apart by `toolCallId`.
 */
export interface SessionSnapshotEvent {
  readonly type: "session";
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the last event before those that follow. */
  readonly seq: number;
  readonly entries: readonly SessionEntry[];
  /** The calls that tools have made from inside their own calls, in order. Absent: none. */
  readonly nested?: readonly NestedEntry[];
}

/** A message or a result of the calls that a tool has made. */
export interface NestedEntry {
  readonly entry: SessionEntry;
  /** The id of the call whose tool made it. */
  readonly within: string;
  /** The id of the session's own entry behind which it comes. */
  readonly after: string;
}

/** The user has said something else: what the run does from here on is in the stream that answers that message. */
export interface SteeredEvent {
  readonly type: "steered";
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the last event before that. */
  readonly seq: number;
}

/** An event that a subscriber of a run reads. */
export type RunStreamEvent = EngineEvent | ResetEvent | SessionSnapshotEvent | SteeredEvent;

/** The source of a view: an `AgentRun`, a subscription of a `RunHub`, or any other sequence of a run's events. */
export interface RunSource extends AsyncIterable<RunStreamEvent> {
  /** The run's id. Default: the `runId` of the first event. */
  readonly id?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The place where the open questions of a run that needs an approval are read. */
  readonly result?: Promise<Pick<RunResult, "pending">> | undefined;
  /**
   * The message of `useChat` that the run goes on with, by its stored id, and the chunks that bring what it has before the run. Default:
   * the run begins a message, or the client has it.
   */
  readonly begun?:
    | (() => Promise<{ readonly id: string; readonly chunks: readonly UiChunk[] } | undefined>)
    | undefined;
  /** Ends the run: what `abortOnLeave` calls. */
  readonly abort?: ((reason?: string) => void) | undefined;
  /** Leaving the iteration ends it alone, not the run. */
  readonly isShared?: boolean | undefined;
  /** The run has ended and everything was read before: nothing will come. */
  readonly isExhausted?: boolean | undefined;
}

/** Whether an event is the run's own, and not one of a sub-agent's. */
export function isOfRoot(event: EngineEvent): boolean {
  return event.agentPath.length === 0;
}

/** Whether it is one of the engine's, and not about the subscription. */
export function isEngineEvent(event: RunStreamEvent): event is EngineEvent {
  return event.type !== "reset" && event.type !== "session" && event.type !== "steered";
}
