// A search by words in what was not parsed. It may be megabytes, and there may be hundreds of rules, so: one pass notes which pairs of
// characters there are, which rules out most words at once; places are looked up once for all rules; and all looking comes out of
// one budget. What is left when it is used up counts as found. One unit is about ten nanoseconds.

const BUDGET = 3_000_000;
const LOOK = 20;
const CHARACTERS_PER_UNIT = 32;
/** A word that stands in more places counts as found wherever it may be. */
const MAX_PLACES = 20_000;
const OPTION = / -(-?)([a-z]*)/g;
/** Characters around a path in a word: `--file=x`, `host:x`, `@x`, `{x,y}`. */
const SEPARATORS = new Set([..." \n=:,@{}"].map((character) => character.charCodeAt(0)));
/** No path is longer. */
const MAX_WORD = 4_096;
const MAX_WILDCARD_WORDS = 60;
/** To look through a shorter text costs less than to count what is in it. */
const SHORT = 2_000;

interface Option {
  readonly at: number;
  readonly isLong: boolean;
  readonly letters: string;
}

/** The unparsed text of one script. Finds too much rather than too little, in bounded time. */
export class UnparsedText {
  readonly text: string;
  /** Which pairs of characters there are, and how many of each character; `null` for a short text. */
  readonly #seen: { readonly pairs: Uint8Array; readonly counts: Uint32Array } | null;
  readonly #places = new Map<string, readonly number[] | null>();
  readonly #answers = new Map<string, boolean>();
  #options: readonly Option[] | null | undefined;
  #wildcardWords: readonly string[] | null | undefined;
  #left = BUDGET;

  /** `text` in one letter case, as `foldCase` makes it. */
  constructor(text: string) {
    this.text = text;
    this.#seen = text.length < SHORT ? null : seenIn(text);
  }

  /** Asks once, and answers yes when the budget is used up. */
  decideOnce(question: string, look: () => boolean): boolean {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const found = look() || this.#left < 0;
    this.#answers.set(question, found);
    return found;
  }

  /** Takes from the budget; `false` when nothing is left of it. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  /** Where a string stands, in order; `null` when that is not known, or in too many places. */
  places(part: string): readonly number[] | null {
    const known = this.#places.get(part);
    if (known !== undefined) return known;
    const found = this.#isPossible(part) ? this.#find(part) : [];
    this.#places.set(part, found);
    return found;
  }

