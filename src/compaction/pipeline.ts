// The ladder: stages lightest first, until the request fits. Nothing happens below the trigger, so that epochs are few.
import type { ContextBudget, ContextPolicy, View, ViewEdit } from "../contracts/context.js";
import { type ProviderError, RunError } from "../contracts/errors.js";
import type { Message } from "../contracts/message.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { ArtifactStore } from "../contracts/workspace.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  optionError,
  type WithDefaults,
  withMethods,
} from "../json/check-options.js";
import { contextUsage } from "./context-usage.js";
import { StageRunner } from "./draft.js";
import { type CompactionStage, DEFAULT_KEEP_TURNS, SHARED, sumOf } from "./stage.js";
import { reactive } from "./stages/reactive.js";
import { micro, offload, pictures } from "./stages/results.js";
import { type SessionMemoryOptions, sessionMemory } from "./stages/session-memory.js";
import { type FileReader, summarize } from "./stages/summarize.js";
import { collapse, snip } from "./stages/turns.js";
import { estimateTokens, type TokenCounter } from "./token-count.js";
import { type ViewSize, ViewSizes } from "./view-lines.js";

/** Options of `createCompactionPipeline`; everything has a default. */
export interface CompactionOptions {
  /**
   * The ladder, lightest first. Default: `pictures`, `offload`, `snip` of spent turns, `micro`, `collapse`, `sessionMemory`. With a
   * `summarizer`, `sessionMemory` passes on to `summarize` where its notes would lose more than half of what they hold,
   * and is the last resort when the model fails.
   */
  readonly stages?: readonly CompactionStage[] | undefined;
  /** Compact when the request takes up this share of the window. Default: 0.8. */
  readonly triggerRatio?: number | undefined;
  /** Aim for this share of the window. Default: 0.5. */
  readonly targetRatio?: number | undefined;
  /** The window, for models whose provider does not say. Unit: tokens. */
  readonly contextWindow?: number | undefined;
  /** A real tokenizer, as `countTokens` of gpt-tokenizer. Default: an estimate, calibrated by reported usage. */
  readonly countTokens?: TokenCounter | undefined;
  /** The model that writes summaries. Without one no model is asked. */
  readonly summarizer?: ProviderAdapter | undefined;
  /** Attaches the files last used to a written summary. Default: no files are attached. */
  readonly readFile?: FileReader | undefined;
  /** The host's own session notes, instead of the extracted ones; asked before a model is. */
  readonly notes?: SessionMemoryOptions["notes"] | undefined;
  /** The store for large results. Default: the engine's `artifacts`. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Messages that stay whatever happens, with the calls or results they belong to. Asked for old messages only. */
  readonly isPinned?: ((message: Message) => boolean) | undefined;
  /** The newest turns that stay as they are, while they fit. Default: 6. */
  readonly keepTurns?: number | undefined;
}

const OWNER = "createCompactionPipeline()";
const OPTIONS = {
  stages: listOf(FUNCTION, "stages"),
  triggerRatio: byDefault(0.8, numberFrom(0, "share of the window", 1, true)),
  targetRatio: byDefault(0.5, numberFrom(0, "share of the window", 1, true)),
  contextWindow: numberFrom(1, "tokens", undefined, true),
  countTokens: byDefault(estimateTokens, FUNCTION),
  summarizer: withMethods("stream"),
  readFile: FUNCTION,
  notes: FUNCTION,
  artifacts: withMethods("put", "get"),
  isPinned: byDefault(() => false, FUNCTION),
  keepTurns: byDefault(DEFAULT_KEEP_TURNS, numberFrom(1, "turns")),
} satisfies OptionTable<CompactionOptions>;

interface CompactionSettings extends WithDefaults<CompactionOptions, typeof OPTIONS> {
  readonly stages: readonly CompactionStage[];
  /** For a compaction that was asked for: the model, if there is one, works on the messages, not on placeholders. */
  readonly requestedStages: readonly CompactionStage[];
}

/** @throws ConfigurationError `OPTION_INVALID` */
function readCompactionOptions(options: CompactionOptions): CompactionSettings {
  const settings = checkOptions(OWNER, options, OPTIONS);
  const { triggerRatio, targetRatio } = settings;
  if (triggerRatio === 0) throw optionError(OWNER, "triggerRatio", triggerRatio, "more than 0, at most 1");
  if (targetRatio === 0 || targetRatio >= triggerRatio) {
    throw optionError(OWNER, "targetRatio", targetRatio, `more than 0 and less than triggerRatio (${triggerRatio})`);
  }
  return { ...settings, ...readStages(settings) };
}

/** Extracted notes that would lose more are left to a model, if there is one. */
const MAX_LOST_SHARE = 0.5;

