import { ProviderError } from "../../../contracts/errors.js";
import type { FinishReason } from "../../../contracts/usage.js";

/** The protocol's own. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "content-filter"],
]);

/**
 * The meanings of the words of any other finish reason, in the order in which they count: "malformed function call" is a failure, not a
 * call, and the "token limit" of a model is none of its failures. Vendors word the few reasons there are in many ways.
 */
const MEANINGS: readonly (readonly [RegExp, FinishReason])[] = [
  [/filter|safety|sensitive|toxic|refus|recitation|blocklist|prohibited|moderation|guardrail|spii/, "content-filter"],
  [/length|limit|max|truncat|context window/, "length"],
  [/tool|function/, "tool-calls"],
  [/^(?:stop|eos|end|complete|finish|done|normal)/, "stop"],
];

/** The server gave up: OpenRouter and Mistral, Zhipu, DeepSeek, SGLang, watsonx; Google's model wrote a call that nobody can read. */
const FAILURES =
  /\b(?:errors?|failed|failure|abort(?:ed)?|cancell?ed|timeout|time out|insufficient system resource|malformed function call)\b/;

/** Cohere's names of errors that stopped the model without a failure. */
const NO_FAILURES = /\berror (?:toxic|limit)\b/;

/** Whether a finish reason says that the server failed rather than that the model ended. */
export function isFailure(reason: string): boolean {
  if (REASONS.has(reason)) return false;
  const words = wordsOf(reason);
  return FAILURES.test(words) && !NO_FAILURES.test(words);
}

/** The error for an answer that ended because its server failed. */
export function failedFinish(provider: string, finishReason: string): ProviderError {
  const message = `Provider "${provider}" ended its answer with finish reason "${finishReason}": the server failed in the middle.`;
  return new ProviderError("SERVER", { message, retryable: true, details: { finishReason } });
}

/** A server's finish reason in our terms. Some say `stop` although the model called tools. */
export function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  const meaning = REASONS.get(reason) ?? meaningOf(wordsOf(reason));
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}

function meaningOf(words: string): FinishReason {
  return MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? "other";
}

/** `MAX_TOKENS`, `max-tokens` and `maxTokens` are the same words. */
function wordsOf(reason: string): string {
  return reason
    .replace(/([a-z])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim();
}
