import type { NameListing } from "../analysis.js";

/** The directories a command may stand in; `null` when they are not known, empty where the script cannot come. */
export type Directories = readonly string[] | null;

/** The directories after a command that succeeded, and after one that failed. Empty: the script ends there. */
export interface Outcome {
  readonly ok: Directories;
  readonly fail: Directories;
}

const MAX_DIRECTORIES = 4;
export function joinDirectories(left: Directories, right: Directories): Directories {
  if (left === null || right === null) return null;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_DIRECTORIES ? null : all;
}

/** The directories after a command, whether it succeeded or not. */
export function eitherWay({ ok, fail }: Outcome): Directories {
  return joinDirectories(ok, fail);
}

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /** As written. */
  readonly raw: string;
  /** After quote removal; `null` when any part of it is known only at run time, also when it holds wildcards. */
  readonly value: string | null;
  /** As `value`, but with wildcards left in, and the home and the current directory put in. */
  readonly known: string | null;
  /** `known` holds wildcards that the shell expands to names. */
  readonly pattern: boolean;
  /** The text it surely starts with. */
  readonly prefix: string;
  /** It may become several words, or none, whose start is not known. */
  readonly splits: boolean;
  /** Values it may have, as far as the script shows: for what must not be missed, never for what may be allowed. */
  readonly guesses: readonly string[];
  /** `guesses` are all the values it can have, wildcards left in. */
  readonly complete?: boolean;
  /** It represents names of files that another command prints, which are these. */
  readonly listed?: ListedNames;
  /** It may be no word at all: what it represents without quotes is empty, or its wildcards match nothing. */
  readonly vanishes?: boolean;
  /** The rest of an option when all that is glued to it is empty: the next word is then its value. */
  readonly emptied?: string;
  /** It, or each of its words, starts with the name of a commit, or with a number, so it is not an option. */
  readonly revision?: boolean;
  /** Its text, with `NUMBER` where a number stands, or nothing, when that is all that is not known of it. */
  readonly numbered?: string;
}

/** The names a command prints. */
export interface ListedNames extends NameListing {
  /** The paths they may be, with wildcards; relative to the directory the command runs in unless it starts with `/`. */
  readonly patterns: readonly string[];
  /** They are printed without this directory, which their patterns start with. */
  readonly within?: string;
  /** The directory it runs in; without it, the one in which the names are read. */
  readonly at?: Directories;
}

/** The mark for a number. */
export const NUMBER = "\0";

/** A word that is known as it stands. */
export function literalWord(value: string): ShellWord {
  return { raw: quoted(value), value, known: value, pattern: false, prefix: value, splits: false, guesses: [value] };
}

/** A word about which nothing is known: any text, any number of words. */
export function unknownWord(raw: string): ShellWord {
  return { raw, value: null, known: null, pattern: false, prefix: "", splits: true, guesses: [] };
}

/** The word with its text, as far as that is known, changed. */
export function edited(word: ShellWord, edit: (text: string) => string): ShellWord {
  const change = (text: string | null) => (text === null ? null : edit(text));
  return {
    ...word,
    raw: edit(word.raw),
    value: change(word.value),
    known: change(word.known),
    prefix: edit(word.prefix),
    guesses: word.guesses.map(edit),
  };
}

const PLAIN = /^(?:[\w@%+=:,./^-][\w@%+=:,./^~-]*|\{\})$/;

/** A literal word as one would write it in a shell: plain, or in single quotes. */
export function quoted(value: string): string {
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Words as one text, in which a question mark is one whose value is not known. */
export function textOfWords(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value ?? "?").join(" ");
}

/** Words as `ssh` and `eval` put them together for the shell that reads them. */
export function joinedWords(words: readonly ShellWord[]): ShellWord {
  if (words.length === 1) return words[0]!;
  const values = words.map(({ value }) => value);
  const text = values.includes(null) ? null : values.join(" ");
  const guess = words.map(({ value, guesses, raw }) => value ?? guesses[0] ?? raw).join(" ");
  return {
    ...literalWord(text ?? ""),
    raw: words.map(({ raw }) => raw).join(" "),
    value: text,
    known: text,
    prefix: "",
    guesses: [guess],
  };
}

/**
 * All that the word may be, for those who read a language in it, with one number in place of any; `null` when it may be
 * anything else.
 * @param glued what stands beside a number that is read with it, so that another number, or none, makes something else
 * of it
 */
export function textsOf({ value, complete, guesses, numbered }: ShellWord, glued: RegExp): readonly string[] | null {
  if (value !== null) return [value];
  if (complete && !guesses.some((guess) => /[*?[]/.test(guess))) return guesses;
  return numbered === undefined || glued.test(numbered) ? null : [numbered.replaceAll(NUMBER, "1")];
}

/** The word may turn out to be an option, or to hold one. */
export function mayBeOption(word: ShellWord): boolean {
  if (word.value !== null) return false;
  if (word.prefix.startsWith("-")) return true;
  if (word.splits) return word.revision !== true;
  if (word.revision || isDescriptor(word)) return false;
  if (word.complete) return word.guesses.some((guess) => /^(?:$|[-*?[])/.test(guess));
  return word.prefix === "";
}

/** `<(…)`: a name under /dev/fd. */
function isDescriptor({ raw }: ShellWord): boolean {
  return /^[<>]\(/.test(raw);
}

/** More words that may be empty are not tried with and without what they represent. */
const MAX_EMPTY = 3;

/** A command as it stands, and as it is when what a word represents is empty. */
export function withAndWithout(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const open = words.filter(mayBeEmpty);
  if (open.length > MAX_EMPTY) return [words.map((word) => (mayBeEmpty(word) ? unknownWord(word.raw) : word))];
  const forms = open.reduce<readonly (readonly ShellWord[])[]>(
    (all, word) => all.concat(all.map((form) => form.flatMap((each) => (each === word ? whenEmpty(word) : each)))),
    [words],
  );
  return forms.filter((form) => form.length > 0);
}

function mayBeEmpty({ vanishes, emptied }: ShellWord): boolean {
  return vanishes === true || emptied !== undefined;
}

function whenEmpty({ emptied }: ShellWord): readonly ShellWord[] {
  return emptied === undefined ? [] : [literalWord(emptied)];
}
