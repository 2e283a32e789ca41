import type { Usage } from "../../../contracts/usage.js";
import { isRecord } from "../../shared/is-record.js";
import { readOutput } from "../output-tokens.js";

/**
 * The tokens of one call in our terms; `undefined` unless input and output were both counted.
 *
 * Sources: OpenAI's usage object; DeepSeek (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`) and OpenRouter
 * (`cache_write_tokens`) report caches in fields of their own. Some of xAI's models count reasoning beside the output and
 * cached input beside the prompt; Google counts thoughts in the total alone.
 */
export function readUsage(said: unknown): Usage | undefined {
  if (!isRecord(said)) return undefined;
  const prompt = count(said.prompt_tokens);
  const completion = count(said.completion_tokens);
  // No request is of 0 tokens: servers that do not count send zeros, and some leave out what they had cached.
  if (!prompt || completion === undefined) return undefined;

  const promptDetails = isRecord(said.prompt_tokens_details) ? said.prompt_tokens_details : {};
  const completionDetails = isRecord(said.completion_tokens_details) ? said.completion_tokens_details : {};
  const cacheRead =
    count(promptDetails.cached_tokens) ?? count(said.prompt_cache_hit_tokens) ?? count(said.cached_tokens);
  const cacheWrite = count(promptDetails.cache_write_tokens) ?? count(promptDetails.cache_creation_tokens);
  const reasoning = count(completionDetails.reasoning_tokens) ?? count(said.reasoning_tokens);

  const isCacheBeside = cacheRead !== undefined && cacheRead > prompt;
  const inputTokens = isCacheBeside ? prompt + cacheRead : prompt;
  const { outputTokens, reasoningTokens } = readOutput(completion, reasoning, count(said.total_tokens), inputTokens);
  return {
    inputTokens,
    outputTokens,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: Math.min(cacheWrite, inputTokens - (cacheRead ?? 0)) }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
