import type { Message } from "../../contracts/message.js";
import type { ModelAuthor, PriceLookup, PromptSection, ProviderRequest } from "../../contracts/provider.js";
import type { Transition } from "../../contracts/run.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { ignoreFailure } from "../../time/is-promise.js";

export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 });

/** No model call uses this many tokens; a larger number is not credible. */
const ABSURD_TOKENS = 1e9;

/** Limits that span a run and its sub-agents. Units: tokens, US dollars. */
export interface Budget {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
}

/** The used share of a budget: 1 is all of it. */
export interface BudgetShare {
  readonly name: string;
  readonly share: number;
}

/** Adds up what a run and its sub-agents use. Every addition also reaches the parent's meter. */
export class UsageMeter {
  usage: Usage = NO_USAGE;
  /** `null` once the price of a call was not known. */
  costUsd: number | null = 0;

  /** The model knows that a budget is nearly used up. */
  hasReminded = false;
  /** The newest model call of the epoch: its usage, and the number of messages it was sent. */
  lastCall: { readonly usage: Usage; readonly messageCount: number } | undefined;

  constructor(
    readonly budget: Budget,
    private readonly prices: PriceLookup | undefined,
    readonly parent: UsageMeter | null,
  ) {}

  get hasPrices(): boolean {
    return this.prices !== undefined;
  }

  add(usage: Usage, costUsd: number | null): void {
    this.usage = addUsage(this.usage, usage);
    this.costUsd = this.costUsd === null || costUsd === null ? null : this.costUsd + costUsd;
    this.parent?.add(usage, costUsd);
  }

  /** The usage of a model call: as reported, else estimated from what was sent since the last call and what came back. */
  measure(sent: Sent, reported: Usage | undefined, reply: Message | null): Usage {
    const usage = reported ?? this.#estimate(sent, reply);
    this.lastCall = { usage, messageCount: sent.messages.length };
    return usage;
  }

  #estimate(sent: Sent, reply: Message | null): Usage {
    const { usage, messageCount } = this.lastCall ?? { messageCount: 0 };
    const isKnown = usage && messageCount <= sent.messages.length;
    const inputTokens = isKnown
      ? usage.inputTokens + estimateTokensOf(sent.messages.slice(messageCount))
      : estimateRequestTokens(sent);
    return { inputTokens, outputTokens: reply ? estimateMessageTokens(reply) : 0, estimated: true };
  }

  /** The cost of a model call; `null` when that is not known. */
  priceOf({ id: provider, model }: ModelAuthor, usage: Usage): number | null {
    if (!this.prices) return null;
    try {
      const cost: unknown = this.prices({ provider, model }, usage);
      ignoreFailure(cost);
      return typeof cost === "number" && cost >= 0 && Number.isFinite(cost) ? cost : null;
    } catch {
      return null; // An unknown cost is null; a price table that throws knows none.
    }
  }

  /** The budget, here or at any parent, that is used up most. */
  mostUsed(): BudgetShare | null {
    const { maxTokens, maxCostUsd } = this.budget;
    if (maxTokens === undefined && maxCostUsd === undefined) return this.parent ? this.parent.mostUsed() : null;
    const shares: BudgetShare[] = [];
    if (maxTokens !== undefined) {
      shares.push({ name: "token", share: (this.usage.inputTokens + this.usage.outputTokens) / maxTokens });
    }
    if (maxCostUsd !== undefined && this.costUsd !== null)
      shares.push({ name: "cost", share: this.costUsd / maxCostUsd });
    const above = this.parent?.mostUsed();
    if (above) shares.push(above);
    return shares.reduce<BudgetShare | null>((most, next) => (most && most.share >= next.share ? most : next), null);
  }

  /** Whether this run's cost is limited, here or at any parent. */
  limitsCost(): boolean {
    return this.budget.maxCostUsd !== undefined || (this.parent?.limitsCost() ?? false);
  }
}

const OPTIONAL_COUNTS = ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

type MutableUsage = { -readonly [K in keyof Usage]: Usage[K] };

/** The sum of the usage of two pieces of work. */
export function addUsage(a: Usage, b: Usage): Usage {
  const [inputTokens, outputTokens] = [a.inputTokens + b.inputTokens, a.outputTokens + b.outputTokens];
  if (isPlain(a) && isPlain(b)) return { inputTokens, outputTokens };
  const sum: MutableUsage = { inputTokens, outputTokens };
  for (const key of OPTIONAL_COUNTS)
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  if (a.estimated || b.estimated) sum.estimated = true;
  return sum;
}

