// Running notes on the part of a session that leaves the view: extracted, not written, so the same messages always make
// the same notes. Notes on notes lose nothing except what no longer fits.
import type { Message, UserMessage } from "../../contracts/message.js";
import { isPrompt, textOfOutput } from "../../engine/transcript/message-shape.js";
import { type AnsweredCall, answeredCalls, failureOf, gist, oneLine, showsFileText } from "../blocks.js";
import type { TokenCounter } from "../token-count.js";
import type { ViewLines } from "../view-lines.js";
import { type Note, SECTION_NAMES, SECTIONS, type Section, type WeighedNote, withoutBullets } from "./note.js";
import { bestLines } from "./salient-lines.js";
import { messageText, NOTES_BEGIN, notesOfWritten, quotedIn, readSummary } from "./summary-message.js";

/** The most that one statement, reply and result add. Unit: characters. */
const STATEMENT_CHARS = 900;
const REPLY_CHARS = 900;
const RESULT_CHARS = 480;
/** The most that an earlier summary by a model adds. Unit: characters. */
const SUMMARY_CHARS = 8_000;
/** Replies of fewer characters, or lighter ones, say nothing that lasts. */
const LEAST_REPLY_CHARS = 16;
const LEAST_REPLY_WEIGHT = 1;
/** Lighter lines of a result, or of a message that is not the user's own, are not facts. */
const LEAST_FACT_WEIGHT = 2;

/**
 * The notes on some messages, oldest first; earlier notes among them are carried over. `ofWritten` says what becomes of
 * an earlier summary in words of a model.
 */
export function extractNotes(
  messages: readonly Message[],
  goal: string | null,
  lines: ViewLines,
  ofWritten: (written: string) => readonly Note[] = notesOfWritten,
): WeighedNote[] {
  const notes: Note[] = goal === null ? [] : [{ section: "Goal", text: oneLine(goal, 200) }];
  for (const message of messages) {
    if (message.role === "user") notes.push(...notesOfUser(message, lines, ofWritten));
    if (message.role === "assistant") notes.push(...decisionsIn(message, lines));
  }
  const calls = answeredCalls(messages, lines.describe);
  const current = notes.filter((note) => !isOvertaken(note, calls));
  return weighed(distinct(withoutChangedFiles([...current, ...notesOfCalls(calls, lines)])), lines);
}

function weighed(notes: readonly Note[], lines: ViewLines): WeighedNote[] {
  return notes.map((note) => ({ ...note, weight: lines.weightOfNote(note.text) }));
}

function notesOfUser(
  message: UserMessage,
  lines: ViewLines,
  ofWritten: (written: string) => readonly Note[],
): readonly Note[] {
  const earlier = readSummary(message);
  if (earlier) return [...boundedNotes(ofWritten(earlier.written), SUMMARY_CHARS), ...earlier.notes];
  const text = messageText(message);
  if (text.trim() === "" || message.origin === "reminder") return [];
  if (isPrompt(message) || message.origin === "steering") {
    const short = text.length <= STATEMENT_CHARS ? text : gist(text, STATEMENT_CHARS);
    return [{ section: "What the user said", text: short.trim() }];
  }
  return facts(bestLines(lines.ofMessage(message), STATEMENT_CHARS, LEAST_FACT_WEIGHT, lines.frequency));
}

function boundedNotes(notes: readonly Note[], maxChars: number): Note[] {
  let left = maxChars;
  return notes.filter(({ text }) => {
    left -= text.length + 1;
    return left >= 0;
  });
}

function decisionsIn(message: Message, lines: ViewLines): Note[] {
  return bestLines(lines.ofMessage(message), REPLY_CHARS, LEAST_REPLY_WEIGHT, lines.frequency)
    .map(withoutBullets)
    .filter((line) => line.length >= LEAST_REPLY_CHARS)
    .map((text) => ({ section: "Decisions and findings", text }));
}

function facts(lines: readonly string[]): Note[] {
  return lines
    .map(withoutBullets)
    .filter((text) => text !== "")
    .map((text) => ({ section: "Facts from results", text }));
}

