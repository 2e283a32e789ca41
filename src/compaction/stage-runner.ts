// One compaction under way: what each stage did, what it cost, and why others could not help.
import type { View, ViewEdit } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { describeThrown } from "../text/describe-thrown.js";
import { Draft, type SkippedStage } from "./draft.js";
import { type CompactionStage, SHARED, type SharedByStages, type StageBudget, sumOf } from "./stage.js";

/** A stage's budget with what a run of stages cannot do without. */
export type RunnerBudget = StageBudget & {
  readonly targetTokens: number;
  readonly countTokens: (message: Message) => number;
  readonly [SHARED]: SharedByStages;
};

/** Steps that came to nothing; they are reported with the next one that changes the view. */
interface WastedSteps {
  durationMs: number;
  costUsd: number | null;
  skippedStages: SkippedStage[];
}

const nothingWasted = (): WastedSteps => ({ durationMs: 0, costUsd: 0, skippedStages: [] });

export class StageRunner {
  readonly #draft: Draft;
  #wasted = nothingWasted();

  /** `tokens`: of the whole request as it is. */
  constructor(
    private readonly view: View,
    tokens: number,
    private readonly budget: RunnerBudget,
  ) {
    const head = tokens - sumOf(view.messages, budget.countTokens);
    this.#draft = new Draft(view, head, budget.countTokens);
  }

  get tokens(): number {
    return this.#draft.tokens;
  }

  /** The view as it is by now. */
  get messages(): readonly Message[] {
    return this.#draft.view().messages;
  }

  /** Runs stages in order until the target is met, or the run is ended. */
  async run(stages: readonly CompactionStage[]): Promise<void> {
    for (const stage of stages) {
      if (this.tokens <= this.budget.targetTokens || this.view.signal.aborted) return;
      await this.step(stage);
    }
  }

  /** Runs one stage. One that fails, or whose edits cannot be applied, changes nothing. */
  async step(stage: CompactionStage, targetTokens = this.budget.targetTokens): Promise<void> {
    const wasted = this.#wasted;
    const startedAt = performance.now();
    let name = stage.name || "stage";
    let refusal: string | null = null;
    let isApplied = false;
    try {
      const edits = await stage(this.#draft.view(), { ...this.budget, targetTokens, spend: this.#spend });
      if (!Array.isArray(edits)) refusal = "it did not return an array of edits";
      else if (edits.length > 0) {
        name = String(edits[0].stage);
        wasted.durationMs += performance.now() - startedAt;
        refusal = this.#draft.apply(edits, { stage: name, ...wasted });
        isApplied = refusal === null;
      }
    } catch (error) {
      refusal = describeThrown(error);
    }
    if (refusal !== null) wasted.skippedStages.push({ stage: name, reason: refusal });
    if (isApplied) this.#wasted = nothingWasted();
  }

  readonly #spend: NonNullable<StageBudget["spend"]> = (usage, model) => {
    const costUsd = this.budget.spend?.(usage, model) ?? null;
    const before = this.#wasted.costUsd;
    this.#wasted.costUsd = before === null || costUsd === null ? null : before + costUsd;
    return costUsd;
  };

  edits(): ViewEdit[] {
    return this.#draft.edits();
  }
}
