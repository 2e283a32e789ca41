// The choice of notes when there is not room for all, and their form.
import type { TokenCounter } from "../token-count.js";
import { type Note, SECTION_NAMES, SECTIONS, type Section, type WeighedNote } from "./note.js";
import { NOTES_BEGIN } from "./summary-message.js";

/** The cost of a section's heading. Unit: tokens. */
const HEADING_TOKENS = 4;
/** The cost of a bullet beside its text. Unit: tokens. */
const BULLET_TOKENS = 2;
/** Weights beyond this count alike. */
const MAX_WEIGHT = 12;
/** A note's gain for each point of its weight, and for being the newest of all. */
const WEIGHT_GAIN = 3;
const NEWNESS_GAIN = 8;
/** A note's loss for its length: a point for so many characters, and at most so many points. */
const CHARS_A_POINT = 60;
const MAX_LENGTH_LOSS = 20;
/** A note's loss for each better note of its section, so that no section crowds out the others. */
const CROWDING = 1;

export interface FittedNotes {
  readonly text: string;
  /** Of all that the notes are worth, the share that had to be left out: 0 to 1. */
  readonly lostShare: number;
}

/** The notes in at most so many tokens: what is worth most stays, of two alike the newer. */
export function fitNotes(notes: readonly WeighedNote[], maxTokens: number, count: TokenCounter): FittedNotes {
  let left = maxTokens - count(NOTES_BEGIN) - SECTION_NAMES.length * HEADING_TOKENS;
  let lost = 0;
  let total = 0;
  const kept = new Set<WeighedNote>();
  for (const { note, worth } of byWorth(notes)) {
    const tokens = count(note.text) + BULLET_TOKENS;
    total += worth;
    if (tokens > left) {
      lost += worth;
      continue;
    }
    left -= tokens;
    kept.add(note);
  }
  return { text: formatBullets(notes.filter((note) => kept.has(note))), lostShare: total === 0 ? 0 : lost / total };
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
  const loss = Math.min(MAX_LENGTH_LOSS, text.length / CHARS_A_POINT);
  return SECTIONS[section] + Math.min(weight, MAX_WEIGHT) * WEIGHT_GAIN + newness * NEWNESS_GAIN - loss;
}

const bullet = (text: string): string => `- ${text.replace(/\n/g, "\n  ")}`;