/** Whether there is nothing but the two counts every model reports. */
function isPlain({ cacheReadTokens, cacheWriteTokens, reasoningTokens, estimated }: Usage): boolean {
  return (cacheReadTokens ?? cacheWriteTokens ?? reasoningTokens ?? estimated) === undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < ABSURD_TOKENS;
}

/** The provider's report, if it is credible. */
export function credibleUsage(usage: Usage | undefined): Usage | null {
  if (typeof usage !== "object" || usage === null) return null;
  const { inputTokens, outputTokens } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  if (isPlain(usage)) return { inputTokens, outputTokens };
  const credible: MutableUsage = { inputTokens, outputTokens };
  for (const key of OPTIONAL_COUNTS) if (isCount(usage[key])) credible[key] = usage[key];
  if (usage.estimated === true) credible.estimated = true;
  return credible;
}

/** The size that an image or a file counts as, whatever its own: about what vendors bill for an ordinary one. Unit: characters. */
const MEDIA_CHARS = 6_000;

/** The weight of a part of a request does not change: it is estimated once. */
const WEIGHTS = new WeakMap<Message | PromptSection | ToolDefinition, number>();

/** The parts of a request that count. */
type Sent = Pick<ProviderRequest, "system" | "tools" | "messages">;

/** About how many tokens a request sends. Cost: one look at each of its parts, and an estimate of the new ones. */
export function estimateRequestTokens({ system, tools, messages }: Sent): number {
  return estimateTokensOf(system) + estimateTokensOf(tools) + estimateTokensOf(messages);
}

function estimateTokensOf(parts: readonly (Message | PromptSection | ToolDefinition)[]): number {
  let tokens = 0;
  for (const part of parts) {
    // Models are not sent the output's schema.
    const weight =
      WEIGHTS.get(part) ?? estimateTokens("content" in part ? part.content : [{ ...part, outputSchema: undefined }]);
    WEIGHTS.set(part, weight);
    tokens += weight;
  }
  return tokens;
}

/** A rough count of a message's tokens: a quarter of its characters, one for each that is not Latin. */
export function estimateMessageTokens({ content }: Message): number {
  return estimateTokens(content);
}

function estimateTokens(parts: readonly object[]): number {
  const hasMedia = parts.some(
    (part) => isMedia(part) || ("output" in part && Array.isArray(part.output) && part.output.some(isMedia)),
  );
  let chars = 0;
  const withoutData = (_name: string, value: unknown) => {
    if (!isMedia(value)) return value;
    chars += MEDIA_CHARS;
    return 0;
  };
  const text = JSON.stringify(parts, hasMedia ? withoutData : undefined) ?? "";
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x2e7f) wide++;
  return Math.ceil((chars + text.length - wide) / 4) + wide;
}

function isMedia(value: unknown): boolean {
  return typeof value === "object" && value !== null && "mediaType" in value;
}

// ── tries ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The reason why a run takes one more turn than the model asked for. */
type RetryReason = Extract<
  Transition,
  "stop-hook" | "output-retry" | "overflow-recovery" | "output-limit-continuation" | "empty-response-retry"
>;

/** Counts how often a run has tried again, by reason. Each reason has a bound of its own. */
export class Retries {
  readonly #used: { [Reason in RetryReason]: number } = {
    "stop-hook": 0,
    "output-retry": 0,
    "overflow-recovery": 0,
    "output-limit-continuation": 0,
    "empty-response-retry": 0,
  };

  constructor(private readonly limits: { readonly [Reason in RetryReason]: number }) {}

  /** Takes one more try. `false`: no try is left. */
  take(reason: RetryReason): boolean {
    if (this.#used[reason] >= this.limits[reason]) return false;
    this.#used[reason]++;
    return true;
  }

  used(reason: RetryReason): number {
    return this.#used[reason];
  }

  limit(reason: RetryReason): number {
    return this.limits[reason];
  }

  /** A try has worked: the next failure starts counting from 0. */
  reset(reason: RetryReason): void {
    this.#used[reason] = 0;
  }
}
