// A view while it is being made smaller: stages see each other's work, and what is recorded in the end is the difference
// from the original view, in as few edits as possible.

import type { CompactionReport, View, ViewEdit } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { frozen } from "../engine/transcript/message-shape.js";
import { validateTranscript } from "../engine/transcript/validate-transcript.js";
import { describeThrown } from "../text/describe-thrown.js";
import {
  type Change,
  type CompactionStage,
  editOf,
  SHARED,
  type SharedByStages,
  type StageBudget,
  sumOf,
  turnsIn,
  wholeEntries,
} from "./stage.js";

/** The edits of one stage on a draft. */
interface Step {
  readonly stage: string;
  readonly afterTokens: number;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly skippedStages: readonly SkippedStage[];
}

type SkippedStage = NonNullable<CompactionReport["skippedStages"]>[number];

export class Draft {
  readonly #original: View;
  readonly #count: (message: Message) => number;
  readonly #allowOpen: boolean;
  readonly #steps: Step[] = [];
  /** The step that made or removed a message. */
  readonly #by = new Map<Message, number>();
  readonly #beforeTokens: number;
  #messages: readonly Message[];
  #ids: readonly string[];
  #drafted = 0;
  tokens: number;

  /** `headTokens`: of what comes before the messages in each request. */
  constructor(view: View, headTokens: number, count: (message: Message) => number) {
    this.#original = view;
    this.#count = count;
    this.#messages = [...view.messages];
    this.#ids = [...view.entryIds];
    this.#allowOpen = validateTranscript(view.messages).length > 0;
    this.tokens = headTokens + sumOf(this.#messages, count);
    this.#beforeTokens = this.tokens;
  }

  /** As it is now. Edits of a draft refer to ids of its own. */
  view(): View {
    const { lastUsage: _ofTheOriginal, ...same } = this.#original;
    return { ...same, messages: this.#messages, entryIds: this.#ids };
  }

  /** Applies a stage's edits, all or none. Returns why they cannot be applied, or `null`. */
  apply(edits: readonly ViewEdit[], about: Omit<Step, "afterTokens">): string | null {
    const messages: Message[] = [];
    const ids: string[] = [];
    const touched: Message[] = [];
    const { firsts, lasts } = placesOf(this.#ids);
    let next = 0;
    for (const { from, to, replacement } of inOrder(edits, firsts)) {
      const start = firsts.get(from) ?? -1;
      const end = lasts.get(to) ?? -1;
      if (start < next || end < start) return `its edit from "${from}" to "${to}" is not in the view`;
      const added = replacement.map(frozen);
      const id = `draft.${++this.#drafted}`;
      messages.push(...this.#messages.slice(next, start), ...added);
      ids.push(...this.#ids.slice(next, start), ...added.map(() => id));
      touched.push(...this.#messages.slice(start, end + 1), ...added);
      next = end + 1;
    }
    messages.push(...this.#messages.slice(next));
    ids.push(...this.#ids.slice(next));
    const problem = validateTranscript(messages, { allowOpen: this.#allowOpen })[0];
    if (problem) return `its edits leave an invalid view (${problem.message})`;
    if (messages.length === 0) return "its edits leave nothing";
    const saved = sumOf(this.#messages, this.#count) - sumOf(messages, this.#count);
    if (saved <= 0) return "its edits do not make the view smaller";
    this.#messages = messages;
    this.#ids = ids;
    this.tokens -= saved;
    for (const message of touched) this.#by.set(message, this.#steps.length);
    this.#steps.push({ ...about, afterTokens: this.tokens });
    return null;
  }

  /** The difference from the original view. A step of which nothing is left counts towards the next one that shows. */
  edits(): ViewEdit[] {
    const changes = wholeEntries(this.#original, differences(this.#original.messages, this.#messages));
    const stepOf = ({ first, last, replacement }: Change): number =>
      Math.max(
        ...[...this.#original.messages.slice(first, last + 1), ...replacement].map((each) => this.#by.get(each) ?? 0),
      );
    const edits: ViewEdit[] = [];
    let beforeTokens = this.#beforeTokens;
    let carried: Step[] = [];
    for (const [index, step] of this.#steps.entries()) {
      carried.push(step);
      const own = changes.filter((change) => stepOf(change) === index);
      if (own.length === 0) continue;
      const report = this.#report(own, beforeTokens, carried);
      edits.push(...own.map((change) => editOf(this.#original, change, report)));
      beforeTokens = step.afterTokens;
      carried = [];
    }
    return edits;
  }

  #report(changes: readonly Change[], beforeTokens: number, steps: readonly Step[]): CompactionReport {
    const { stage, afterTokens } = steps.at(-1)!;
    const removed = changes.map(({ first, last, replacement }) => {
      return turnsIn(this.#original.messages.slice(first, last + 1)) - turnsIn(replacement);
    });
    const skippedStages = steps.flatMap((step) => step.skippedStages);
    return {
      stage,
      beforeTokens: Math.round(beforeTokens),
      afterTokens: Math.round(afterTokens),
      removedTurns: Math.max(0, total(removed)),
      durationMs: total(steps.map(({ durationMs }) => durationMs)),
      costUsd: steps.some(({ costUsd }) => costUsd === null) ? null : total(steps.map(({ costUsd }) => costUsd ?? 0)),
      ...(skippedStages.length > 0 && { skippedStages }),
    };
  }
}

/** The first and the last place of each id. */
function placesOf(ids: readonly string[]) {
  const firsts = new Map<string, number>();
  const lasts = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    if (!firsts.has(id)) firsts.set(id, index);
    lasts.set(id, index);
  }
  return { firsts, lasts };
}

function inOrder(edits: readonly ViewEdit[], places: ReadonlyMap<string, number>): ViewEdit[] {
  return [...edits].sort((a, b) => (places.get(a.from) ?? -1) - (places.get(b.from) ?? -1));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The spans between messages that both have. A span with nothing to replace takes the message before, or after, along. */
function differences(before: readonly Message[], after: readonly Message[]): Change[] {
  const places = new Map(before.map((message, index) => [message, index]));
  const changes: Change[] = [];
  let next = 0;
  let added: Message[] = [];
  const close = (end: number) => {
    if (next < end || added.length > 0) changes.push({ first: next, last: end - 1, replacement: added });
    added = [];
  };
  for (const message of after) {
    const place = places.get(message) ?? -1;
    if (place < next) {
      added.push(message);
      continue;
    }
    close(place);
    next = place + 1;
  }
  close(before.length);
  return changes.map((change) => widened(change, before));
}

function widened(change: Change, before: readonly Message[]): Change {
  const { first, last, replacement } = change;
  if (last >= first) return change;
  if (first > 0) return { first: first - 1, last: first - 1, replacement: [before[first - 1]!, ...replacement] };
  return { first, last: first, replacement: [...replacement, before[first]!] };
}

// ── one compaction under way: what each stage did, what it cost, and why others could not help ───────────────────────

/** A stage's budget with what a run of stages cannot do without. */
type RunnerBudget = StageBudget & {
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
