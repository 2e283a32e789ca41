import type { FinishReason } from "../../contracts/usage.js";

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool-calls",
  refusal: "content-filter",
  pause_turn: "pause", // A long turn with server tools goes on with the next request.
  compaction: "pause", // The host has asked for a pause once the conversation is shorter.
  model_context_window_exceeded: "length",
  // Servers of others that speak the protocol, in the words of their own API.
  stop: "stop",
  length: "length",
  max_output_tokens: "length",
  tool_calls: "tool-calls",
  content_filter: "content-filter",
  sensitive: "content-filter",
  safety: "content-filter",
};

/** The finish reason in our terms. Some servers say `end_turn` although the model called tools. */
export function finishReasonOfStop(reason: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
