import type { View, ViewEdit } from "../../contracts/context.js";
import type { Message } from "../../contracts/message.js";
import { isPrompt } from "../../engine/transcript/message-shape.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  type WithDefaults,
} from "../../json/check-options.js";
import { type Block, blocksOf, cutToTokens, removableRuns } from "../blocks.js";
import { extractNotes, fitNotes } from "../notes/extract-notes.js";
import { messageText, NOTES_BEGIN, summaryMessage, summaryText, withoutMarkers } from "../notes/summary-message.js";
import { type Change, type CompactionStage, named, type Room, roomOf, sumOf, toEdits } from "../stage.js";
import type { TokenCounter } from "../token-count.js";

/** Options of `sessionMemory()`. */
export interface SessionMemoryOptions {
  /**
   * The host's own notes on the messages that leave the view, instead of the extracted ones. Called once for each
   * compaction that reaches this stage. If it throws, the next stage goes on.
   */
  readonly notes?:
    | ((about: {
        readonly sessionId: string;
        readonly messages: readonly Message[];
        readonly signal: AbortSignal;
      }) => string | Promise<string>)
    | undefined;
  /** Share of the target that notes may take. Default: 0.4. */
  readonly share?: number | undefined;
  /**
   * The share of what extracted notes are worth that may be lost for want of room; the stage passes on if it would be
   * more. Default: 1, whatever has to be lost.
   */
  readonly maxLostShare?: number | undefined;
  /** Default: as the budget counts messages. */
  readonly countTokens?: TokenCounter | undefined;
}

/** The share of the target for notes. */
export const NOTES_SHARE = 0.4;

const OPTIONS = {
  notes: FUNCTION,
  share: byDefault(NOTES_SHARE, numberFrom(0.01, "share", 1, true)),
  maxLostShare: byDefault(1, numberFrom(0, "share", 1, true)),
  countTokens: FUNCTION,
} satisfies OptionTable<SessionMemoryOptions>;

type Settings = WithDefaults<SessionMemoryOptions, typeof OPTIONS>;

/** The share of the target that notes get even where the newest turns leave nothing. */
const LEAST_SHARE = 0.2;
/** Notes that take more of what they replace are not worth a new epoch. */
const MAX_OF_REPLACED = 0.7;

/**
 * Replaces the part before the newest turns by notes, without a model: goal, what the user said, open todos, decisions,
 * files, commands that failed, and the facts of results. The first and the newest user message and pinned messages stay.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function sessionMemory(options: SessionMemoryOptions = {}): CompactionStage {
  const settings = checkOptions("sessionMemory()", options, OPTIONS);
  return named("sessionMemory", async (view, budget): Promise<readonly ViewEdit[]> => {
    const room = roomOf(view, budget);
    const past = room.usedTokens > room.targetTokens ? pastOf(view, room) : null;
    if (!past) return [];
    const text = await notesOn(past, view, room, settings);
    return toEdits("sessionMemory", view, budget, replacingPast(past, [summaryMessage(text)]));
  });
}

/** The notes on what leaves the view. */
export async function notesOn(past: Past, { sessionId, signal }: View, room: Room, settings: Settings) {
  const { notes, share, maxLostShare, countTokens = room.countText } = settings;
  const maxTokens = roomForNotes(past, room, share);
  if (notes) {
    const own = await notes({ sessionId, messages: past.messages, signal });
    if (typeof own !== "string") throw new Error("notes() did not return a string");
    return summaryText(cutToTokens(withoutMarkers(own), maxTokens, countTokens), "", []);
  }
  const { text, lostShare } = fitNotes(extractNotes(past.messages, past.goal, room.lines), maxTokens, countTokens);
  if (lostShare > maxLostShare)
    throw new Error(`its notes would lose ${Math.round(lostShare * 100)}% of what they hold`);
  return `${NOTES_BEGIN}\n${text}`;
}

/** The room for notes on the past: a share of the target, and little more than it leaves beside what stays. */
export function roomForNotes(past: Past, room: Room, share: number): number {
  const left = room.targetTokens - (room.usedTokens - past.tokens);
  const least = room.targetTokens * LEAST_SHARE;
  return Math.floor(Math.min(room.targetTokens * share, past.tokens * MAX_OF_REPLACED, Math.max(left, least)));
}

/** The part of a view that may leave it in one piece. */
export interface Past {
  readonly runs: readonly (readonly Block[])[];
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** The first thing the user asked for. */
  readonly goal: string | null;
}

/** `null` when nothing but an earlier summary could go. */
export function pastOf(view: View, room: Room): Past | null {
  const runs = removableRuns(blocksOf(view, room));
  const messages = runs.flatMap((run) => run.flatMap((block) => block.messages));
  const isOld = (message: Message) => message.role === "user" && message.origin === "summary";
  if (messages.every(isOld) && messages.length <= 1) return null;
  const first = view.messages.find(isPrompt);
  const goal = first ? messageText(first) : null;
  return { runs, messages, tokens: sumOf(messages, room.count), goal };
}

/** The past becomes `replacement`, where it began. */
export function replacingPast({ runs }: Past, replacement: readonly Message[]): Change[] {
  return runs.map((run, index) => ({
    first: run[0]!.first,
    last: run.at(-1)!.last,
    replacement: index === 0 ? replacement : [],
  }));
}