function readStages(options: CompactionOptions): Pick<CompactionSettings, "stages" | "requestedStages"> {
  const { stages, summarizer, readFile, notes } = options;
  if (stages) return { stages, requestedStages: stages };
  const light = [pictures(), offload({ artifacts: options.artifacts }), snip({ turns: "spent" }), micro(), collapse()];
  const own = notes ? [sessionMemory({ notes })] : [];
  const written = summarizer ? [summarize({ summarizer, readFile })] : [];
  const extracted = [sessionMemory()];
  const sufficient = summarizer ? [sessionMemory({ maxLostShare: MAX_LOST_SHARE })] : [];
  return {
    stages: [...light, ...own, ...sufficient, ...written, ...extracted],
    requestedStages: [...own, ...written, ...extracted, ...light],
  };
}

/** A view that cannot be brought below the trigger may fill this share of what is left before the next attempt. */
const SLACK_SHARE = 0.5;
/** A recovery, or a compaction that was asked for, leaves at most this share of the request. */
const SHRINK_SHARE = 0.5;
/** A window that an error names is believed if it is at least this share of what was sent. */
const LEAST_NAMED_SHARE = 0.02;
/** The last resort fills the window to this share, so that there is room for the next turn. */
const LAST_RESORT_SHARE = 0.9;
/** The bound on how far a provider's reports raise the estimate where a request is refused before it is sent. */
const MAX_SURE_RATIO = 2;

/**
 * A context policy that keeps the request within the model's window: below `triggerRatio` it changes nothing, above it
 * the stages run in order until the request has `targetRatio` of the window. If they cannot, the smallest valid view is
 * taken, without a model.
 *
 * One policy may serve many engines and sessions. It fails with `CONTEXT_TOO_SMALL` when even the smallest view is
 * larger than the window.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createCompactionPipeline(options: CompactionOptions = {}): ContextPolicy {
  return new CompactionPipeline(readCompactionOptions(options));
}

class CompactionPipeline implements ContextPolicy {
  readonly #sizes: ViewSizes;
  /** The size at which a view is compacted again, if the last time could not bring it below the trigger. Unit: tokens. */
  readonly #postponed = new WeakMap<readonly Message[], number>();

  constructor(private readonly settings: CompactionSettings) {
    this.#sizes = new ViewSizes(settings.countTokens);
  }

  async prepare(view: View, budget: ContextBudget): Promise<readonly ViewEdit[]> {
    const size = this.#sizes.measure(view);
    const { trigger, target, limit } = goalOf(this.settings, budget);
    const { requested } = budget;
    const due = Math.max(trigger, this.#postponed.get(view.messages) ?? 0);
    if (!requested && size.tokens <= due) return [];
    const runner = await this.#begin(
      view,
      size,
      budget,
      requested ? Math.min(target, size.tokens * SHRINK_SHARE) : target,
    );
    if (!runner) return [];
    await runner.run(requested ? this.settings.requestedStages : this.settings.stages);
    if (runner.tokens > limit) await runner.step(reactive(), limit * LAST_RESORT_SHARE);
    if (view.signal.aborted) return [];
    if (runner.tokens > limit && this.#isSurelyOver(limit, view, size, runner))
      throw this.#tooSmall(view, size, runner.tokens, limit);
    this.#sizes.forget(view);
    if (runner.tokens <= trigger) this.#postponed.delete(view.messages);
    else this.#postponed.set(view.messages, runner.tokens + (limit - runner.tokens) * SLACK_SHARE);
    return runner.edits();
  }

  async recover(
    view: View,
    error: ProviderError,
    budget: ContextBudget = UNKNOWN_BUDGET,
  ): Promise<readonly ViewEdit[]> {
    const size = this.#sizes.measure(view);
    const named = parseContextLimit(error.message) ?? 0;
    // A far smaller number is not the window.
    const window = named > size.tokens * LEAST_NAMED_SHARE ? named : Number.POSITIVE_INFINITY;
    const target = Math.min(goalOf(this.settings, budget).target, window * SHRINK_SHARE, size.tokens * SHRINK_SHARE);
    const runner = await this.#begin(view, size, budget, target);
    if (!runner) return [];
    await runner.run([...this.settings.stages, reactive()]);
    if (view.signal.aborted) return [];
    this.#sizes.forget(view);
    return runner.edits();
  }

  usage(view: View, budget: ContextBudget) {
    const { countTokens, contextWindow } = this.settings;
    return contextUsage(
      view,
      { ...budget, contextWindow: budget.contextWindow ?? contextWindow ?? null },
      { countTokens },
    );
  }

  /** `null`: a hook forbids it. */
  async #begin(view: View, size: ViewSize, budget: ContextBudget, targetTokens: number): Promise<StageRunner | null> {
    const permit = await budget.permit?.();
    if (permit && !permit.allowed) return null;
    const { isPinned, keepTurns } = this.settings;
    const count = this.#sizes.counterOf(view);
    return new StageRunner(view, size.tokens, {
      ...budget,
      targetTokens: Math.max(1, targetTokens),
      countTokens: (message) => count(message) * size.ratio,
      isPinned,
      keepTurns,
      instructions: permit?.instructions ?? budget.requested?.focus ?? null,
      [SHARED]: {
        lines: this.#sizes.linesOf(view),
        countText: (text) => this.settings.countTokens(text) * size.ratio,
      },
    });
  }

  /** Where reports and the estimate contradict each other, the provider decides. */
  #isSurelyOver(limit: number, view: View, { head, ratio }: ViewSize, { messages }: StageRunner): boolean {
    const estimated = head + sumOf(messages, this.#sizes.counterOf(view));
    return estimated * Math.min(ratio, MAX_SURE_RATIO) > limit;
  }

  #tooSmall(view: View, size: ViewSize, tokens: number, limit: number): RunError {
    const head = Math.round(size.head * size.ratio);
    const pinned = view.messages.filter(this.settings.isPinned);
    const pinnedTokens = Math.round(sumOf(pinned, this.#sizes.counterOf(view)) * size.ratio);
    const [smallest, room] = [Math.round(tokens), Math.max(0, Math.round(limit))];
    return new RunError("CONTEXT_TOO_SMALL", {
      message: `Even the smallest view of session "${view.sessionId}" has about ${smallest} tokens (system prompt and tools ${head}, ${pinned.length} pinned messages ${pinnedTokens}), and the model's window leaves ${room}. Use a model with a larger window, fewer tools, a shorter system prompt, or pin less.`,
      details: { smallestTokens: smallest, availableTokens: room, headTokens: head, pinnedTokens },
    });
  }
}

