import type { CommandAssignment, CommandDoubt } from "../analysis.js";
import type { ListedNames } from "../names/found-names.js";
import type { ShellWord } from "../words/shell-word.js";
import type { OptionRole } from "./options.js";

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
  readonly role: OptionRole;
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
  /** It starts in this directory instead of the current one. */
  readonly directory?: ShellWord | undefined;
  /** It starts in a directory that is not known. */
  readonly elsewhere?: boolean | undefined;
  /** It runs on another machine: its paths are not ours. */
  readonly remote?: boolean | undefined;
  /** To allow the outer program is to allow whatever it starts. */
  readonly impliedByParent?: boolean | undefined;
  /** It reads what the outer program would have read. */
  readonly keepsInput?: boolean | undefined;
  /** Variables it gets. */
  readonly assignments?: readonly CommandAssignment[] | undefined;
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
  /** The same, if none of these files of the project steers it. */
  onlyReadsWithout(files: readonly string[]): void;
  doubt(kind: CommandDoubt["kind"], reason: string, like?: string): void;
  read(file: ShellWord, how?: ReadHow): void;
  /** It takes settings or code from there. */
  loads(file: ShellWord): void;
  /** To be looked up, since a name among them may be taken for an option. */
  lists(names: ShellWord): void;
  /** The directory it stands in, with all that is below. */
  readDirectory(how?: ReadHow): void;
  write(file: ShellWord, how: "create" | "modify" | "delete", recursive?: boolean): void;
  /** It puts something into a directory, or anywhere below: what, is not in its words. */
  unpacks(directory: ShellWord): void;
  network(host: string | null): void;
  /** Starts a program with these words. None: nothing. */
  start(words: readonly ShellWord[], options?: StartOptions): void;
  /** A text that may be shell code the program runs: it counts for rules that deny, if it reads as a command. */
  mayRun(text: string): void;
  /** A word that may name a file the program reads, or a directory it takes whole: it counts for rules that deny. */
  mayRead(file: ShellWord, how?: ReadHow): void;
  /** The same for a file it may change. */
  mayWrite(file: ShellWord): void;
  /** Runs shell code in a shell of its own. */
  script(code: ShellWord, options?: StartOptions): void;
}
