import type { FinishReason } from "../../../contracts/provider.js";

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length", // Mistral
  tool_calls: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  safety: "content-filter",
  sensitive: "content-filter", // Zhipu
};

/** The server gave up: OpenRouter and Mistral, Zhipu, DeepSeek, vLLM. */
const FAILURES = new Set(["error", "network_error", "insufficient_system_resource", "abort"]);

/** Whether a finish reason says that the server failed rather than that the model ended. */
export function isFailure(reason: string): boolean {
  return FAILURES.has(reason.toLowerCase());
}

/** A server's finish reason in our terms. Some say `stop` although the model called tools. */
export function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, reason.toLowerCase()) ? MEANINGS[reason.toLowerCase()]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