const UNKNOWN_BUDGET: ContextBudget = { contextWindow: null, reservedOutputTokens: 0 };

/** Units: tokens. Without a known window nothing is ever due. */
interface Goal {
  readonly trigger: number;
  readonly target: number;
  readonly limit: number;
}

function goalOf(settings: CompactionSettings, budget: ContextBudget): Goal {
  const { triggerRatio, targetRatio } = settings;
  const window = budget.contextWindow ?? settings.contextWindow ?? Number.POSITIVE_INFINITY;
  // A provider that reserves its whole window for output must be wrong: nothing could ever be sent.
  const reserved = budget.reservedOutputTokens < window ? budget.reservedOutputTokens : window / 2;
  const limit = window === Number.POSITIVE_INFINITY ? window : window - reserved;
  const trigger = Math.min(window * triggerRatio, limit);
  return { limit, trigger, target: (trigger * targetRatio) / triggerRatio };
}

// The window that an overflow error names, for models whose window is not known.
const LIMITS = [
  /maximum (?:context|prompt|model) length (?:is |of )?(?:only )?\(?(\d[\d,_]*)/i,
  /(\d[\d,_]*)(?: tokens?)? maximum (?:context|prompt|model) length/i,
  /limit: \d[\d,_]* \+ \d[\d,_]* > (\d[\d,_]*)/i,
  />\s*(\d[\d,_]*)\s*maximum/i,
  /maximum number of tokens allowed \((\d[\d,_]*)\)/i,
  /\bmax(?:imum)? (?:input |allowed |message |length is |length of )*(?:(?:tokens?|size):? ?)?(\d[\d,_]*)/i,
  // A number in brackets may be the error's own.
  /(?:context|token|window) (?:size|limit|window|length)(?! by)[^\d(]{0,24}(?:(\d[\d,_]*)|\((\d[\d,_]*) tokens)/i,
  /(?:model maximum|max_seq_len|context size|window limit) \((\d[\d,_]*)\)/i,
  /(?:only supports? up to|limit (?:of|is)|at most|cannot exceed|must be <=) (\d[\d,_]*)/i,
  /range of input length should be \[\d+, ?(\d[\d,_]*)\]/i,
];
/** Smaller numbers are not a window. Unit: tokens. */
const LEAST_WINDOW = 256;

/** Unit: tokens. `null`: the message does not say. */
export function parseContextLimit(message: string): number | null {
  for (const limit of LIMITS) {
    const [, plain, bracketed] = limit.exec(message.slice(0, 4_000)) ?? [];
    const tokens = Number((plain ?? bracketed)?.replace(/[,_]/g, ""));
    if (tokens >= LEAST_WINDOW) return tokens;
  }
  return null;
}
