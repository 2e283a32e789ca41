import type { PlainKind } from "./plain-output.js";
import { NUMBER, type ShellWord, unknownWord } from "./shell-word.js";

const MAX_GUESSES = 32;
/** The most hints of a word that may be something else, too. */
const MAX_HINTS = 8;
const MAX_GUESS_LENGTH = 1_000;
/** A short option, to which a value may be glued. */
const GLUED = /^-[^-]/;

/** The facts needed about the place where a word is read. */
interface Place {
  /** Wildcards that represent nothing may vanish. */
  readonly vanishes: boolean;
  /** A directory is there when the line starts. */
  isDirectory(path: string): boolean;
}

/** A word while it is put together, piece by piece, from what its parts may be. */
export class WordDraft {
  readonly #place: Place;
  #value: string | null = "";
  #known: string | null = "";
  #prefix = "";
  #prefixOpen = true;
  #pattern = false;
  #splits = false;
  /** It may be several words, each of which starts with a commit or a number. */
  #areMany = false;
  #guesses: string[] = [""];
  #complete = true;
  #revision = false;
  /** Nothing stands yet behind the commit or number it starts with, which may be empty. */
  #isBare = false;
  #numbered: string | null = "";
  /** The text left when all it represents is empty; `null` when that cannot be. */
  #left: string | null = "";
  /** Quotes make it a word also when it is empty. */
  #isQuoted = false;
  /** The output of git at the word's start, or nothing when git refuses. */
  #topLevel: string | null = null;

  constructor(place: Place) {
    this.#place = place;
  }

  literal(text: string): void {
    this.#follows(text);
    if (this.#left !== null) this.#left += text;
    if (this.#value !== null) this.#value += text;
    if (this.#known !== null) this.#known += text;
    if (this.#numbered !== null) this.#numbered += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  /** Known to us, but by the place the command runs in, not by its text. */
  expansion(text: string): void {
    this.#follows(text);
    if (text !== "") this.#left = null;
    this.#numbered = null;
    this.#value = null;
    this.#prefixOpen &&= text !== "";
    if (this.#known !== null) this.#known += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  wildcard(text: string): void {
    this.#follows("-");
    if (!this.#place.vanishes) this.#left = null;
    this.#numbered = null;
    this.#value = null;
    this.#pattern = true;
    this.#prefixOpen = false;
    if (this.#known !== null) this.#known += text;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  unknown(values: readonly string[], isNeverEmpty = false): void {
    this.#complete = false;
    this.oneOf(values, isNeverEmpty);
  }

  /** One of several values, and no other. */
  oneOf(values: readonly string[], isNeverEmpty: boolean): void {
    this.#follows("-");
    if (this.#guesses.length * values.length > MAX_GUESSES) this.#complete = false;
    const areNumbers = this.#numbered !== null && values.length > 0 && values.every((value) => /^\d*$/.test(value));
    this.#numbered = areNumbers ? this.#numbered + NUMBER : null;
    this.#value = null;
    this.#known = null;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses
      .flatMap((guess) => values.map((value) => guess + value))
      .filter((guess) => guess.length <= MAX_GUESS_LENGTH)
      .slice(0, this.#complete ? MAX_GUESSES : MAX_HINTS);
    if (isNeverEmpty) this.#left = null;
  }

  /** A word of it, or nothing. */
  plain(kind: PlainKind, isOne = true): void {
    const isRevision = this.#isBare || (this.#prefixOpen && this.#prefix === "");
    const numbered = kind === "number" && isOne && this.#numbered !== null ? this.#numbered + NUMBER : null;
    this.unknown([]);
    this.#numbered = numbered;
    this.#revision ||= isRevision;
    this.#isBare = isRevision;
  }

  /** Any number of them. */
  plainWords(kind: PlainKind): void {
    this.plain(kind, false);
    this.#areMany = true;
  }

  /** Any number, also where a dash stands before it. */
  number(): void {
    this.#left = null;
    this.plain("number");
    this.#isBare = false;
  }

  /** Quotes stand in it. */
  quoted(): void {
    this.#isQuoted = true;
  }

  /** Git refuses where somebody else owns the directory, so what is behind it in the word may begin at the root. */
  top(directory: string, quoted: boolean): boolean {
    if (this.#known !== "" || (!quoted && /[\s*?[]/.test(directory))) return false;
    const left = this.#left;
    this.expansion(directory);
    this.#left = left;
    this.#topLevel = directory;
    return true;
  }

  dynamic(quoted: boolean, values: readonly string[], isNeverEmpty = false): void {
    if (!quoted) this.#splits = true;
    this.unknown(values, isNeverEmpty);
  }

  word(raw: string): ShellWord {
    if (this.#mayBeElsewhere()) return unknownWord(raw);
    const splits = this.#splits || this.#areMany;
    const isOpen = this.#value === null && this.#left !== null && !splits;
    const vanishes = (isOpen && this.#left === "" && !this.#isQuoted) || (this.#pattern && this.#place.vanishes);
    const emptied = isOpen && GLUED.test(this.#left!) ? this.#left! : undefined;
    return {
      raw,
      value: this.#value,
      known: this.#known,
      pattern: this.#pattern,
      prefix: this.#prefix,
      splits,
      guesses: vanishes ? this.#guesses.filter((guess) => guess !== "") : this.#guesses,
      ...(this.#value === null && this.#known === null && this.#complete && { complete: true }),
      ...(vanishes && { vanishes }),
      ...(emptied !== undefined && { emptied }),
      ...(this.#revision && !this.#splits && { revision: true }),
      ...(this.#value === null && this.#numbered !== null && { numbered: this.#numbered }),
    };
  }

  /** When nothing is before it, the word starts with this. */
  #follows(text: string): void {
    if (!this.#isBare || text === "") return;
    this.#isBare = false;
    this.#revision &&= !text.startsWith("-");
  }

  /** The word without what git prints may be a path, too. */
  #mayBeElsewhere(): boolean {
    const [, first] = /^(\/+[^/]*)/.exec(this.#known?.slice(this.#topLevel?.length) ?? "/") ?? [];
    return this.#topLevel !== null && first !== undefined && this.#place.isDirectory(first);
  }
}
