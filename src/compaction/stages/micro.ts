import type { View, ViewEdit } from "../../contracts/context.js";
import type { ToolMessage, ToolResultPart } from "../../contracts/message.js";
import { textOfOutput } from "../../engine/transcript/message-shape.js";
import { byDefault, checkOptions, numberFrom, type OptionTable } from "../../json/check-options.js";
import { type AnsweredCall, answeredCalls, blocksOf } from "../blocks.js";
import { isPlaceholder, placeholder } from "../message-text.js";
import { bestLines } from "../notes/salient-lines.js";
import { type Change, type CompactionStage, named, roomOf, toEdits } from "../stage.js";
import type { ViewLines } from "../view-lines.js";
import { ARTIFACT_PATH } from "./offload.js";

/** Options of `micro()`. */
export interface MicroOptions {
  /** Results beyond the newest so many become placeholders. Default: 8. */
  readonly keepResults?: number | undefined;
  /** The quote of the result in a placeholder: the lines that say most. Unit: characters. Default: 320. */
  readonly quoteChars?: number | undefined;
}

const OPTIONS = {
  keepResults: byDefault(8, numberFrom(0, "results")),
  quoteChars: byDefault(320, numberFrom(0, "characters")),
} satisfies OptionTable<MicroOptions>;

/**
 * Turns stale tool results into one-line placeholders that say what they were and how to get them back: reads of a file
 * that was changed or read again later first, then the oldest results beyond the newest `keepResults`, until the target
 * is met. Calls, texts and the newest turns stay.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function micro(options: MicroOptions = {}): CompactionStage {
  const { keepResults, quoteChars } = checkOptions("micro()", options, OPTIONS);
  return named("micro", (view, budget): readonly ViewEdit[] => {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    const isFree = new Set(
      blocks
        .filter(({ isTail, messages }) => !isTail && !messages.some(room.isPinned))
        .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
    );
    const calls = answeredCalls(view.messages, view.describe);
    const old = calls.slice(0, Math.max(0, calls.length - keepResults));
    const superseded = supersededReads(calls);
    const stale = [...calls.filter((call) => superseded.has(call.id)), ...old.filter(({ id }) => !superseded.has(id))];
    let excess = room.usedTokens - room.targetTokens;
    const changed = new Map<number, ToolMessage>();
    for (const call of stale) {
      if (excess <= 0 && !superseded.has(call.id)) break;
      if (!isFree.has(call.at)) continue;
      const output = shortOutput(call, superseded.get(call.id), { quoteChars, lines: room.lines, view });
      if (output === null) continue;
      const before = changed.get(call.at) ?? (view.messages[call.at] as ToolMessage);
      const after = withOutput(before, call.id, output);
      const saved = room.count(before) - room.count(after);
      if (saved <= 0) continue;
      excess -= saved;
      changed.set(call.at, after);
    }
    const changes = [...changed].map(([at, message]): Change => ({ first: at, last: at, replacement: [message] }));
    return toEdits("micro", view, budget, changes);
  });
}

/** Reads whose file was changed or read whole again later, and which of the two. */
function supersededReads(calls: readonly AnsweredCall[]): Map<string, "changed" | "read again"> {
  const superseded = new Map<string, "changed" | "read again">();
  const fate = new Map<string, "changed" | "read again">();
  for (const call of [...calls].reverse()) {
    const { path } = call;
    if (path === null || call.isError) continue;
    const later = fate.get(path);
    if (call.reads) {
      const sameRead = later === "changed" ? later : fate.get(readKey(call, path));
      if (sameRead) superseded.set(call.id, sameRead);
      fate.set(readKey(call, path), "read again");
    } else if (call.changes) fate.set(path, "changed");
  }
  return superseded;
}

const readKey = (call: AnsweredCall, path: string): string => `${path}\n${JSON.stringify(call.arguments)}`;

export function withOutput(message: ToolMessage, toolCallId: string, output: ToolResultPart["output"]): ToolMessage {
  const content = message.content.map((part) =>
    part.toolCallId === toolCallId ? Object.freeze({ ...part, output }) : part,
  );
  return { ...message, content };
}

interface Quoting {
  readonly quoteChars: number;
  readonly lines: ViewLines;
  readonly view: View;
}

/** The placeholder for a call's result; `null` for one that is a placeholder already. */
function shortOutput(
  call: AnsweredCall,
  fate: "changed" | "read again" | undefined,
  { quoteChars, lines, view }: Quoting,
): string | null {
  const text = textOfOutput(call.output);
  if (isPlaceholder(text)) return null;
  const what = `the result of ${call.text} (${text.length} characters).`;
  // A file can be read again; what a command said may be gone for good.
  const least = call.reads && call.path !== null ? 6 : 2;
  const quoted = fate === undefined ? bestLines(lines.of(call.part), quoteChars, least, lines.frequency) : [];
  return placeholder(`${what} ${wayBack(call, text, fate, view)}`, quoted);
}

function wayBack(call: AnsweredCall, text: string, fate: string | undefined, { tools }: View): string {
  const path = ARTIFACT_PATH.exec(text)?.[1];
  if (fate === "changed") return "The file was changed later; read it again for what it is now.";
  if (fate === "read again") return "It was read again later.";
  if (path !== undefined) return `The whole is in "${path}"; read it with read_file.`;
  if (call.reads || !tools.some(({ name }) => name === "recall")) return "Make the call again to see it.";
  return "Find it with recall, or make the call again.";
}
