// Whether a summary holds what a note says, so that it is not shown twice.
import type { Note } from "./note.js";
import { wordsOf } from "./salient-lines.js";

const UNSPACED = /[\p{L}\p{N}_./#:@=-]+/gu;
/** The marks of a name or a number, which has to be there letter for letter. */
const EXACT = /[\p{N}_/#@=]/u;
/** The share of a note's words in another text from which the text says the same. */
const SAID_SHARE = 0.8;
/** Notes of fewer words are said only if they are there letter for letter. */
const LEAST_WORDS = 4;

/** Whether `summary` says what a note says: word for word, or, unless the user said it, in about the same words. */
export function isSaidIn(summary: string, { section, text }: Note): boolean {
  const [whole, part] = [plain(summary), plain(text)];
  if (part === "" || whole.includes(part)) return true;
  if (section === "What the user said") return false;
  const exact = (part.match(UNSPACED) ?? []).filter((piece) => EXACT.test(piece));
  if (!exact.every((name) => whole.includes(name.replace(/(?<![.:])[.:]+$/, "")))) return false;
  const words = wordsOf(part);
  if (words.length < LEAST_WORDS) return false;
  const known = new Set(wordsOf(whole));
  return words.filter((word) => known.has(word)).length >= words.length * SAID_SHARE;
}

function plain(text: string): string {
  return text
    .replace(/[`*"'“”‘’]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.;,:]$/, "")
    .toLowerCase();
}
