import type { ContentPart } from "../../contracts/content.js";
import type { View, ViewEdit } from "../../contracts/context.js";
import type { AssistantPart, Message, ToolMessage, UserMessage } from "../../contracts/message.js";
import { frozen, isMediaPart, isPrompt, textOfOutput } from "../../engine/transcript/message-shape.js";
import { clip } from "../../text/cut.js";
import { type Block, blocksOf, gist } from "../blocks.js";
import { extractNotes, formatNotes } from "../notes/extract-notes.js";
import { messageText, summaryMessage, TURNS_LEFT_OUT } from "../notes/summary-message.js";
import { type Change, type CompactionStage, named, type Room, roomOf, sumOf, toEdits } from "../stage.js";
import type { ViewLines } from "../view-lines.js";

/** The parts of the view that a level keeps. */
interface Level {
  readonly keepTurns: number;
  /** The kept part of each text, prompts apart. Unit: characters. */
  readonly textChars: number;
  readonly promptChars: number;
  /** The share of the target for notes on dropped parts. */
  readonly notesShare: number;
}

const LEVELS: readonly Level[] = [
  { keepTurns: 3, textChars: 8_000, promptChars: 40_000, notesShare: 0.35 },
  { keepTurns: 1, textChars: 4_000, promptChars: 12_000, notesShare: 0.3 },
  { keepTurns: 1, textChars: 1_000, promptChars: 3_000, notesShare: 0.25 },
  { keepTurns: 1, textChars: 240, promptChars: 600, notesShare: 0.2 },
  { keepTurns: 1, textChars: 60, promptChars: 160, notesShare: 0 },
  { keepTurns: 0, textChars: 60, promptChars: 120, notesShare: 0 },
  { keepTurns: 0, textChars: 0, promptChars: 24, notesShare: 0 },
];

/**
 * The last resort, without a model: the first user message, pinned messages, the newest user message and the newest
 * turn, with notes on the rest while there is room; long texts are cut, pinned ones never. The mildest level that meets
 * the target is taken, else the smallest valid view there is.
 */
export function reactive(): CompactionStage {
  return named("reactive", (view, budget): readonly ViewEdit[] => {
    const room = roomOf(view, budget);
    if (room.usedTokens <= room.targetTokens) return [];
    const head = room.usedTokens - sumOf(view.messages, room.count);
    let smallest: readonly Change[] = [];
    let least = room.usedTokens;
    for (const level of LEVELS) {
      const changes = changesAt(level, view, room);
      const after = head + sumOf(applied(view.messages, changes), room.count);
      if (after >= least) continue;
      least = after;
      smallest = changes;
      if (after <= room.targetTokens) break;
    }
    return toEdits("reactive", view, budget, smallest);
  });
}

function changesAt(level: Level, view: View, room: Room): Change[] {
  const keepTurns = Math.max(1, level.keepTurns);
  const blocks = blocksOf(view, { ...room, keepTurns, tailTokens: Number.POSITIVE_INFINITY });
  const changes: Change[] = [];
  const gone: Block[] = [];
  for (const block of blocks) {
    if (block.messages.some(room.isPinned)) continue;
    const isKept = block.isAnchor || (block.isTail && (level.keepTurns > 0 || !isTurn(block)));
    if (!isKept) gone.push(block);
    const replacement = isKept ? block.messages.map((message) => shortened(message, level, room)) : [];
    const isSame = isKept && replacement.every((message, index) => message === block.messages[index]);
    if (!isSame) changes.push({ first: block.first, last: block.last, replacement });
  }
  return withNotes(changes, gone, level, room);
}

const isTurn = ({ messages }: Block): boolean => messages.some(({ role }) => role === "assistant");

/** Removed messages are noted where they began. */
function withNotes(changes: readonly Change[], gone: readonly Block[], level: Level, room: Room): Change[] {
  const at = gone[0]?.first;
  if (at === undefined) return [...changes];
  const text = noteOn(gone, level, room);
  if (text === "") return [...changes];
  return changes.map((change) => (change.first === at ? { ...change, replacement: [summaryMessage(text)] } : change));
}