  /**
   * Whether there may be a command with these words: the first as a name, also behind a directory, the others on the same line,
   * operands in this order, flags one by one anywhere.
   */
  mentions(words: readonly string[]): boolean {
    const program = words[0]?.toLowerCase();
    if (!program) return this.text !== "";
    if (this.#seen === null && !this.text.includes(program)) return false;
    const others = words.slice(1).map((word) => word.toLowerCase());
    return this.decideOnce(`command ${words.join(" ")}`, () => {
      const operands = others.filter((word) => !word.startsWith("-"));
      const flags = others.filter((word) => word.startsWith("-")).flatMap(singleFlags);
      const places = this.places(program);
      if (places === null) return true;
      let after = 0;
      for (const at of places) {
        // Words missing in the rest of a line are missing from any later place in it.
        if (at < after || !isWord(this.text, at, program.length)) continue;
        const lineEnd = this.text.indexOf("\n", at);
        after = lineEnd === -1 ? this.text.length : lineEnd;
        if (!this.spend(LOOK + (after - at) / CHARACTERS_PER_UNIT)) return true;
        const [from, end] = [at + program.length, after];
        if (this.#hasInOrder(operands, from, end) && flags.every((flag) => this.#hasFlag(flag, from, end))) return true;
      }
      return false;
    });
  }

  /** The words a string stands in, each once; `null` when they are not known, or too many. */
  wordsWith(part: string): readonly string[] | null {
    const places = this.places(part);
    return places === null ? null : this.#wordsAt(places);
  }

  /** Words that the shell may expand to other names. A bare `*` says nothing of what it represents. `null`: too many. */
  wildcardWords(): readonly string[] | null {
    this.#wildcardWords ??= this.#findWildcardWords();
    return this.#wildcardWords;
  }

  #findWildcardWords(): readonly string[] | null {
    const places = ["*", "?", "["].map((character) => this.places(character));
    if (!places.every((each) => each !== null)) return null;
    const words = this.#wordsAt(places.flat().sort((left, right) => left - right));
    const telling = words?.filter((word) => word.split("/").some((name) => /[*?[]/.test(name) && !/^\*+$/.test(name)));
    return telling === undefined || telling.length > MAX_WILDCARD_WORDS ? null : telling;
  }

  #wordsAt(places: readonly number[]): readonly string[] | null {
    const words = new Set<string>();
    let after = 0;
    for (const at of places) {
      if (at < after) continue;
      let [start, end] = [at, at];
      while (start > 0 && at - start < MAX_WORD && !SEPARATORS.has(this.text.charCodeAt(start - 1))) start--;
      while (end < this.text.length && end - at < MAX_WORD && !SEPARATORS.has(this.text.charCodeAt(end))) end++;
      if (!this.spend(LOOK + 2 * (end - start))) return null;
      words.add(this.text.slice(start, end));
      after = end;
    }
    return [...words];
  }

  #isPossible(part: string): boolean {
    for (let at = 1; this.#seen && at < part.length; at++) {
      const pair = ((part.charCodeAt(at - 1) & 0xff) << 8) | (part.charCodeAt(at) & 0xff);
      if (this.#seen.pairs[pair] === 0) return false;
    }
    return part !== "";
  }

  #find(part: string): readonly number[] | null {
    const found: number[] = [];
    const starts = this.#seen?.counts[part.charCodeAt(0) & 0xff] ?? 0;
    if (!this.spend(starts + this.text.length / CHARACTERS_PER_UNIT)) return null;
    for (let at = this.text.indexOf(part); at !== -1; at = this.text.indexOf(part, at + 1)) {
      found.push(at);
      if (found.length > MAX_PLACES || !this.spend(LOOK)) return null;
    }
    return found;
  }

  #hasInOrder(words: readonly string[], start: number, end: number): boolean {
    let from = start;
    for (const word of words) {
      const places = this.places(word);
      if (places === null) continue;
      const at = places[firstFrom(places, from)];
      if (at === undefined || at + word.length > end) return false;
      from = at + word.length;
    }
    return true;
  }

  /** The flag itself, in a cluster, or as a long option that may say the same. */
  #hasFlag(flag: string, from: number, end: number): boolean {
    if (this.#hasInOrder([flag], from, end)) return true;
    if (!/^-[a-z]$/.test(flag)) return false;
    this.#options ??= this.#findOptions();
    const options = this.#options;
    if (options === null) return true;
    const letter = flag[1]!;
    let index = firstFrom(options, from, ({ at }) => at);
    for (; index < options.length && options[index]!.at < end; index++) {
      const { isLong, letters } = options[index]!;
      if (isLong ? letters.startsWith(letter) : letters.includes(letter)) return true;
      if (!this.spend(1)) return true;
    }
    return false;
  }

  #findOptions(): readonly Option[] | null {
    const found: Option[] = [];
    for (const { index, 1: dash, 2: letters } of this.text.matchAll(OPTION)) {
      found.push({ at: index, isLong: dash !== "", letters: letters! });
      if (found.length > MAX_PLACES || !this.spend(LOOK)) return null;
    }
    return found;
  }
}

function seenIn(text: string) {
  const pairs = new Uint8Array(65_536);
  const counts = new Uint32Array(256);
  for (let at = 0, last = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 0xff;
    counts[code]!++;
    pairs[(last << 8) | code] = 1;
    last = code;
  }
  return { pairs, counts };
}

/** The index of the first item at a position or behind it. */
function firstFrom<T>(sorted: readonly T[], position: number, at: (item: T) => number = Number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sorted[middle]!) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWord(text: string, start: number, length: number): boolean {
  return !isNameCode(text.charCodeAt(start - 1), true) && !isNameCode(text.charCodeAt(start + length), false);
}

function isNameCode(code: number, before: boolean): boolean {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || (before && code === 0x2e);
}

function singleFlags(flag: string): readonly string[] {
  return /^-[a-z]{2,}$/.test(flag) ? [...flag.slice(1)].map((letter) => `-${letter}`) : [flag];
}
