// The interfaces between the parts of a script's reading, without the classes that do it.
import type { ParsedScript, SyntaxNode } from "unbash";
import type { CommandAssignment } from "../analysis.js";
import type { StartOptions } from "../invocation/program-call.js";
import type { Directories, ListedNames, Outcome, ShellWord } from "../words/shell-word.js";
import type { SetVariables, Variables } from "../words/variables.js";
import type { CommandDraft, Findings, ScriptFacts } from "./findings.js";
import type { CommandSurroundings } from "./surroundings.js";

/** The state a shell starts with. */
export interface ShellStart {
  readonly findings: Findings;
  readonly surroundings: CommandSurroundings;
  readonly home: string | undefined;
  readonly temporary: string | undefined;
  readonly start: string | undefined;
  /** The number of scripts it stands inside of. */
  readonly depth: number;
  /** A directory is there when the line starts. */
  readonly isDirectory: (path: string) => boolean;
  /** The text of a file that is given as code. */
  readonly textOf: (path: string) => string | undefined;
  /** The output of `git rev-parse --show-toplevel` there. */
  readonly topLevelOf: (directory: string) => string | undefined;
}

/** A script while it is read. */
export interface ShellScript {
  readonly shell: ShellStart;
  readonly findings: Findings;
  readonly variables: Variables;
  /** The variables that are set where it stands. */
  readonly set: SetVariables;
  /** Functions that are surely defined from here on. */
  readonly functions: Set<string>;
  readonly facts: ScriptFacts;
  readonly surroundings: CommandSurroundings;
  /** The evaluation inside words. */
  readonly expansions: Evaluation;
  /** The number of nested outputs whose words are being read. */
  readonly outputs: { open: number };
  /** The names of files that a `read` takes from a pipe, one at a time. */
  readonly namesRead: Map<SyntaxNode, ListedNames>;
  /** Reads a script in the same shell, as `eval` does. */
  readHere(script: string, directories: Directories): Outcome;
  /** Reads a script in a shell of its own, as `bash -c` does. */
  readApart(script: string, directories: Directories, findings?: Findings): void;
  /** The text here is outside of the grammar of lines that run without a rule. */
  outside(reason: string): void;
  /** A text whose evaluation as arithmetic runs nothing. */
  isPlain(text: string): boolean;
  /** Reads what is not in the directory, or on the machine, that the rest is. */
  within<Result>(changed: Partial<CommandSurroundings>, action: () => Result): Result;
  script(script: ParsedScript, directories: Directories): Outcome;
  node(node: SyntaxNode, directories: Directories): Outcome;
}

/** Follows what the shell evaluates inside words: substitutions, arithmetic, and expansions that take text for code. */
export interface Evaluation {
  /** Follows what stands inside words: substitutions, arithmetic, and expansions that evaluate text. */
  scan(node: SyntaxNode, directories: Directories): void;
  /** A text that names a variable for a builtin: an index in it is evaluated. */
  variableName(word: ShellWord): void;
  /** Patterns of `case` and `[[` are extended always. */
  pattern(node: SyntaxNode, directories: Directories): void;
  /** The directories a substitution runs in; `null` when it has not been read yet, or more than once. */
  directoriesOf(substitution: ParsedScript): Directories;
}

/** A redirection, as far as its target or its text is known. */
export interface ReadRedirect {
  readonly operator: string;
  readonly target: ShellWord | null;
  readonly text: string | null;
}

/** A simple command on its way through the wrappers. */
export interface Invocation {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirects: readonly ReadRedirect[];
  readonly directories: Directories;
}

/** Follows the words of simple commands: through functions, builtins and wrappers, down to what each program does. */
export interface Follower {
  /** Runs a builtin, a wrapper or a program, whatever functions there are. */
  runPastFunctions(invocation: Invocation): Outcome;
  /** Runs words as a program, never as a builtin that acts on the shell itself. */
  start(invocation: Invocation): void;
  /** A program with these words, which a command starts on behalf of the shell. */
  startInside(draft: CommandDraft, words: readonly ShellWord[], at: Directories, options?: StartOptions): void;
  /** The same for code that a shell of its own reads: as it stands, or all it may be. */
  readInside(draft: CommandDraft, code: ShellWord, at: Directories, options?: StartOptions): void;
  /** The same for a text, if it reads as code: for rules that deny. Returns whether it does. */
  mayRun(draft: CommandDraft, text: string, at: Directories): boolean;
}