function noteOn(gone: readonly Block[], { notesShare, textChars }: Level, room: Room): string {
  if (notesShare > 0) {
    const messages = gone.flatMap((block) => block.messages);
    return formatNotes(extractNotes(messages, null, room.lines), room.targetTokens * notesShare, room.countText);
  }
  return textChars > 0 ? `${[TURNS_LEFT_OUT, lastCallIn(gone)].filter(Boolean).join(" ")}]` : "";
}

/** So that a call with effects is not made twice for want of a trace. */
function lastCallIn(gone: readonly Block[]): string {
  const last = gone
    .at(-1)!
    .messages.flatMap((message) => (message.role === "tool" ? message.content : []))
    .at(-1);
  return last ? `Last: ${last.name}, ${last.isError ? "failed" : "done"}.` : "";
}

function applied(messages: readonly Message[], changes: readonly Change[]): Message[] {
  const result = [...messages];
  for (const { first, last, replacement } of [...changes].sort((a, b) => b.first - a.first)) {
    result.splice(first, last + 1 - first, ...replacement);
  }
  return result;
}

/** The same message where nothing in it is too long. */
function shortened(message: Message, { textChars, promptChars }: Level, { lines }: Room): Message {
  if (message.role === "user" && message.origin === "summary")
    return shortSummary(message, textChars || promptChars, lines);
  if (message.role === "user") return shortUser(message, isPrompt(message) ? promptChars : textChars || promptChars);
  if (message.role === "tool") return shortResults(message, Math.max(textChars, 16));
  const content = message.content.flatMap((part) => shortPart(part, Math.max(textChars, 16)));
  const isSame = content.length === message.content.length && content.every((part, i) => part === message.content[i]);
  return isSame ? message : frozen({ ...message, content });
}

/** A summary is cut line by line, so that what is left of it can still be read as one. */
function shortSummary(message: UserMessage, maxChars: number, lines: ViewLines): UserMessage {
  if (messageText(message).length <= maxChars) return message;
  const notes = extractNotes([message], null, lines);
  return frozen(summaryMessage(formatNotes(notes, maxChars, (text) => text.length)));
}

function shortUser(message: UserMessage, maxChars: number): UserMessage {
  const isImage = ({ type }: ContentPart) => type !== "text";
  const text = textOfOutput(message.content);
  const keepsImages = maxChars > 1_000;
  if (text.length <= maxChars && (keepsImages || !message.content.some(isImage))) return message;
  if (keepsImages && text.length <= maxChars) return message;
  const kept = keepsImages ? message.content.filter(isImage) : [];
  return frozen({ ...message, content: [{ type: "text", text: gist(text, maxChars) }, ...kept] });
}

function shortResults(message: ToolMessage, maxChars: number): ToolMessage {
  const fits = (output: ToolMessage["content"][number]["output"]) =>
    textOfOutput(output).length <= maxChars && (typeof output === "string" || maxChars > 1_000);
  if (message.content.every(({ output }) => fits(output))) return message;
  const content = message.content.map((part) =>
    fits(part.output) ? part : { ...part, output: gist(textOfOutput(part.output), maxChars) },
  );
  return frozen({ ...message, content });
}

function shortPart(part: AssistantPart, maxChars: number): AssistantPart[] {
  if (part.type === "tool-call") return [shortCall(part, maxChars)];
  if (isMediaPart(part)) return [maxChars > 1_000 ? part : { type: "text", text: `[${part.type}]` }];
  if (part.text.length <= maxChars) return [part];
  // Cut reasoning would no longer match its signature.
  return part.type === "reasoning" ? [] : [{ ...part, text: clip(part.text, maxChars) }];
}

function shortCall(part: Extract<AssistantPart, { type: "tool-call" }>, maxChars: number): AssistantPart {
  const text = JSON.stringify(part.arguments) ?? "";
  if (text.length <= maxChars && (part.malformed?.length ?? 0) <= maxChars) return part;
  const { malformed, ...call } = part;
  const args = part.arguments;
  if (typeof args !== "object" || args === null || Array.isArray(args)) return { ...call, arguments: {} };
  const fields = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === "string" ? clip(value, maxChars >> 2) : value,
  ]);
  const shorter = Object.fromEntries(
    fields.filter(([, value]) => (JSON.stringify(value)?.length ?? 0) <= maxChars >> 1),
  );
  return { ...call, arguments: JSON.stringify(shorter).length <= maxChars ? shorter : {} };
}
