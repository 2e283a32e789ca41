// One compaction under way: what each stage did, what it cost, and why others could not.
import type { View, ViewEdit } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { describeThrown } from "../text/describe-thrown.js";
import { Draft, type SkippedStage } from "./draft.js";
import { type CompactionStage, type StageBudget, sumOf } from "./stage.js";

/** What a climb needs to know of its room, all of it. */
export type ClimbBudget = StageBudget & Required<Pick<StageBudget, "targetTokens" | "countTokens">>;

export class Climb {
  readonly #draft: Draft;
  /** Of steps that came to nothing, told with the next that comes to something. */
  #vain: { durationMs: number; costUsd: number | null; skippedStages: SkippedStage[] } = {
    durationMs: 0,
    costUsd: 0,
    skippedStages: [],
  };

  /** `tokens`: of the whole request as it is. */
  constructor(
    private readonly view: View,
    tokens: number,
    private readonly budget: ClimbBudget,
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
  async climb(stages: readonly CompactionStage[]): Promise<void> {
    for (const stage of stages) {
      if (this.tokens <= this.budget.targetTokens || this.view.signal.aborted) return;
      await this.step(stage);
    }
  }

  /** Runs one stage. One that fails, or answers what cannot be taken, changes nothing. */
  async step(stage: CompactionStage, targetTokens = this.budget.targetTokens): Promise<void> {
    const vain = this.#vain;
    const startedAt = performance.now();
    let name = stage.name || "stage";
    let refusal: string | null = null;
    let isTaken = false;
    try {
      const edits = await stage(this.#draft.view(), { ...this.budget, targetTokens, spend: this.#spend });
      if (!Array.isArray(edits)) refusal = "it answered no array of edits";
      else if (edits.length > 0) {
        name = String(edits[0].stage);
        vain.durationMs += performance.now() - startedAt;
        refusal = this.#draft.apply(edits, { stage: name, ...vain });
        isTaken = refusal === null;
      }
    } catch (error) {
      refusal = describeThrown(error);
    }
    if (refusal !== null) vain.skippedStages.push({ stage: name, reason: refusal });
    if (isTaken) this.#vain = { durationMs: 0, costUsd: 0, skippedStages: [] };
  }

  readonly #spend: NonNullable<StageBudget["spend"]> = (usage, model) => {
    const costUsd = this.budget.spend?.(usage, model) ?? null;
    const before = this.#vain.costUsd;
    this.#vain.costUsd = before === null || costUsd === null ? null : before + costUsd;
    return costUsd;
  };

  edits(): ViewEdit[] {
    return this.#draft.edits();
  }
}
