import type { Usage } from "../../contracts/usage.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { countedUsage, tokenCount } from "../shared/counted-usage.js";

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
    if (!isObject(said)) return;
    const compactions = compactionsIn(said);
    if (compactions.length > 0) this.#readAll([said, ...compactions]);
    else this.#readLatest(said);
  }

  /** The tokens of a compaction are not in the counts beside it, and the counts at the start were its own. */
  #readAll(parts: readonly Fields[]): void {
    const total = (of: (part: Fields) => number | undefined) => parts.reduce((sum, part) => sum + (of(part) ?? 0), 0);
    this.#input = total((part) => tokenCount(part.input_tokens));
    this.#cacheRead = total((part) => tokenCount(part.cache_read_input_tokens));
    this.#cacheWrite = total(writtenIn);
    this.#output = total((part) => tokenCount(part.output_tokens));
    this.#thinking = thinkingIn(parts[0]!) ?? this.#thinking;
  }

  #readLatest(said: Fields): void {
    this.#input = tokenCount(said.input_tokens) || this.#input;
    this.#cacheRead =
      tokenCount(said.cache_read_input_tokens) || (this.#cacheRead ?? tokenCount(said.cache_read_input_tokens));
    const written = writtenIn(said);
    this.#cacheWrite = written || (this.#cacheWrite ?? written);
    this.#output = tokenCount(said.output_tokens) || (this.#output ?? tokenCount(said.output_tokens));
    this.#thinking = thinkingIn(said) ?? this.#thinking;
  }

  /** `undefined` unless input and output were both counted. */
  get value(): Usage | undefined {
    const input = this.#input + (this.#cacheRead ?? 0) + (this.#cacheWrite ?? 0);
    const [cacheRead, cacheWrite, reasoning] = [this.#cacheRead, this.#cacheWrite, this.#thinking];
    return countedUsage(input, this.#output, { cacheRead, cacheWrite, reasoning });
  }
}

/** The counts of the server's compactions before its answer. */
function compactionsIn({ iterations }: Fields): Fields[] {
  return Array.isArray(iterations) ? iterations.filter(isObject).filter(({ type }) => type === "compaction") : [];
}

function writtenIn({ cache_creation_input_tokens, cache_creation }: Fields): number | undefined {
  return tokenCount(cache_creation_input_tokens) ?? sumOf(cache_creation);
}

function thinkingIn({ output_tokens_details: details }: Fields): number | undefined {
  return isObject(details) ? tokenCount(details.thinking_tokens) : undefined;
}

function sumOf(breakdown: unknown): number | undefined {
  if (!isObject(breakdown)) return undefined;
  const short = tokenCount(breakdown.ephemeral_5m_input_tokens);
  const long = tokenCount(breakdown.ephemeral_1h_input_tokens);
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
}
