import type { View, ViewEdit } from "../../contracts/context.js";
import type { Message } from "../../contracts/message.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
  type WithDefaults,
  withMethods,
} from "../../json/check-options.js";
import { answeredCalls, cutToTokens } from "../blocks.js";
import { isSaidIn } from "../notes/already-in-summary.js";
import { extractNotes, fitNotes } from "../notes/extract-notes.js";
import {
  type AttachedFile,
  lastingNotesOf,
  readSummary,
  summaryMessage,
  summaryText,
  withoutMarkers,
} from "../notes/summary-message.js";
import { type CompactionStage, named, type Room, roomOf, type StageBudget, toEdits } from "../stage.js";
import type { TokenCounter } from "../token-count.js";
import { type Past, pastOf, replacingPast, roomForNotes } from "./session-memory.js";
import { askForSummary, type SummaryCall } from "./summary-call.js";
import { SUMMARY_SYSTEM, summaryPrompt, transcriptChunks } from "./summary-prompt.js";

/** A file's content now; `null` when it is gone or not to be shown. */
export type FileReader = (path: string, about: { readonly signal: AbortSignal }) => Promise<string | null>;

/** Options of `summarize()`. */
export interface SummarizeOptions {
  /** The model that writes the summary: the session's own, or a cheaper one. It is retried as the engine retries. */
  readonly summarizer: ProviderAdapter;
  /** Time for the whole summary. Unit: milliseconds. Default: 120_000. */
  readonly timeoutMs?: number | undefined;
  /** Share of the target that summary and kept notes may take. Default: 0.35. */
  readonly share?: number | undefined;
  /** Most model calls of one summary; what does not fit into them is cut. Default: 8. */
  readonly maxCalls?: number | undefined;
  /** Attaches the files last read or changed again, as they are now. Default: no files are attached. */
  readonly readFile?: FileReader | undefined;
  /** Share of the target that attached files may take. Default: 0.15. */
  readonly filesShare?: number | undefined;
  /** Default: as the budget counts messages. */
  readonly countTokens?: TokenCounter | undefined;
}

/** The time for a summary. Unit: milliseconds. */
export const SUMMARY_TIMEOUT = byDefault(
  120_000,
  optionOf((value) => typeof value === "number" && value > 0, "a number above 0 (milliseconds)"),
);

const OPTIONS = {
  summarizer: required(withMethods("stream")),
  timeoutMs: SUMMARY_TIMEOUT,
  share: byDefault(0.35, numberFrom(0.01, "share", 1, true)),
  maxCalls: byDefault(8, numberFrom(1, "calls")),
  readFile: FUNCTION,
  filesShare: byDefault(0.15, numberFrom(0, "share", 1, true)),
  countTokens: FUNCTION,
} satisfies OptionTable<SummarizeOptions>;

/** Files that are attached, at most. */
const MAX_FILES = 5;
/** For what the model left out, of the summary's share. */
const KEPT_SHARE = 0.4;
/** The share of a model's window for the transcript: the rest is for instructions, the summary so far and the reply. */
const CHUNK_SHARE = 0.5;
/** The summarizer's window, when neither it nor the view's model has one. Unit: tokens. */
const UNKNOWN_WINDOW = 32_000;

