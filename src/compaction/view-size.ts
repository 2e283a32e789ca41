// The size of a view, in O(new messages): what the provider counted is the truth for what was sent, and only what came
// since is estimated, on the scale the two have in common.
import type { View } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import { headTokens } from "./stage.js";
import { countMessage, rememberingCounter, type TokenCounter } from "./token-count.js";
import { ViewLines } from "./view-lines.js";

/** A provider that reports less than this share of the estimate is not believed. */
const LEAST_CREDIBLE = 1 / 8;
/** Less than this says nothing about the scale. Unit: estimated tokens. */
const LEAST_TO_SCALE = 500;
/** The bound of the scale: beyond it, something other than words was counted. */
const MAX_RATIO = 4;
/** The most that a provider adds to each request unseen. Reports beyond it and the scale are not believed. Unit: tokens. */
const MAX_HIDDEN = 4_000;

export interface ViewSize {
  /** Of the whole request. */
  readonly tokens: number;
  /** Of system prompt and tools. */
  readonly head: number;
  /** Real tokens for each estimated one. */
  readonly ratio: number;
}

interface Tally {
  /** Tokens of one message, each counted once for as long as it is in the view. */
  count: (message: Message) => number;
  /** The view's lines, read as far as the last compaction needed them. */
  readonly lines: ViewLines;
  counted: number;
  estimated: number;
  ratio: number;
  usage: View["lastUsage"];
  /** The estimate of what was sent when `usage` was reported. */
  estimatedSent: number;
}

/** One for each policy. Keeps a sum for each view that is under way. */
export class ViewSizes {
  readonly #tallies = new WeakMap<readonly Message[], Tally>();
  readonly #heads = new WeakMap<object, { tools: View["tools"]; tokens: number }>();

  constructor(private readonly countText: TokenCounter) {}

  measure(view: View): ViewSize {
    const { messages, lastUsage } = view;
    const head = this.#headOf(view);
    let tally = this.#tallies.get(messages);
    if (!tally || tally.counted > messages.length) {
      const count = rememberingCounter(this.countText);
      const lines = tally?.lines ?? new ViewLines();
      const ratio = tally?.ratio ?? 1;
      tally = { count, lines, counted: 0, estimated: 0, ratio, usage: undefined, estimatedSent: 0 };
      this.#tallies.set(messages, tally);
    }
    const isNews = lastUsage !== tally.usage && isCount(lastUsage?.usage.inputTokens);
    for (; ; tally.counted++) {
      if (isNews && tally.counted === lastUsage?.messageCount) tally.estimatedSent = tally.estimated;
      if (tally.counted >= messages.length) break;
      tally.estimated += tally.count(messages[tally.counted]!);
    }
    tally.usage = lastUsage;
    return { head, ...sizeOf(tally, head) };
  }

  /** Tokens of one message of a view that was measured, on the scale of `countText`. */
  counterOf({ messages }: View): (message: Message) => number {
    return this.#tallies.get(messages)!.count;
  }

  /** The lines of a view that was measured. */
  linesOf({ messages, describe }: View): ViewLines {
    return this.#tallies.get(messages)!.lines.update(messages, describe);
  }

  /** The view is about to change other than at its end: what stays need not be counted again. */
  forget({ messages }: View): void {
    const tally = this.#tallies.get(messages);
    if (!tally) return;
    const counted = new Map(messages.map((message) => [message, tally.count(message)]));
    const count = rememberingCounter(this.countText, (message) => {
      return counted.get(message) ?? countMessage(message, this.countText);
    });
    Object.assign(tally, { count, counted: 0, estimated: 0, usage: undefined });
  }

  #headOf(view: View): number {
    const known = this.#heads.get(view.system);
    if (known?.tools === view.tools) return known.tokens;
    const tokens = headTokens(view, this.countText);
    this.#heads.set(view.system, { tools: view.tools, tokens });
    return tokens;
  }
}

function sizeOf(tally: Tally, head: number): { readonly tokens: number; readonly ratio: number } {
  const usage = tally.usage?.usage;
  const sent = head + tally.estimatedSent;
  if (!usage || usage.estimated || !isCredible(usage.inputTokens, sent))
    return { tokens: (head + tally.estimated) * tally.ratio, ratio: tally.ratio };
  if (sent >= LEAST_TO_SCALE)
    tally.ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, usage.inputTokens / Math.max(1, sent)));
  return { tokens: usage.inputTokens + (tally.estimated - tally.estimatedSent) * tally.ratio, ratio: tally.ratio };
}

/** Whether a provider that was sent an estimated number of tokens can have counted what it reports. */
export function isCredible(reported: number, sent: number): boolean {
  return reported >= sent * LEAST_CREDIBLE && reported <= sent * MAX_RATIO + MAX_HIDDEN;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
