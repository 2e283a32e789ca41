import type { Usage } from "../../../contracts/provider.js";
import { isRecord } from "../../shared/is-record.js";

/**
 * The tokens of one call in our terms; `undefined` unless input and output were both counted.
 *
 * Sources: OpenAI's usage object; DeepSeek (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`) and OpenRouter
 * (`cache_write_tokens`) report caches in fields of their own; xAI counts reasoning beside the output, not in it.
 */
export function readUsage(said: unknown): Usage | undefined {
  if (!isRecord(said)) return undefined;
  const inputTokens = count(said.prompt_tokens);
  let outputTokens = count(said.completion_tokens);
  // No request is of 0 tokens: servers that do not count send zeros, and some leave out what they had cached.
  if (!inputTokens || outputTokens === undefined) return undefined;

  const prompt = isRecord(said.prompt_tokens_details) ? said.prompt_tokens_details : {};
  const completion = isRecord(said.completion_tokens_details) ? said.completion_tokens_details : {};
  const reasoning = count(completion.reasoning_tokens);
  const isBeside = reasoning !== undefined && count(said.total_tokens) === inputTokens + outputTokens + reasoning;
  if (isBeside) outputTokens += reasoning;
  const cacheRead = count(prompt.cached_tokens) ?? count(said.prompt_cache_hit_tokens) ?? count(said.cached_tokens);
  const cacheWrite = count(prompt.cache_write_tokens);
  return {
    inputTokens,
    outputTokens,
    ...(cacheRead !== undefined && { cacheReadTokens: Math.min(cacheRead, inputTokens) }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
