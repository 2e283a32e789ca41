import type { CommandAssignment, CommandDoubt } from "../analysis.js";
import type { ListedNames, ShellWord } from "../words/shell-word.js";

/** The source of a command's standard input, as far as it matters to a shell that reads its script there. */
export type CommandInput =
  | { readonly kind: "none" }
  | {
      readonly kind: "unknown";
      /** It is what is in this file. */
      readonly file?: ShellWord;
      /** It is known to be names of files. */
      readonly names?: ListedNames;
      /** Each line of it is a number or a commit. */
      readonly isPlain?: boolean;
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

/** The way a file or directory is read; by default its content, without what is below a directory. */
export interface ReadHow {
  /** Everything below a directory as well. */
  readonly recursive?: boolean;
  readonly only?: "files" | "names";
  /** Only tracked files: those below, or all of the repository unless another word names a part of it. */
  readonly tracked?: "below" | "all";
}

/** One invocation of a known program: what its words say, and how its analysis reports what they do. */
export interface ProgramCall {
  /** The program's base name. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly input: CommandInput;
  /** It stands in the directory the script starts in, or above. */
  readonly isHome: boolean;
  /** A word names the directory it stands in, whichever that is. */
  isHere(word: ShellWord): boolean;
  /** It does more than read and print. */
  acts(): void;
  /** It does not. Void when anything else reported says more. */
  onlyReads(): void;
  /** Whether what it does is known, though words of it are not. */
  knowsWords(areKnown: boolean): void;
  /** It only reads, if it stands, or is sent, into the repository that the line starts in. */
  onlyReadsInRepository(directory?: ShellWord): void;
  /** It takes settings from the repository of a directory; by default the one it stands in. */
  standsIn(directory: ShellWord | undefined): void;
  /** The same, if none of these files of the project steers it. */
  onlyReadsWithout(files: readonly string[]): void;
  doubt(kind: CommandDoubt["kind"], reason: string): void;
  read(word: ShellWord, how?: ReadHow): void;
  /** To be looked up, since a name among them may be taken for an option. */
  lists(word: ShellWord): void;
  /** It takes settings or code from there. */
  loads(word: ShellWord): void;
  /** The directory it stands in, with all that is below. */
  readDirectory(how?: ReadHow): void;
  write(word: ShellWord, how: "create" | "modify" | "delete", recursive?: boolean): void;
  /** It puts something into a directory, or anywhere below: what, is not in its words. */
  unpacks(word: ShellWord): void;
  network(host: string | null): void;
  /** The text of a file that it runs as code, or of its input; `null` when that is not known. */
  codeIn(file: ShellWord): string | null;
  codeInInput(): string | null;
  /**
   * A text that may be shell code: it counts for rules that deny, if it reads as a command. Returns whether it does.
   */
  mayRun(text: string): boolean;
  /** A word that may name a file the program reads, or a directory it takes whole: it counts for rules that deny. */
  mayRead(word: ShellWord, how?: ReadHow): void;
  /** A word, or the part of one, that may be a path: it counts if it leads out of the workspace. */
  mayReach(word: ShellWord): void;
  /** No file is looked for by this word, whatever it says. */
  isText(word: ShellWord): void;
  /** Whether the word has been reported: as text, as a file, or as a part of what it starts. */
  isReported(word: ShellWord): boolean;
  /** The same for a file it may change, or a directory in which it may. */
  mayWrite(word: ShellWord, recursive?: true): void;
  /** Starts a program with these words. None: nothing. */
  start(words: readonly ShellWord[], options?: StartOptions): void;
  /** Runs shell code in a shell of its own. */
  script(code: ShellWord, options?: StartOptions): void;
}
