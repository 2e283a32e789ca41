import type { UsageMeter } from "./usage-meter.js";

/** From this share on the budget counts as used. */
const USED = 0.9;
/** A continuation that adds fewer output tokens than this, or than a hundredth of the budget, adds little. */
const LITTLE_TOKENS = 500;
/** After so many continuations in a row that add little, the model has nothing more to add. */
const MAX_IDLE_CONTINUATIONS = 2;

/** Whether a model that would stop is asked to continue, because the run has tokens left that it should use. */
export class TokenBudget {
  #idle = 0;
  #outputBefore: number | null = null;

  constructor(
    private readonly tokens: number,
    private readonly meter: UsageMeter,
  ) {}

  /** Share of the budget that is used, in percent. */
  get usedPercent(): number {
    const { inputTokens, outputTokens } = this.meter.usage;
    return Math.floor(((inputTokens + outputTokens) / this.tokens) * 100);
  }

  /** Asked whenever the model has stopped. */
  takeContinuation(): boolean {
    const { outputTokens } = this.meter.usage;
    const before = this.#outputBefore;
    this.#outputBefore = outputTokens;
    if (before !== null) {
      const isLittle = outputTokens - before < Math.min(LITTLE_TOKENS, this.tokens / 100);
      this.#idle = isLittle ? this.#idle + 1 : 0;
    }
    return this.usedPercent < USED * 100 && this.#idle < MAX_IDLE_CONTINUATIONS;
  }
}
