// The frequency of words and lines in a session. Idea: the unexpected is said in words that hardly occur elsewhere;
// what is said again and again, in whatever language, is about the work itself.

/** Words of any script; scripts that put no spaces between words are taken in pairs of characters. */
const ASCII_WORD = /[a-z]{3,}/g;
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,2}|[\p{L}\p{M}]{3,}/gu;
/** Used in at most so many lines, a word is rare: said once, and noted once. */
const RARE_LINES = 2;
/** Of which there are this many in a session, a line is what its tool always prints. */
const USUAL_LINES = 12;
/** Words that are counted; more than a view of a million tokens has. */
const MAX_WORDS = 200_000;

/** A line as it is counted: its distinct words, and how it begins. */
export interface CountedLine {
  readonly words: readonly string[];
  readonly shape: string;
}

export class WordFrequency {
  /** In how many lines each word occurs. */
  readonly #lines = new Map<string, number>();

  /** The number of lines of each shape. */
  readonly #shapes = new Map<string, number>();

  /** Counts one line. */
  add({ words, shape }: CountedLine): void {
    for (const word of words) plus(this.#lines, word);
    plus(this.#shapes, shape);
  }

  /** Takes back what `add` counted for a line that has left the view. */
  remove({ words, shape }: CountedLine): void {
    for (const word of words) minus(this.#lines, word);
    minus(this.#shapes, shape);
  }

  /** Whether lines that begin like this one occur all over the session. */
  isUsual({ shape }: CountedLine): boolean {
    return (this.#shapes.get(shape) ?? 0) >= USUAL_LINES;
  }

  /** The number of distinct words of a line that hardly occur in any other. */
  rareAmong(words: Iterable<string>): number {
    let rare = 0;
    for (const word of words) if ((this.#lines.get(word) ?? 0) <= RARE_LINES) rare++;
    return rare;
  }
}

function plus(counts: Map<string, number>, key: string): void {
  const known = counts.get(key);
  if (known !== undefined || counts.size < MAX_WORDS) counts.set(key, (known ?? 0) + 1);
}

function minus(counts: Map<string, number>, key: string): void {
  const known = counts.get(key) ?? 0;
  if (known > 1) counts.set(key, known - 1);
  else counts.delete(key);
}

/** The distinct words of a line, in lower case. */
export function wordsOf(line: string): readonly string[] {
  const words = line.toLowerCase().match(isAscii(line) ? ASCII_WORD : WORD);
  return words ? [...new Set(words)] : [];
}

/** Most lines are: they are read with patterns that need no tables of letters. */
export function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}
