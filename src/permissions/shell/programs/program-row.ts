// A row of the table of programs. Adding a program is adding a row to the file of its family: one line for a program that only reads,
// a few for one that writes, runs or connects. What no list names is a doubt, so a row that forgets something asks too often, never
// too rarely.
import type { ParsedOptions } from "../invocation/options.js";
import type { ProgramCall } from "../invocation/program-call.js";
import type { ShellWord } from "../words/shell-word.js";

/** Options by what they do, each list one string with spaces between them. */
export interface OptionLists {
  /** Options without a value that change nothing in the kind of the program. */
  readonly flags?: string | undefined;
  /** Such options with a value, glued to it, after `=`, or in the next word. */
  readonly values?: string | undefined;
  /** Such options whose value can only be glued or follow `=`. */
  readonly attached?: string | undefined;
  /** Options whose value is a file that is read. */
  readonly reads?: string | undefined;
  /** Options whose value is a file, or a directory, that settings or code are taken from. */
  readonly loads?: string | undefined;
  /** Options whose value is a file that is written. */
  readonly writes?: string | undefined;
  /** Options whose value is a command that is run. */
  readonly runs?: string | undefined;
  /** Options that make the program do more than its name says; with a value in `hazardValues`. */
  readonly hazards?: string | undefined;
  readonly hazardValues?: string | undefined;
  /** Harmless options that are known by their shape, as `-Wall` of compilers. */
  readonly harmless?: RegExp | undefined;
}

/** Which files below a directory it opens. Each list of options is one string, and their values are names with wildcards. */
export interface SearchOptions {
  /** With this among its words, joined by spaces, it goes on behind links. Default: an option that nearly all programs have for that. */
  readonly follows?: RegExp | undefined;
  /** Directories that are not entered. */
  readonly skips?: string | undefined;
  /** Files that are left out, and the only ones that are opened. */
  readonly omits?: string | undefined;
  readonly only?: string | undefined;
  /** Without one of these, hidden files, and what git ignores, are left out. */
  readonly shows?: string | undefined;
}

/** A sub-command, by its words: `mod graph`. Its lists are read before those of the program. */
export interface CommandRow extends OptionLists {
  /** It only reads, and knows no options but its own. Default: as the program. */
  readonly kind?: "reads" | undefined;
  /** Behind so many operands its options end: what follows is for the program that is started. */
  readonly endsAfter?: number | undefined;
}

/** `named`: what its words say, and nothing else. `project`: what the files of the project say. `anything`: who knows. */
export type Extent = "nothing" | "named" | "project" | "anything";

/** Where a program that does more than read writes, what it starts, and what it connects to. */
export interface Reach {
  readonly writes: Extent;
  readonly runs: Extent;
  readonly connects: Extent;
}

/** What is lost for good, by the words of a program after the options before its command, joined by spaces. */
export type Losses = readonly (readonly [words: RegExp, what: string])[];

/** What is known about a program's command line. */
export interface ProgramRow extends OptionLists {
  /** Where this was read: manual page or documentation, with the version. */
  readonly manual: string;
  /** It only reads and prints, unless an option says otherwise. Default: it does more. */
  readonly kind?: "reads" | undefined;
  /** Of programs that do more than read: how far they reach. */
  readonly does?: Reach | undefined;
  /** Its options are not listed: none of them is a doubt by itself. */
  readonly anyOptions?: boolean | undefined;
  readonly commands?: Readonly<Record<string, CommandRow>> | undefined;
  /** Options before the command that take the next word, when the lists do not say so. */
  readonly globals?: string | undefined;
  /** Other names of its commands, for rules that deny or ask. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  readonly losses?: Losses | undefined;
  /** What in its words, or in its input, leads beyond its name. */
  readonly escapes?: Escapes | undefined;
  /** It takes a program from its input when its words bring none. */
  readonly takesCode?: CodeInput | undefined;
  /** "Always allow" may leave open what follows: the program itself (`""`), or these of its commands. */
  readonly repeatable?: readonly string[] | undefined;
  /** The word behind these commands (`""`: behind the program) is a script of the project. */
  readonly scripts?: readonly string[] | undefined;
  /**
   * What the operands are: files that are read, created or changed; `directory` reads the current one when there is not one; `pattern`
   * is one text and then files; `text` is nothing to the file system; `mention` may be files, and counts for rules that deny.
   * Default: `text`.
   */
  readonly operands?: "read" | "directory" | "pattern" | "write" | "delete" | "text" | "mention" | undefined;
  /** Words, joined by spaces, with which it takes in all files below where it stands, without naming one: `npm pack`. */
  readonly takesAll?: RegExp | undefined;
  /** Reading goes below the directories named. */
  readonly recursive?: boolean | undefined;
  /** `files`: a directory among the operands is not opened. `names`: names, kinds, sizes and times are revealed, not content. */
  readonly only?: "files" | "names" | undefined;
  readonly search?: SearchOptions | undefined;
  /** What follows the value of these is for the program that is started: `python -m pytest -x`. */
  readonly lastOptions?: string | undefined;
  /** Options end at the first operand. */
  readonly posix?: boolean | undefined;
  /** Long options start with one dash, and short ones do not cluster. */
  readonly singleDash?: boolean | undefined;
  /** Commands of it that explain themselves, and do nothing else, where `--help` is all that follows. */
  readonly helps?: RegExp | undefined;
  /** Options, or one word, that alone print something about the program, and nothing else is done. */
  readonly informs?: string | undefined;
  /**
   * Files of a project, here or in a directory above, that choose what it runs, even to print its version. Where one of them is, nothing
   * of it runs without a rule.
   */
  readonly steeredBy?: string | undefined;
  /** A word `@x` represents the words in the file `x`. */
  readonly responseFiles?: boolean | undefined;
  /** `-5` is a harmless option. */
  readonly digits?: boolean | undefined;
  /** Its words as the common reader of options takes them. */
  spelt?(args: readonly ShellWord[]): readonly ShellWord[];
  /** Replaces what is done with the operands; the options above have been checked before. */
  analyze?(call: ProgramCall, options: ParsedOptions): void;
}

/** What in the words of a program, or in its input, does more than its name says. */
export interface Escapes {
  /** Any word, or the input. */
  readonly text?: RegExp | undefined;
  /** The same, with the shell code it runs in a group. */
  readonly code?: RegExp | undefined;
  /** All words, joined by spaces. */
  readonly line?: RegExp | undefined;
  /** What follows this word is for the program that is started. Default: `--`. */
  readonly end?: RegExp | undefined;
  /** Its words are code of another language, in which strings may be commands or files. */
  readonly isCode?: boolean | undefined;
}

/** How a program takes code from its input. */
export interface CodeInput {
  /** Options that bring a program, or say that none is run. */
  readonly brings: RegExp;
  /** With so many operands the input is data. Default: 1. */
  readonly operands?: number | undefined;
  /** The only strings in its input that reach beyond its own language. Default: any text may. */
  readonly reaches?: RegExp | undefined;
  /** A shell command in it that stands in no quotes, in the first group. */
  readonly code?: RegExp | undefined;
}