const isTodoTool = (name: string): boolean => /todo/i.test(name);

function notesOfCalls(calls: readonly AnsweredCall[], lines: ViewLines): Note[] {
  const changed = new Set<string>();
  const read = new Set<string>();
  const failed = new Map<string, string>();
  const run = new Set<string>();
  const found: Note[] = [];
  let todos: unknown;
  for (const call of calls) {
    const { name, path, command, reads, changes, output, isError } = call;
    if (isTodoTool(name)) {
      todos = Object(call.arguments).todos ?? todos;
      continue;
    }
    if (path !== null && !isError) (changes ? changed : reads ? read : new Set()).add(path);
    if (command !== null) {
      const failure = failureOf(quotedIn(textOfOutput(output)), isError);
      failed.delete(command); // The newest outcome counts.
      run.delete(command);
      if (failure !== null) failed.set(command, failure);
      else run.add(command);
    }
    // The text of a file can be read again, and may have changed by then.
    if (showsFileText(call)) continue;
    found.push(...facts(bestLines(lines.of(call.part), RESULT_CHARS, LEAST_FACT_WEIGHT, lines.frequency)));
  }
  return [
    ...openTodos(todos),
    ...[...changed].map((text): Note => ({ section: "Files changed", text })),
    ...[...failed].map(
      ([command, why]): Note => ({
        section: "Commands that failed",
        text: `${shownCommand(command)}: ${oneLine(why, 200)}`,
      }),
    ),
    ...found,
    ...[...run].map((command): Note => ({ section: "Commands run", text: shownCommand(command) })),
    ...[...read].map((text): Note => ({ section: "Files read", text })),
  ];
}

const shownCommand = (command: string): string => oneLine(command, 160);

function openTodos(todos: unknown): Note[] {
  if (!Array.isArray(todos)) return [];
  return todos
    .filter((item) => Object(item).status !== "completed")
    .map((item) => ({ section: "Open todos", text: oneLine(`${Object(item).content} (${Object(item).status})`, 240) }));
}

/** Whether what was called since says something newer than an earlier note: a todo list, the outcome of a command. */
function isOvertaken({ section, text }: Note, calls: readonly AnsweredCall[]): boolean {
  if (section === "Open todos") return calls.some(({ name }) => isTodoTool(name));
  if (section !== "Commands run" && section !== "Commands that failed") return false;
  return calls.some(({ command }) => {
    if (command === null) return false;
    return section === "Commands run" ? text === shownCommand(command) : text.startsWith(`${shownCommand(command)}: `);
  });
}

/** A file that was changed is not listed as read, too. */
function withoutChangedFiles(notes: readonly Note[]): Note[] {
  const changed = new Set(notes.flatMap(({ section, text }) => (section === "Files changed" ? [text] : [])));
  return notes.filter(({ section, text }) => section !== "Files read" || !changed.has(text));
}

/** Each note once, whatever its section; there is one goal. */
function distinct(notes: readonly Note[]): Note[] {
  const byText = new Map<string, Note>();
  for (const note of notes) {
    const key = note.section === "Goal" ? "Goal" : keyOf(note.text);
    if (!byText.has(key)) byText.set(key, note);
  }
  return [...byText.values()];
}

/** The same for two notes that differ in spacing or a final stop only. */
function keyOf(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.;,:]$/, "");
}

// ── the choice of notes when there is not room for all, and their form ───────────────────────────────────────────────

/** The cost of a section's heading. Unit: tokens. */
const HEADING_TOKENS = 4;
/** The cost of a bullet beside its text. Unit: tokens. */
const BULLET_TOKENS = 2;
/** Weights beyond this count alike. */
const MAX_WEIGHT = 12;
/** A note's gain for each point of its weight, and for being the newest of all. */
const WEIGHT_GAIN = 3;
const NEWNESS_GAIN = 8;
/** A note's penalty for its length: a point for so many characters, and at most so many points. */
const CHARS_A_POINT = 60;
const MAX_LENGTH_PENALTY = 20;
/** A note's penalty for each better note of its section, so that no section crowds out the others. */
const CROWDING = 1;

