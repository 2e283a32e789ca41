import type { Usage } from "../../../contracts/usage.js";
import { isRecord } from "../../shared/is-record.js";

/**
 * The tokens of one response in our terms; `undefined` unless input and output were both counted. Some of xAI's models
 * count cached input and reasoning beside the rest.
 */
export function readResponseUsage(said: unknown): Usage | undefined {
  if (!isRecord(said)) return undefined;
  const input = count(said.input_tokens);
  const output = count(said.output_tokens);
  // No request is of 0 tokens: servers that do not count send zeros.
  if (!input || output === undefined) return undefined;
  const inputDetails = isRecord(said.input_tokens_details) ? said.input_tokens_details : {};
  const outputDetails = isRecord(said.output_tokens_details) ? said.output_tokens_details : {};
  const read = count(inputDetails.cached_tokens);
  const written = count(inputDetails.cache_write_tokens);
  const reasoning = count(outputDetails.reasoning_tokens);
  const inputTokens = read !== undefined && read > input ? input + read : input;
  return {
    inputTokens,
    outputTokens: reasoning !== undefined && reasoning > output ? output + reasoning : output,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: Math.min(written, inputTokens - (read ?? 0)) }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
