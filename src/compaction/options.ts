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
import { type CompactionStage, DEFAULT_KEEP_TURNS } from "./stage.js";
import { collapse } from "./stages/collapse.js";
import { micro } from "./stages/micro.js";
import { offload } from "./stages/offload.js";
import { pictures } from "./stages/pictures.js";
import { type SessionMemoryOptions, sessionMemory } from "./stages/session-memory.js";
import { snip } from "./stages/snip.js";
import { type FileReader, summarize } from "./stages/summarize.js";
import { estimateTokens, type TokenCounter } from "./token-count.js";

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

export interface CompactionSettings extends WithDefaults<CompactionOptions, typeof OPTIONS> {
  readonly stages: readonly CompactionStage[];
  /** For a compaction that was asked for: the model, if there is one, works on the messages, not on placeholders. */
  readonly requestedStages: readonly CompactionStage[];
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function readCompactionOptions(options: CompactionOptions): CompactionSettings {
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
