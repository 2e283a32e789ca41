// A row of the table of programs. Adding a program is adding a row to the file of its family: one line for a program
// that only reads, a few for one that writes, runs or connects. What no list names is a doubt, so a row that forgets
// something asks too often, never too rarely.
import type { LineShape, OptionLists } from "../invocation/option-lists.js";
import type { ParsedOptions } from "../invocation/options.js";
import type { ProgramCall } from "../invocation/program-call.js";
import type { ShellWord } from "../words/shell-word.js";

/** The files below a directory that it opens. The values of the options are names with wildcards. */
export interface SearchOptions {
  /** With this among its words it goes on behind links. Default: the option that nearly all programs have for that. */
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

/**
 * Files that are read, changed, made or deleted. `directory`: the current one is read when no operand is there.
 * `pattern`: one text, and then files. `edit`: read and changed. `output`: a file that is written, though the program's
 * name says that it reads. `text`: nothing to the file system. `mention`: what may be files, and counts for rules that
 * deny.
 */
export type OperandRole =
  | "read"
  | "directory"
  | "pattern"
  | "write"
  | "edit"
  | "create"
  | "output"
  | "delete"
  | "text"
  | "mention";

/** The program that a program starts. */
export interface StartRow {
  /**
   * Its place: the operands; any of the first words, as in a list of options that is not known; what follows
   * `run` or `exec`.
   */
  readonly from: "operands" | "any" | "run";
  /** So many operands stand before it. */
  readonly skip?: number;
  /** Or none: the first of them may be the program. */
  readonly mayStandFirst?: boolean;
  /** To allow the program is to allow what it starts. */
  readonly implied?: boolean;
  /** The started program reads its input. */
  readonly keepsInput?: boolean;
  /** With one of these options, or without one of those, the words together are code for a shell. */
  readonly code?: { readonly with?: string; readonly unless?: string };
  /** It stands in another directory. */
  readonly elsewhere?: boolean;
  /** No one can tell which of its words that is. */
  readonly opaque?: boolean;
  /** First words with which it starts nothing. */
  readonly unless?: RegExp;
}

/**
 * `named`: what its words say. `project`: what the files of the project say. `anything`: who knows.
 */
export type Extent = "nothing" | "named" | "project" | "anything";

/** The reach of a program that does more than read: the places it writes to, programs it starts, and hosts it connects to. */
export interface Reach {
  readonly writes: Extent;
  readonly runs: Extent;
  readonly connects: Extent;
}

/** The data lost for good, by the words of a program after the options before its command, joined by spaces. */
export type DestroyingWords = readonly (readonly [words: RegExp, what: string])[];

/** The role of operands under certain options. */
export type Instead = { readonly with: string } & Pick<ProgramRow, "operands" | "only" | "recursive" | "transfers">;

/**
 * The facts known about a program's command lines: data alone. Code is left to programs with a language of their own (`analyze`).
 */
export interface ProgramRow extends OptionLists, LineShape {
  /** The source of this: manual page or documentation, with the version. */
  readonly manual: string;
  /** It only reads and prints, unless an option says otherwise. Default: it does more. */
  readonly kind?: "reads" | undefined;
  /** The reach of a program that does more than read. */
  readonly does?: Reach | undefined;
  /** Its options are not listed: none of them is a doubt by itself. */
  readonly anyOptions?: boolean | undefined;
  readonly commands?: Readonly<Record<string, CommandRow>> | undefined;
  /** Options before the command that take the next word, when the lists do not say so. */
  readonly globals?: string | undefined;
  /** Other names of its commands, for rules that deny or ask. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  readonly destroys?: DestroyingWords | undefined;
  /** The parts of its words, or of its input, that lead beyond its name. */
  readonly escapes?: Escapes | undefined;
  /** It takes a program from its input when its words bring none. */
  readonly takesCode?: CodeInput | undefined;
  /** "Always allow" may leave open what follows: the program itself (`""`), or these of its commands. */
  readonly repeatable?: readonly string[] | undefined;
  /** The word behind these commands (`""`: behind the program) is a script of the project. */
  readonly scripts?: readonly string[] | undefined;
  /** The role of the operands. A list goes by their places, its last entry for all that follow. Default: `text`. */
  readonly operands?: OperandRole | readonly OperandRole[] | undefined;
  /**
   * With one of these options, or an unknown one, nothing stands in front of the files: `chmod --reference=a b`.
   */
  readonly filesFirst?: string | undefined;
  /** With one of these options the operands are something else, and it goes elsewhere: the first that fits. */
  readonly instead?: readonly Instead[] | undefined;
  /** Its operands go from the first ones to the last, or to the directory of `-t`. */
  readonly transfers?: "copy" | "move" | "link" | undefined;
  /** Operands, or values of options that are read, that look so name no file. */
  readonly noFiles?: { readonly operands?: RegExp; readonly values?: RegExp } | undefined;
  /** With one of these options it only reads what its operands name. `unless`: with none of those. */
  readonly looks?: { readonly with: string; readonly unless?: string } | undefined;
  /**
   * Operands, joined by spaces, with which it only reads as long as its options are plain; a line end represents one
   * that is not known. `kind` being `reads`, any others do more.
   */
  readonly shows?: RegExp | undefined;
  /** Words, joined in the same way, with which it only reads, and of which none names a file. */
  readonly readsWords?: RegExp | undefined;
  /** The word in front of one file, which is all it is given: it looks at the file, and does nothing else. */
  readonly checks?: RegExp | undefined;
  /** Each operand looks so; another one does more, and `sets` says what no rule about the name alone allows. */
  readonly each?: RegExp | undefined;
  readonly sets?: string | undefined;
  /** With more operands it does more than read, unless one of these options is given. */
  readonly most?: number | undefined;
  /** With fewer operands it does what `sets` says. */
  readonly least?: number | undefined;
  readonly anyWith?: string | undefined;
  /** Without one of these options it does more than read. */
  readonly needs?: string | undefined;
  /** Options with which it also reads files whose names are in a file it reads. */
  readonly namesFiles?: string | undefined;
  /** Flags with which it does more than read, and no more than its name says. */
  readonly acts?: string | undefined;
  /** The role of the text behind such a beginning of a word: `if=` of `dd`. */
  readonly assigned?: Readonly<Record<string, "read" | "write">> | undefined;
  /** A file it reads by itself: perhaps, unless a word looks so, as `.env`. */
  readonly readsBesides?: { readonly file: string; readonly unless?: RegExp } | undefined;
  /** It starts what its words name. */
  readonly starts?: StartRow | undefined;
  /** The hosts it connects to: this one, or the first operand or word. */
  readonly host?: { readonly is?: string; readonly option?: string } | undefined;
  /**
   * Words, joined by spaces, with which it takes in all files below where it stands: `npm pack`.
   */
  readonly takesAll?: RegExp | undefined;
  /** It goes below the directories named: always, or with one of these options. */
  readonly recursive?: boolean | string | undefined;
  /** `files`: a directory is not opened. `names`: names, kinds, sizes and times are revealed, not content. */
  readonly only?: "files" | "names" | undefined;
  readonly search?: SearchOptions | undefined;
  /** Commands of it that explain themselves, and do nothing else, where `--help` is all that follows. */
  readonly helps?: RegExp | undefined;
  /** Options, or one word, that alone print something about the program, and nothing else is done. */
  readonly informs?: string | undefined;
  /**
   * Files of a project, here or in a directory above, that choose what it runs, even to print its version. Where one of
   * them is, nothing of it runs without a rule.
   */
  readonly steeredBy?: string | undefined;
  /** A word `@x` represents the words in the file `x`. */
  readonly responseFiles?: boolean | undefined;
  /** Its words as the common reader of options takes them. */
  spelt?(args: readonly ShellWord[]): readonly ShellWord[];
  /** Replaces the treatment of the operands, after the options, for a program with a language of its own. */
  analyze?(call: ProgramCall, options: ParsedOptions): void;
}

/** The parts of a program's words, or of its input, that do more than its name says. */
export interface Escapes {
  /** Any word, or the input. */
  readonly text?: RegExp | undefined;
  /** The same, with the shell code it runs in a group. */
  readonly code?: RegExp | undefined;
  /** All words, joined by spaces. */
  readonly line?: RegExp | undefined;
  /** Commands of its own, at the start of a line, that only show something: all else is statements of a database. */
  readonly statements?: RegExp | undefined;
  /** The shell code in a file of its language; `null` when that is not known. */
  readonly codeOf?: ((text: string) => string | null) | undefined;
  /** The file of the project that says what it runs: to name that one says nothing more. */
  readonly own?: RegExp | undefined;
  /** The words behind this word are for the program that is started. Default: `--`. */
  readonly end?: RegExp | undefined;
  /** Its words are code of another language, in which strings may be commands or files. */
  readonly isCode?: boolean | undefined;
}

/** The way a program takes code from its input. */
export interface CodeInput {
  /** Options that bring a program, or say that none is run. */
  readonly brings: RegExp;
  /** Without one of those, its first operand is a file of code. */
  readonly isScript?: boolean | undefined;
  /** It compiles its input, which may take in any file. */
  readonly compiles?: boolean | undefined;
  /** With so many operands the input is data. Default: 1. */
  readonly operands?: number | undefined;
  /** The only strings in its input that reach beyond its own language. Default: any text may. */
  readonly reaches?: RegExp | undefined;
  /** A shell command in it that stands in no quotes, in the first group. */
  readonly code?: RegExp | undefined;
}
