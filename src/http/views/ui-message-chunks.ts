// The chunks of the AI SDK's UI message stream that are made from one value alone.
import type { PendingRequest } from "../../contracts/approval.js";
import type { EventBase } from "../../contracts/event.js";
import type { RunStatus } from "../../contracts/run.js";

export interface UiChunk {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const FINISH_REASONS: Partial<Record<RunStatus, string>> = {
  completed: "stop",
  "needs-approval": "tool-calls",
  "max-turns": "length",
  "budget-exceeded": "length",
  failed: "error",
  "output-invalid": "error",
};

export function questionPart(request: PendingRequest, isAnswered: boolean): UiChunk {
  const { id, kind, tool, input, reason } = request;
  return {
    type: "data-question",
    id,
    data: { id, kind, toolCallId: partOf(request), tool, input, reason, isAnswered },
  };
}

/** The `toolCallId` of the tool part with the call that asks: sub-agents count their calls apart. */
export function partOf(request: PendingRequest): string {
  return isChild(request) ? request.id : request.toolCallId;
}

export function subagentPart({ agentPath, runId }: Pick<EventBase, "agentPath" | "runId">, data: object): UiChunk {
  return { type: "data-subagent", id: runId, data: { agentPath, ...data }, transient: true };
}

export function isChild({ agentPath }: PendingRequest): boolean {
  return agentPath.length > 0;
}

export function childKey(runId: string, toolCallId: string): string {
  return JSON.stringify([runId, toolCallId]);
}
