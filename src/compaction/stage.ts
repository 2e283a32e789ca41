// The contract of a stage, and how it says which edits it wants.

import type { CompactionReport, ContextBudget, View, ViewEdit } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { frozen } from "../engine/transcript/message-shape.js";
import { estimateTokens, headTokens, rememberingCounter, type TokenCounter } from "./token-count.js";
import { ViewLines } from "./view-lines.js";

/**
 * One rung of the ladder: from a view to the edits that make it smaller. `[]` passes on to the next.
 *
 * Pure, except for what it asks of a model, a store or a reader it was given. Called only while the view has more than
 * `targetTokens`. The pipeline refuses edits that leave an invalid view or do not make it smaller, and goes on with
 * the next stage, as it does when a stage throws. Reports name a stage that throws by the function's `name`.
 */
export type CompactionStage = (view: View, budget: StageBudget) => readonly ViewEdit[] | Promise<readonly ViewEdit[]>;

/** The state that the stages of one pipeline share beside their budget. */
export const SHARED = Symbol("shared by the stages of a pipeline");

export interface SharedByStages {
  readonly lines: ViewLines;
  /** Tokens of a string, on the scale of `countTokens`. */
  readonly countText: TokenCounter;
}

/** The budget and tools of a stage. A stage called alone fills in what is left out. */
export interface StageBudget extends ContextBudget {
  /** The size to aim for, of the whole request. Unit: tokens. Default: half the window, or half of the view without one. */
  readonly targetTokens?: number | undefined;
  /** Tokens of one message. Default: an estimate. */
  readonly countTokens?: ((message: Message) => number) | undefined;
  /** Messages that stay as they are. The first user message always does. Default: none. */
  readonly isPinned?: ((message: Message) => boolean) | undefined;
  /** The newest turns that stay as they are. Default: 6. */
  readonly keepTurns?: number | undefined;
  /** Wishes of the caller of the compaction, and of hooks, for what it keeps in particular. */
  readonly instructions?: string | null | undefined;
}

/** Gives a stage the name it is exported under, which a bundler may change in the function itself. */
export function named(name: string, stage: CompactionStage): CompactionStage {
  return Object.defineProperty(stage, "name", { value: name });
}

export const DEFAULT_KEEP_TURNS = 6;
/** The tail of newest turns has at most this share of the target. */
const TAIL_SHARE = 0.6;

/** A stage's budget with everything filled in. */
export interface Room {
  readonly targetTokens: number;
  /** Tokens of the request as it is. */
  readonly usedTokens: number;
  readonly tailTokens: number;
  readonly keepTurns: number;
  readonly count: (message: Message) => number;
  /** Tokens of a string, on the same scale. */
  readonly countText: TokenCounter;
  readonly isPinned: (message: Message) => boolean;
  /** The lines of the view. */
  readonly lines: ViewLines;
}

export function roomOf(view: View, budget: StageBudget): Room {
  const count = budget.countTokens ?? rememberingCounter(estimateTokens);
  const shared = (budget as { readonly [SHARED]?: SharedByStages })[SHARED];
  const usedTokens = headTokens(view) + view.messages.reduce((sum, message) => sum + count(message), 0);
  const targetTokens = budget.targetTokens ?? (budget.contextWindow ?? usedTokens) / 2;
  return {
    targetTokens,
    usedTokens,
    tailTokens: targetTokens * TAIL_SHARE,
    keepTurns: budget.keepTurns ?? DEFAULT_KEEP_TURNS,
    count,
    countText: shared?.countText ?? ((text) => count(saying(text)) - count(saying(""))),
    isPinned: budget.isPinned ?? (() => false),
    get lines() {
      const lines = shared?.lines ?? new ViewLines().update(view.messages, view.describe);
      Object.defineProperty(this, "lines", { value: lines });
      return lines;
    },
  };
}

const saying = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** Messages `first` to `last` of a view, both included, become `replacement`. */
export interface Change {
  readonly first: number;
  readonly last: number;
  readonly replacement: readonly Message[];
}

/**
 * Edits from changes by index, `[]` if they would not make the view smaller. Changes must not overlap. All edits share
 * one report, and messages that share an entry id are replaced together, the unchanged ones by themselves.
 *
 * @example
 * return toEdits("drop-images", view, budget, [{ first: 3, last: 3, replacement: [withoutImages] }]);
 */
export function toEdits(stage: string, view: View, budget: StageBudget, changes: readonly Change[]): ViewEdit[] {
  if (changes.length === 0) return [];
  const { usedTokens, count } = roomOf(view, budget);
  const report = reportOf({ stage, beforeTokens: usedTokens }, view, changes, count);
  if (report.afterTokens >= report.beforeTokens) return [];
  return wholeEntries(view, changes).map((change) => editOf(view, change, report));
}

export function editOf(view: View, { first, last, replacement }: Change, report: CompactionReport): ViewEdit {
  const [from, to] = [view.entryIds[first]!, view.entryIds[last]!];
  return { stage: report.stage, from, to, replacement: replacement.map(frozen), report };
}

function reportOf(
  about: Pick<CompactionReport, "stage" | "beforeTokens">,
  { messages }: View,
  changes: readonly Change[],
  count: (message: Message) => number,
): CompactionReport {
  let saved = 0;
  let removedTurns = 0;
  for (const { first, last, replacement } of changes) {
    const removed = messages.slice(first, last + 1);
    saved += sumOf(removed, count) - sumOf(replacement, count);
    removedTurns += turnsIn(removed) - turnsIn(replacement);
  }
  const afterTokens = Math.round(about.beforeTokens - saved);
  const beforeTokens = Math.round(about.beforeTokens);
  return { ...about, beforeTokens, afterTokens, removedTurns: Math.max(0, removedTurns), durationMs: 0, costUsd: 0 };
}

/** Widens changes to whole entries: messages of one earlier edit share its id. */
export function wholeEntries({ messages, entryIds }: View, changes: readonly Change[]): Change[] {
  const whole: Change[] = [];
  for (const change of [...changes].sort((a, b) => a.first - b.first)) {
    let { first, last } = change;
    while (first > 0 && entryIds[first - 1] === entryIds[first]) first--;
    while (last + 1 < entryIds.length && entryIds[last + 1] === entryIds[last]) last++;
    const before = whole.at(-1);
    const isJoined = before !== undefined && before.last >= first;
    const kept = isJoined
      ? before.replacement.slice(0, before.replacement.length - (before.last - change.first + 1))
      : messages.slice(first, change.first);
    const replacement = [...kept, ...change.replacement, ...messages.slice(change.last + 1, last + 1)];
    if (isJoined) whole[whole.length - 1] = { first: before.first, last: Math.max(last, before.last), replacement };
    else whole.push({ first, last, replacement });
  }
  return whole;
}

export function sumOf(messages: readonly Message[], count: (message: Message) => number): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

export function turnsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}
