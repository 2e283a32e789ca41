// How usual words are in a session. Idea: what cannot be guessed is said in words that hardly occur elsewhere; what is
// said again and again, in whatever language, is about the work itself.

/** Words of any script; scripts that put no spaces between words are taken in pairs of characters. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,2}|[\p{L}\p{M}]{3,}/gu;
/** Used in at most so many lines, a word is rare: said once, and noted once. */
const RARE_LINES = 2;
/** Words that are told apart; more than a view of a million tokens has. */
const MAX_WORDS = 200_000;

export class Wording {
  /** In how many lines each word occurs. */
  readonly #lines = new Map<string, number>();

  constructor(lines: Iterable<string>) {
    for (const line of lines) this.#add(line);
  }

  #add(line: string): void {
    for (const word of wordsOf(line)) {
      const known = this.#lines.get(word);
      if (known !== undefined || this.#lines.size < MAX_WORDS) this.#lines.set(word, (known ?? 0) + 1);
    }
  }

  /** How many words of a line hardly occur in any other. */
  rareIn(line: string): number {
    let rare = 0;
    for (const word of wordsOf(line)) if ((this.#lines.get(word) ?? 0) <= RARE_LINES) rare++;
    return rare;
  }
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.toLowerCase().match(WORD));
}
