import type { Usage } from "../../../contracts/provider.js";
import { isRecord } from "../../shared/is-record.js";

/** The tokens of one response in our terms; `undefined` unless input and output were both counted. */
export function readResponseUsage(said: unknown): Usage | undefined {
  if (!isRecord(said)) return undefined;
  const inputTokens = count(said.input_tokens);
  const outputTokens = count(said.output_tokens);
  // No request is of 0 tokens: servers that do not count send zeros.
  if (!inputTokens || outputTokens === undefined) return undefined;
  const input = isRecord(said.input_tokens_details) ? said.input_tokens_details : {};
  const output = isRecord(said.output_tokens_details) ? said.output_tokens_details : {};
  const read = count(input.cached_tokens);
  const written = count(input.cache_write_tokens);
  const reasoning = count(output.reasoning_tokens);
  const cacheReadTokens = read === undefined ? undefined : Math.min(read, inputTokens);
  return {
    inputTokens,
    outputTokens: Math.max(outputTokens, 0),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(written !== undefined && { cacheWriteTokens: Math.min(written, inputTokens - (cacheReadTokens ?? 0)) }),
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