/**
 * Replaces the part before the newest turns by a summary a model writes: goal, decisions, files touched, open problems,
 * next step, exact identifiers. What the user said and facts the model left out are appended from the transcript. An
 * earlier summary is given to the model to be written again; it is never quoted inside the new one.
 *
 * Throws when the model fails, refuses, calls tools, writes nothing or more than it was given, or takes too long: the
 * pipeline then goes on with the next stage. Its calls count towards the run's budgets.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function summarize(options: SummarizeOptions): CompactionStage {
  const settings = checkOptions("summarize()", options, OPTIONS);
  return named("summarize", async (view, budget): Promise<readonly ViewEdit[]> => {
    const room = roomOf(view, budget);
    const { share, countTokens = room.countText } = settings;
    const past = room.usedTokens > room.targetTokens ? pastOf(view, room) : null;
    if (!past) return [];
    const maxTokens = roomForNotes(past, room, share);
    const written = await writeSummary(past, view, budget, { ...settings, countTokens, maxTokens });
    if (countTokens(written) >= past.tokens) throw new Error("its summary is longer than what it replaces");
    const kept = keptNotes(past, written, room, maxTokens * KEPT_SHARE, countTokens);
    const files = await attachedFiles(past, view, room, { ...settings, countTokens });
    return toEdits("summarize", view, budget, replacingPast(past, [summaryMessage(summaryText(written, kept, files))]));
  });
}

interface Counting extends WithDefaults<SummarizeOptions, typeof OPTIONS> {
  readonly countTokens: TokenCounter;
}

interface Writing extends Counting {
  readonly maxTokens: number;
}

async function writeSummary(past: Past, view: View, budget: StageBudget, writing: Writing): Promise<string> {
  const { summarizer, countTokens, maxTokens, maxCalls, timeoutMs } = writing;
  const window = summarizer.contextWindow ?? budget.contextWindow ?? UNKNOWN_WINDOW;
  const summaryTokens = Math.max(64, Math.floor(maxTokens * (1 - KEPT_SHARE)));
  const call: SummaryCall = {
    provider: summarizer,
    system: SUMMARY_SYSTEM,
    maxOutputTokens: Math.min(Math.floor(window / 4), summaryTokens * 2 + 1_000),
    sessionId: view.sessionId,
    signal: view.signal,
    deadline: performance.now() + timeoutMs,
    count: countTokens,
    ...(budget.spend && { spend: budget.spend.bind(budget) }),
  };
  const chunks = transcriptChunks(past.messages, {
    maxTokens: window * CHUNK_SHARE,
    maxChunks: maxCalls,
    count: countTokens,
  });
  let summary = cutToTokens(earlierIn(past), summaryTokens, countTokens);
  for (const [index, transcript] of chunks.entries()) {
    const about = { transcript, summary, part: index + 1, parts: chunks.length, summaryTokens };
    summary = await askForSummary(call, summaryPrompt({ ...about, instructions: budget.instructions ?? null }));
  }
  return cutToTokens(withoutMarkers(summary), summaryTokens, countTokens);
}

/** The written text of earlier summaries in the past, by a model or the host. */
function earlierIn({ messages }: Past): string {
  return messages
    .map((message) => readSummary(message)?.written ?? "")
    .filter(Boolean)
    .join("\n\n");
}

/** Notes on the transcript, and what lasts of an earlier summary, as far as the new summary does not say it. */
function keptNotes(past: Past, summary: string, room: Room, maxTokens: number, count: TokenCounter): string {
  const notes = extractNotes(past.messages, null, room.lines, lastingNotesOf);
  const missing = notes.filter((note) => note.section !== "Goal" && !isSaidIn(summary, note));
  return fitNotes(missing, maxTokens, count).text;
}

async function attachedFiles(past: Past, view: View, room: Room, options: Counting): Promise<AttachedFile[]> {
  const { readFile, filesShare, countTokens } = options;
  if (!readFile) return [];
  let left = Math.min(room.targetTokens * filesShare, past.tokens * 0.2);
  const files: AttachedFile[] = [];
  for (const path of filesLastUsed(past, view)) {
    if (files.length === MAX_FILES) break;
    const content = await readFile(path, { signal: view.signal }).catch(() => null); // A file that is gone is not shown.
    if (typeof content !== "string") continue;
    const tokens = countTokens(content);
    if (tokens > left) continue;
    left -= tokens;
    files.push({ path, content });
  }
  return files;
}

/** Newest first; those the newest turns show are not needed. */
function filesLastUsed({ messages }: Past, view: View): string[] {
  const gone = new Set(messages);
  const pathsIn = (some: readonly Message[]) =>
    answeredCalls(some, view.describe).flatMap(({ path, reads, changes }) => (reads || changes ? (path ?? []) : []));
  const shown = new Set(pathsIn(view.messages.filter((message) => !gone.has(message))));
  return [...new Set(pathsIn(messages).reverse())].filter((path) => !shown.has(path));
}
