import type { FinishReason } from "../../../contracts/usage.js";

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  end: "stop",
  complete: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  max_completion_tokens: "length",
  model_length: "length", // Mistral
  model_context_window_exceeded: "length", // Zhipu, Anthropic
  tool_calls: "tool-calls",
  tool_call: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  safety: "content-filter",
  refusal: "content-filter",
  recitation: "content-filter", // Google
  blocklist: "content-filter",
  prohibited_content: "content-filter",
  sensitive: "content-filter", // Zhipu
};

/** The server gave up: OpenRouter and Mistral, Zhipu, DeepSeek, vLLM; Google's model wrote a call that nobody can read. */
const FAILURES = /^(?:error|network_error|insufficient_system_resource|abort|.*malformed_function_call)$/;

/** Whether a finish reason says that the server failed rather than that the model ended. */
export function isFailure(reason: string): boolean {
  return FAILURES.test(reason.toLowerCase());
}

/** A server's finish reason in our terms. Some say `stop` although the model called tools. */
export function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, reason.toLowerCase()) ? MEANINGS[reason.toLowerCase()]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
