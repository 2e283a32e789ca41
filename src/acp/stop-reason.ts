import type { StopReason } from "@agentclientprotocol/sdk";
import type { RunResult, RunStatus } from "../contracts/run.js";

const REASONS: Partial<Record<RunStatus, StopReason>> = {
  aborted: "cancelled",
  "max-turns": "max_turn_requests",
  "budget-exceeded": "max_tokens",
  deadline: "max_turn_requests",
};

/** The reason why a run ended, in the protocol's words. Those it has no word for end the turn, and are explained by `describeStop`. */
export function stopReasonOf({ status, finishReason }: Pick<RunResult, "status" | "finishReason">): StopReason {
  if (status === "completed" && finishReason === "length") return "max_tokens";
  if (status === "completed" && finishReason === "content-filter") return "refusal";
  return REASONS[status] ?? "end_turn";
}

/** The message for the user on how a run ended; `undefined` where it ended as it should, or was cancelled. */
export function describeStop({ status, error }: Pick<RunResult, "status" | "error">): string | undefined {
  if (status === "deadline") return "The time for this task is over. Send a message to continue.";
  if (status === "budget-exceeded") return "The budget for this task is used up.";
  if (status === "hook-stopped") return `A hook ended this run${error ? `: ${error.message}` : "."}`;
  return undefined;
}