interface FittedNotes {
  readonly text: string;
  /** The share of the notes' weight that had to be left out: 0 to 1. */
  readonly lostShare: number;
}

/**
 * The notes in at most so many tokens: what is worth most stays, of two alike the newer. Where something that the user said
 * goes, or went before, the list begins with how much, if there is room for that.
 */
export function fitNotes(given: readonly WeighedNote[], maxTokens: number, count: TokenCounter): FittedNotes {
  const room = maxTokens - count(NOTES_BEGIN) - SECTION_NAMES.length * HEADING_TOKENS;
  const goneBefore = given.reduce((sum, { text }) => sum + Number(LEFT_OUT.exec(text)?.[1] ?? 0), 0);
  const notes = goneBefore === 0 ? given : given.filter(({ text }) => !LEFT_OUT.test(text));
  const { lostShare, ...best } = choose(notes, room, count);
  const markTokens = count(leftOut(goneBefore + notes.length).text) + BULLET_TOKENS;
  if (goneBefore + best.gone === 0 || markTokens > room) return { text: formatBullets(best.kept), lostShare };
  const { kept, gone } = choose(notes, room - markTokens, count);
  return { text: formatBullets([leftOut(goneBefore + gone), ...kept]), lostShare };
}

const LEFT_OUT = /^\[(\d{1,6}) more are left out; recall or the transcript has them\.\]$/;

function leftOut(count: number): Note {
  return { section: "What the user said", text: `[${count} more are left out; recall or the transcript has them.]` };
}

/** `gone`: the number of things the user said for which there is no room. */
function choose(notes: readonly WeighedNote[], maxTokens: number, count: TokenCounter) {
  let [left, lost, total, gone] = [maxTokens, 0, 0, 0];
  const kept = new Set<WeighedNote>();
  for (const { note, worth } of byWorth(notes)) {
    const tokens = count(note.text) + BULLET_TOKENS;
    total += worth;
    if (tokens > left) {
      lost += worth;
      if (note.section === "What the user said") gone++;
      continue;
    }
    left -= tokens;
    kept.add(note);
  }
  return { kept: notes.filter((note) => kept.has(note)), gone, lostShare: total === 0 ? 0 : lost / total };
}

/** Headings and bullets, in the order of the sections. */
export function formatBullets(notes: readonly Note[]): string {
  const lines = SECTION_NAMES.flatMap((section) => {
    const own = notes.filter((note) => note.section === section).map(({ text }) => bullet(text));
    return own.length > 0 ? [`## ${section}`, ...own] : [];
  });
  return lines.join("\n");
}

/** The notes as a message shows them. */
export function formatNotes(notes: readonly WeighedNote[], maxTokens: number, count: TokenCounter): string {
  return `${NOTES_BEGIN}\n${fitNotes(notes, maxTokens, count).text}`;
}

function byWorth(notes: readonly WeighedNote[]) {
  const best = (a: { worth: number; index: number }, b: { worth: number; index: number }) =>
    b.worth - a.worth || b.index - a.index;
  const alone = notes.map((note, index) => ({ note, index, worth: worthOf(note, index / Math.max(1, notes.length)) }));
  const better = new Map<Section, number>();
  const amongOthers = alone.sort(best).map((each) => {
    const rank = better.get(each.note.section) ?? 0;
    better.set(each.note.section, rank + 1);
    return { ...each, worth: Math.max(0, each.worth - rank * CROWDING) };
  });
  return amongOthers.sort(best);
}

function worthOf({ section, text, weight }: WeighedNote, newness: number): number {
  const penalty = Math.min(MAX_LENGTH_PENALTY, text.length / CHARS_A_POINT);
  return SECTIONS[section] + Math.min(weight, MAX_WEIGHT) * WEIGHT_GAIN + newness * NEWNESS_GAIN - penalty;
}

const bullet = (text: string): string => `- ${text.replace(/\n/g, "\n  ")}`;
