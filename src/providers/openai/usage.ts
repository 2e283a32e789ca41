// The usage objects of chat completions and of responses, which call the same counts by two names. Their relatives count
// more: DeepSeek (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`), gateways in front of Anthropic
// (`cache_creation_input_tokens`). Some of xAI's models count reasoning beside the output and cached input beside the
// prompt, other gateways what was written to a cache; Google counts thoughts in the total alone.

import type { Usage } from "../../contracts/usage.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { countedUsage } from "../shared/counted-usage.js";

/** Counts outside of the usage. */
interface CountsBeside {
  /** The total as the model's own server has counted it, where a gateway passes that on. */
  readonly total?: unknown;
  /** The tokens of the prompt that a cache held. */
  readonly cached?: unknown;
}

/** The tokens of one answer in our terms; `undefined` unless its input and output were counted. */
export function readUsage(said: unknown, beside: CountsBeside = {}): Usage | undefined {
  if (!isObject(said)) return undefined;
  const input = recordOf(said.prompt_tokens_details, said.input_tokens_details);
  const output = recordOf(said.completion_tokens_details, said.output_tokens_details);
  const prompt = largest(said.prompt_tokens, said.input_tokens);
  const total = largest(said.total_tokens, beside.total);
  const cacheRead = largest(
    input.cached_tokens,
    said.prompt_cache_hit_tokens,
    said.cached_tokens,
    said.cache_read_input_tokens,
    beside.cached,
  );
  const cacheWrite = largest(
    input.cache_write_tokens,
    input.cache_creation_tokens,
    input.cache_creation_input_tokens,
    said.cache_creation_input_tokens,
  );
  if (prompt === undefined) return undefined;
  // A count of 0 may be left out.
  const completion =
    largest(said.completion_tokens, said.output_tokens) ?? (total === undefined ? undefined : total - prompt);
  if (completion === undefined || completion < 0) return undefined;

  const inputTokens = prompt + countedBeside(prompt, cacheRead, cacheWrite, total && total - prompt - completion);
  const reasoning = largest(output.reasoning_tokens, said.reasoning_tokens);
  const { outputTokens, reasoningTokens } = readOutput(completion, reasoning, total, inputTokens);
  return countedUsage(inputTokens, outputTokens, {
    cacheRead,
    cacheWrite: cacheWrite && Math.min(cacheWrite, inputTokens - (cacheRead ?? 0)),
    reasoning: reasoningTokens,
  });
}

/**
 * The total of Google's server in what Vercel's gateway passes on: the gateway's own leaves out the thoughts, which it
 * counts beside the completion.
 */
export function modelTotalIn(metadata: unknown): unknown {
  const vendors = isObject(metadata) ? Object.values(metadata).filter(isObject) : [];
  return vendors.map(({ usageMetadata }) => recordOf(usageMetadata).totalTokenCount).find(Boolean);
}

/** The cached tokens that were counted beside the prompt. `rest`: the part of the total beyond prompt and completion. */
function countedBeside(prompt: number, read = 0, written = 0, rest: number | undefined): number {
  const beside = [read + written, read, written].find((count) => count > 0 && count === rest);
  return beside ?? (read > prompt ? read : 0);
}

/**
 * Reasoning is part of the output, unless the figures show that it was counted beside it. Kimi counts a token more of
 * reasoning than of output: the total says which it is.
 */
function readOutput(output: number, reasoning: number | undefined, total: number | undefined, inputTokens: number) {
  const uncounted = total === undefined || total < inputTokens + output ? undefined : total - inputTokens - output;
  if (reasoning === undefined) {
    return { outputTokens: output + (uncounted ?? 0), reasoningTokens: uncounted || undefined };
  }
  return { outputTokens: withReasoning(output, reasoning, uncounted), reasoningTokens: reasoning };
}

/** `uncounted`: what the total holds beside input and output, when there is one that can be true. */
function withReasoning(output: number, reasoning: number, uncounted: number | undefined): number {
  if (reasoning > 0 && uncounted === reasoning) return output + reasoning;
  if (reasoning <= output) return output;
  return uncounted === undefined ? output + reasoning : Math.max(output + uncounted, reasoning);
}

function recordOf(...values: readonly unknown[]): Fields {
  return values.find(isObject) ?? {};
}

/** One count under several names: those that a server does not fill are absent or 0. */
function largest(...counts: readonly unknown[]): number | undefined {
  const real = counts.filter((count): count is number => Number.isSafeInteger(count) && (count as number) >= 0);
  return real.length === 0 ? undefined : Math.max(...real);
}
