import type { Message } from "../contracts/message.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { ArtifactStore } from "../contracts/workspace.js";
import { invalidOption, rejectUnknown, requireFunction, requireMethod, requireObject } from "../json/check-options.js";
import { type CompactionStage, DEFAULT_KEEP_TURNS } from "./stage.js";
import { collapse } from "./stages/collapse.js";
import { micro } from "./stages/micro.js";
import { offload } from "./stages/offload.js";
import { type SessionMemoryOptions, sessionMemory } from "./stages/session-memory.js";
import { snip } from "./stages/snip.js";
import { type FileReader, summarize } from "./stages/summarize.js";
import { estimateTokens, type TokenCounter } from "./token-count.js";

/** What `createCompactionPipeline` is made of; everything has a default. */
export interface CompactionOptions {
  /**
   * The ladder, lightest first. Default: `offload`, `snip` of spent turns, `micro`, `collapse`, then `summarize` if there
   * is a `summarizer`, and `sessionMemory`, which needs no model.
   */
  readonly stages?: readonly CompactionStage[];
  /** Compact when the request has this share of the window. Default: 0.8. */
  readonly triggerRatio?: number;
  /** Aim for this share of the window. Default: 0.5. */
  readonly targetRatio?: number;
  /** The window, for models whose provider does not tell. Unit: tokens. */
  readonly contextWindow?: number;
  /** A real tokenizer, as `countTokens` of gpt-tokenizer. Default: an estimate, calibrated by reported usage. */
  readonly countTokens?: TokenCounter;
  /** The model that writes summaries. Without one no model is asked. */
  readonly summarizer?: ProviderAdapter;
  /** Re-attaches the files last used to a summary. Default: none are. */
  readonly readFile?: FileReader;
  /** The host's own session notes, instead of the extracted ones; asked before a model is. */
  readonly notes?: SessionMemoryOptions["notes"];
  /** Where large results go. Default: the engine's `artifacts`. */
  readonly artifacts?: ArtifactStore;
  /** Messages that stay whatever happens, with the calls or results they belong to. Asked for old messages only. */
  readonly isPinned?: (message: Message) => boolean;
  /** The newest turns that stay as they are, while they fit. Default: 6. */
  readonly keepTurns?: number;
}

export interface CompactionSettings {
  readonly stages: readonly CompactionStage[];
  /** When a compaction is asked for: the model, if there is one, works on what was said, not on placeholders. */
  readonly requestedStages: readonly CompactionStage[];
  readonly triggerRatio: number;
  readonly targetRatio: number;
  readonly contextWindow: number | null;
  readonly countTokens: TokenCounter;
  readonly isPinned: (message: Message) => boolean;
  readonly keepTurns: number;
}

const OPTIONS: { readonly [K in keyof CompactionOptions]-?: true } = {
  stages: true,
  triggerRatio: true,
  targetRatio: true,
  contextWindow: true,
  countTokens: true,
  summarizer: true,
  readFile: true,
  notes: true,
  artifacts: true,
  isPinned: true,
  keepTurns: true,
};

/** @throws ConfigurationError `OPTION_INVALID` */
export function readCompactionOptions(options: CompactionOptions): CompactionSettings {
  requireObject("compaction options", options, "an object");
  rejectUnknown("compaction option ", options, OPTIONS);
  const { triggerRatio = 0.8, targetRatio = 0.5, contextWindow = null, keepTurns = DEFAULT_KEEP_TURNS } = options;
  if (!(triggerRatio > 0 && triggerRatio <= 1))
    throw invalidOption("triggerRatio", triggerRatio, "more than 0, at most 1");
  if (!(targetRatio > 0 && targetRatio < triggerRatio))
    throw invalidOption("targetRatio", targetRatio, `more than 0 and less than triggerRatio (${triggerRatio})`);
  if (contextWindow !== null && !(contextWindow > 0))
    throw invalidOption("contextWindow", contextWindow, "more than 0");
  if (!(Number.isInteger(keepTurns) && keepTurns >= 1))
    throw invalidOption("keepTurns", keepTurns, "a whole number of at least 1");
  for (const name of ["countTokens", "readFile", "notes", "isPinned"] as const) {
    if (options[name] !== undefined) requireFunction(name, options[name]);
  }
  requireMethod("summarizer", options.summarizer, "stream");
  requireMethod("artifacts", options.artifacts, "put", "get");
  return {
    ...readStages(options),
    triggerRatio,
    targetRatio,
    contextWindow,
    countTokens: options.countTokens ?? estimateTokens,
    isPinned: options.isPinned ?? (() => false),
    keepTurns,
  };
}

function readStages(options: CompactionOptions): Pick<CompactionSettings, "stages" | "requestedStages"> {
  const { stages, summarizer, readFile, notes } = options;
  if (stages !== undefined) {
    if (!Array.isArray(stages)) throw invalidOption("stages", stages, "an array of stages");
    for (const [index, stage] of stages.entries()) requireFunction(`stages[${index}]`, stage);
    return { stages, requestedStages: stages };
  }
  const light = [offload({ artifacts: options.artifacts }), snip({ turns: "spent" }), micro(), collapse()];
  const written = summarizer ? [summarize({ summarizer, readFile })] : [];
  const extracted = [sessionMemory()];
  const own = notes ? [sessionMemory({ notes })] : [];
  const heavy = [...own, ...written, ...extracted];
  return { stages: [...light, ...heavy], requestedStages: [...heavy, ...light] };
}
