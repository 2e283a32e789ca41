import type { CommandAssignment, CommandDoubt } from "../analysis.js";
import type { ShellWord } from "../shell-word.js";
import type { ListedNames } from "./found-names.js";

/**
 * What is known about a program's command line. Options are listed in one string, separated by spaces. An option that is in
 * no list is unknown: the command is then not known to be read-only.
 */
export interface ProgramEntry {
  /** Where this was read: manual page or documentation, with the version. */
  readonly source: string;
  /** `reads` for programs that only read and print unless an option says otherwise; `acts` for all others. */
  readonly nature: "reads" | "acts";
  /** Options without a value that change nothing in the nature of the program. */
  readonly flags?: string;
  /** Such options with a value, glued to it, after `=`, or in the next word. */
  readonly values?: string;
  /** Such options whose value can only be glued or follow `=`. */
  readonly attached?: string;
  /** Options whose value is a file that is read. */
  readonly reads?: string;
  /** Options whose value is a file that is written. */
  readonly writes?: string;
  /** Options whose value is a command that is run. */
  readonly runs?: string;
  /** Options that make the program do more than its name says; with a value in `hazardValues`. */
  readonly hazards?: string;
  readonly hazardValues?: string;
  /**
   * What the operands are: files that are read, created or changed; `directory` reads the current one when there is not one; `pattern`
   * is one text and then files; `text` is nothing to the file system. Default: `text`.
   */
  readonly operands?: "read" | "directory" | "pattern" | "write" | "delete" | "text";
  /** Reading goes below the directories named. */
  readonly recursive?: boolean;
  /** `files`: a directory among the operands is not opened. `names`: names, kinds, sizes and times are revealed, not content. */
  readonly only?: "files" | "names";
  /** Options end at the first operand. */
  readonly posix?: boolean;
  /** Long options start with one dash, and short ones do not cluster. */
  readonly singleDash?: boolean;
  /** `--version` alone prints it, and nothing else is done. */
  readonly tellsVersion?: boolean;
  /** `-5` is a harmless option. */
  readonly digits?: boolean;
  /** Replaces what is done with the operands; the options above have been checked before. */
  analyze?(call: ProgramCall, options: ParsedOptions): void;
}

export interface ParsedOptions {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly ShellWord[];
  /** Options in no list, as written. */
  readonly unknown: readonly string[];
  /** A word known only at run time stands where an option may. */
  readonly uncertain: boolean;
  /** Words that become names of files, which are not options if none of them looks like one. */
  readonly lists: readonly ShellWord[];
  /** The options with this name, in any of the spellings given. */
  all(...names: string[]): readonly ParsedOption[];
  has(...names: string[]): boolean;
}

export interface ParsedOption {
  readonly name: string;
  readonly value: ShellWord | null;
}

/** Where a command's standard input comes from, as far as it matters to a shell that reads its script there. */
export type CommandInput =
  | { readonly kind: "none" }
  | {
      readonly kind: "unknown";
      /** It is known to be names of files. */
      readonly names?: ListedNames;
    }
  | { readonly kind: "text"; readonly text: string };

export interface StartOptions {
  readonly harmless?: boolean;
  /** It starts in this directory instead of the current one. */
  readonly directory?: ShellWord;
  /** It starts in a directory that is not known. */
  readonly elsewhere?: boolean;
  /** It runs on another machine: its paths are not ours. */
  readonly remote?: boolean;
  /** To allow the outer program is to allow whatever it starts. */
  readonly impliedByParent?: boolean;
  /** Variables it gets. */
  readonly assignments?: readonly CommandAssignment[];
}

/** How a file or directory is read; by default its content, without what is below a directory. */
export interface ReadHow {
  /** Everything below a directory as well. */
  readonly recursive?: boolean;
  readonly only?: "files" | "names";
}

/** One invocation of a known program, and what its analysis reports. */
export interface ProgramCall {
  /** The program's base name. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly input: CommandInput;
  /** It stands in the directory the script starts in, or above. */
  readonly isHome: boolean;
  /** A word names the directory it stands in, whichever that is. */
  isHere(directory: ShellWord): boolean;
  /** It does more than read and print. */
  acts(): void;
  /** It does not. Void when anything else reported says more. */
  onlyReads(): void;
  /** The same, if it stands, or is sent, into the repository that the line starts in. */
  onlyReadsInRepository(directory?: ShellWord): void;
  doubt(kind: CommandDoubt["kind"], reason: string): void;
  read(file: ShellWord, how?: ReadHow): void;
  /** It takes settings or code from there. */
  loads(file: ShellWord): void;
  /** To be looked up, since a name among them may be taken for an option. */
  lists(names: ShellWord): void;
  /** The directory it stands in, with all that is below. `unless`: one of these lists has a name. */
  readDirectory(how?: ReadHow, unless?: readonly ShellWord[]): void;
  write(file: ShellWord, how: "create" | "modify" | "delete", recursive?: boolean): void;
  network(host: string | null): void;
  /** Starts a program with these words. None: nothing. */
  start(words: readonly ShellWord[], options?: StartOptions): void;
  /** A text that may be shell code the program runs: it counts for rules that deny, if it reads as a command. */
  mayRun(text: string): void;
  /** A word that may name a file the program reads: it counts for rules that deny. */
  mayRead(file: ShellWord): void;
  /** The same for a file it may change. */
  mayWrite(file: ShellWord): void;
  /** Runs shell code in a shell of its own. */
  script(code: ShellWord, options?: StartOptions): void;
}
