import type { Usage } from "../../contracts/usage.js";
import { isObject } from "../../json/is-object.js";
import { countedUsage, tokenCount } from "../shared/counted-usage.js";

/**
 * The tokens of one response. Counts are cumulative, so later ones replace earlier ones; a missing one does not. Thoughts
 * are counted beside the candidates, by some servers among them, and by some in the total only: the total decides.
 */
export class GoogleUsage {
  #prompt: number | undefined;
  #toolUse: number | undefined;
  #candidates: number | undefined;
  #thoughts: number | undefined;
  #cached: number | undefined;
  #total: number | undefined;

  read(said: unknown): void {
    if (!isObject(said)) return;
    this.#prompt = asCount(said.promptTokenCount) ?? this.#prompt;
    this.#toolUse = asCount(said.toolUsePromptTokenCount) ?? this.#toolUse;
    this.#candidates = asCount(said.candidatesTokenCount) ?? this.#candidates;
    this.#thoughts = asCount(said.thoughtsTokenCount) ?? this.#thoughts;
    this.#cached = asCount(said.cachedContentTokenCount) ?? this.#cached;
    this.#total = asCount(said.totalTokenCount) ?? this.#total;
  }

  /** `undefined` when the server did not count. */
  get value(): Usage | undefined {
    const inputTokens = (this.#prompt ?? 0) + (this.#toolUse ?? 0);
    const candidates = this.#candidates ?? 0;
    const thoughts = this.#thoughts ?? 0;
    const isAmong = thoughts <= candidates && inputTokens + candidates === this.#total;
    const said = isAmong ? candidates : candidates + thoughts;
    const rest = Math.max(0, (this.#total ?? 0) - inputTokens - said);
    const isCounted = this.#candidates !== undefined || this.#thoughts !== undefined || this.#total !== undefined;
    const reasoning = this.#thoughts ?? (rest > 0 ? rest : undefined);
    return countedUsage(inputTokens, isCounted ? said + rest : undefined, { cacheRead: this.#cached, reasoning });
  }
}

function asCount(value: unknown): number | undefined {
  return tokenCount(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
}
