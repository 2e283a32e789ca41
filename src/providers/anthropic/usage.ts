import type { Usage } from "../../contracts/usage.js";
import { isRecord } from "../shared/is-record.js";

/**
 * The tokens of one response. Counts are cumulative; later ones replace earlier ones, except that a zero or a missing
 * number does not replace a count: some servers name the input at the start only, others at the end only. What was
 * written to caches of both lifetimes may stand in the breakdown alone.
 */
export class AnthropicUsage {
  #input = 0;
  #cacheRead: number | undefined;
  #cacheWrite: number | undefined;
  #output: number | undefined;
  #thinking: number | undefined;

  read(said: unknown): void {
    if (!isRecord(said)) return;
    this.#input = count(said.input_tokens) || this.#input;
    this.#cacheRead = count(said.cache_read_input_tokens) || (this.#cacheRead ?? count(said.cache_read_input_tokens));
    const written = count(said.cache_creation_input_tokens) ?? sumOf(said.cache_creation);
    this.#cacheWrite = written || (this.#cacheWrite ?? written);
    this.#output = count(said.output_tokens) || (this.#output ?? count(said.output_tokens));
    const details = isRecord(said.output_tokens_details) ? said.output_tokens_details : {};
    this.#thinking = count(details.thinking_tokens) ?? this.#thinking;
  }

  /** `undefined` unless input and output were both counted: no request is of 0 tokens. */
  get value(): Usage | undefined {
    const cacheRead = this.#cacheRead ?? 0;
    const cacheWrite = this.#cacheWrite ?? 0;
    const inputTokens = this.#input + cacheRead + cacheWrite;
    const outputTokens = this.#output;
    if (inputTokens === 0 || outputTokens === undefined) return undefined;
    return {
      inputTokens,
      outputTokens,
      ...(this.#cacheRead !== undefined && { cacheReadTokens: cacheRead }),
      ...(this.#cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
      ...(this.#thinking !== undefined && { reasoningTokens: Math.min(this.#thinking, outputTokens) }),
    };
  }
}

function sumOf(breakdown: unknown): number | undefined {
  if (!isRecord(breakdown)) return undefined;
  const short = count(breakdown.ephemeral_5m_input_tokens);
  const long = count(breakdown.ephemeral_1h_input_tokens);
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
