import type { ListedNames } from "../names/found-names.js";

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /** As written. */
  readonly raw: string;
  /** After quote removal; `null` when any part of it is known only at run time, also when it holds wildcards. */
  readonly value: string | null;
  /** As `value`, but with wildcards left in, and with the home and the current directory put in where the script names them. */
  readonly known: string | null;
  /** `known` holds wildcards that the shell expands to names. */
  readonly pattern: boolean;
  /** What it surely starts with. */
  readonly prefix: string;
  /** It may become several words, or none, whose start is not known. */
  readonly splits: boolean;
  /** Values it may have, as far as the script shows: for what must not be missed, never for what may be allowed. */
  readonly guesses: readonly string[];
  /** `guesses` are all the values it can have, wildcards left in. */
  readonly complete?: boolean;
  /** It represents names of files that another command prints, which are these. */
  readonly listed?: ListedNames;
  /** It may be no word at all when its wildcards match nothing. */
  readonly vanishes?: boolean;
  /** It starts with the name of a commit, or with a number, so it is not an option. */
  readonly revision?: boolean;
}

/** A word that is known as it stands. */
export function literalWord(value: string): ShellWord {
  return { raw: quoted(value), value, known: value, pattern: false, prefix: value, splits: false, guesses: [value] };
}

/** A word about which nothing is known: any text, any number of words. */
export function unknownWord(raw: string): ShellWord {
  return { raw, value: null, known: null, pattern: false, prefix: "", splits: true, guesses: [] };
}

const PLAIN = /^(?:[\w@%+=:,./^-][\w@%+=:,./^~-]*|\{\})$/;

/** A literal word as one would write it in a shell: plain, or in single quotes. */
export function quoted(value: string): string {
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** The word may turn out to be an option, or to hold one. */
export function mayBeOption(word: ShellWord): boolean {
  if (word.value !== null) return false;
  if (word.splits || word.prefix.startsWith("-")) return true;
  if (word.revision) return false;
  if (word.complete) return word.guesses.some((guess) => /^(?:$|[-*?[])/.test(guess));
  return word.prefix === "";
}
