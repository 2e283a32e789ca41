/** A longer text counts as holding everything. Unit: characters. */
const MAX_TEXT = 300_000;
/** So does one with more words, or with more characters in words with wildcards. */
const MAX_WORDS = 3_000;
const MAX_WILDCARDS = 2_000;
/** Characters around a path in a word: `--file=x`, `host:x`, `@x`, `{x,y}`. */
const SEPARATORS = /[ \n=:,@{}]+/;

/** Text that is not parsed, for a search by words. Finds too much rather than too little. */
export class UnparsedText {
  readonly text: string;
  readonly #isTooLong: boolean;
  #lines: readonly string[] | undefined;
  #words: readonly string[] | null | undefined;
  #wildcards: readonly string[] | null | undefined;

  /** `text` in one letter case, as `foldCase` makes it. */
  constructor(text: string) {
    this.text = text;
    this.#isTooLong = text.length > MAX_TEXT;
  }

  holds(part: string): boolean {
    return this.#isTooLong || this.text.includes(part);
  }

  /**
   * Whether there may be a command with these words: the first as a name, also behind a directory, the others on the
   * same line, operands in this order, flags one by one anywhere.
   */
  mentions(words: readonly string[]): boolean {
    const [program, ...others] = words.map((word) => word.toLowerCase());
    if (!program) return this.text !== "";
    if (!this.holds(program)) return false;
    if (this.#isTooLong) return true;
    const operands = others.filter((word) => !word.startsWith("-"));
    const flags = others.filter((word) => word.startsWith("-")).map(flagPattern);
    this.#lines ??= this.text.split("\n");
    return this.#lines.some((line) => {
      const end = endOfName(line, program);
      if (end === -1) return false;
      const rest = line.slice(end);
      return hasInOrder(rest, operands) && flags.every((flag) => flag.test(rest));
    });
  }

  /** The words a string stands in, and those the shell may expand to others; `null` when they are too many. */
  wordsThatMayHold(part: string): readonly string[] | null {
    this.#words ??= this.#isTooLong ? null : atMost(MAX_WORDS, [...new Set(this.text.split(SEPARATORS))]);
    if (this.#words === null) return this.holds(part) ? null : [];
    this.#wildcards ??= this.#words.filter((word) => word.split("/").some(tells));
    if (this.#wildcards.join("").length > MAX_WILDCARDS) return null;
    return this.text.includes(part)
      ? [...this.#words.filter((word) => word.includes(part)), ...this.#wildcards]
      : this.#wildcards;
  }
}

function atMost<T>(most: number, all: readonly T[]): readonly T[] | null {
  return all.length > most ? null : all;
}

/** A bare `*` says nothing of what it represents. */
function tells(name: string): boolean {
  return /[*?[]/.test(name) && !/^\*+$/.test(name);
}

/** The end of a program's name that stands in a line as a word; -1 when it does not. */
function endOfName(line: string, name: string): number {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!/[\w.-]/.test(line[at - 1] ?? " ") && !/[\w-]/.test(line[end] ?? " ")) return end;
  }
  return -1;
}

function hasInOrder(line: string, words: readonly string[]): boolean {
  let from = 0;
  return words.every((word) => {
    const at = line.indexOf(word, from);
    from = at + word.length;
    return at !== -1;
  });
}

/** The flag itself, in a cluster, or as a long option that may say the same. */
function flagPattern(flag: string): { test(line: string): boolean } {
  if (!/^-[a-z]+$/.test(flag)) return { test: (line) => line.includes(flag) };
  const each = [...flag.slice(1)].map((letter) => new RegExp(` -(?:[a-z]*${letter}|-${letter})`));
  return { test: (line) => line.includes(flag) || each.every((pattern) => pattern.test(line)) };
}
