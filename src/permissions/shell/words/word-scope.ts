import type { Command, ParsedScript, SyntaxNode } from "unbash";
import type { CommandInput } from "../invocation/program-call.js";
import { namesAsWords } from "../names/listed-names.js";
import type { ShellScript } from "../script/script.js";
import { hereDocumentOf, printsPlace, printsTopLevel } from "./known-output.js";
import type { PlainKind, PlainOutput } from "./plain-output.js";
import { readPlain, readWord } from "./read-word.js";
import type { Directories, ListedNames, ShellWord } from "./shell-word.js";
import type { Variables } from "./variables.js";

/** Wildcards that stay below where they start, and represent no option by themselves. */
const WILDCARDS = /^(?:\.\/|\/)?(?:[\w@+*?][\w.@+*?-]*\/)*[\w@+*?][\w.@+*?-]*$/;

/** Output of commands among the words of commands, and so on: no deeper than this is looked into. */
const MAX_OUTPUTS = 2;

/** The context for reading words in some directories: variables, and the output of commands. */
export class WordScope {
  readonly directories: Directories;
  readonly variables: Variables;
  readonly #script: ShellScript;

  constructor(script: ShellScript, directories: Directories) {
    this.directories = directories;
    this.variables = script.variables;
    this.#script = script;
  }

  get home(): string | undefined {
    return this.#script.shell.home;
  }

  get temporary(): string | undefined {
    return this.#script.shell.temporary;
  }

  /** The current directory when there is exactly one it can be. */
  get directory(): string | undefined {
    return this.directories?.length === 1 ? this.directories[0] : undefined;
  }

  /** Wildcards that represent nothing may vanish. */
  get vanishes(): boolean {
    return this.#script.findings.vanishes;
  }

  /** The script may change where the shell splits what a command prints. */
  get mayResplit(): boolean {
    return this.#script.facts.splitsAnywhere || this.variables.changes("IFS");
  }

  /** The variable is set before the word is read. */
  isSet(name: string): boolean {
    return this.#script.set.has(name);
  }

  /** A directory is there when the line starts. */
  isDirectory(path: string): boolean {
    return this.#script.shell.isDirectory(path);
  }

  /** A function, not a program. */
  isFunction(name: string): boolean {
    return this.#script.facts.functionNames.has(name);
  }

  /** Names of branches or tags become words. */
  takesRefs(): void {
    this.#script.findings.takesRefs = true;
  }

  /** The directory in which the working tree begins, when that is what a script prints. */
  topLevelBy(output: ParsedScript): string | undefined {
    if (!printsTopLevel(output) || this.isFunction("git")) return undefined;
    const [top, ...others] = (this.directories ?? []).map(this.#script.shell.topLevelOf);
    return others.every((each) => each === top) ? top : undefined;
  }

  /** The same for a variable that holds that, or what `pwd` printed. */
  topLevelIn(name: string): string | undefined {
    const output = this.isSet(name) ? this.variables.outputIn(name) : null;
    if (!output) return undefined;
    const scope = this.#whereRun(output);
    return printsPlace(output) && !this.isFunction("pwd") && !this.variables.changes("PWD")
      ? scope.directory
      : scope.topLevelBy(output);
  }

  /** The names of files that a script lists, when it does nothing else. */
  listedBy(output: ParsedScript): ListedNames | null {
    return this.#ofOutput(() => namesAsWords(output, this));
  }

  /** The same for a variable that holds them, or one of them. */
  listedIn(name: string, isQuoted: boolean): ListedNames | null {
    // A list from one directory that is read in another is not followed.
    if (this.#script.facts.movesLater) return null;
    const output = this.variables.outputIn(name);
    if (output) return this.#whereRun(output).listedBy(output);
    const reader = this.variables.readerOf(name);
    const read = reader && this.#script.namesRead.get(reader);
    if (read) return isQuoted ? read : null;
    const matched = this.#matchedBy(name);
    if (!isQuoted) return matched;
    // In quotes a name is one word, which an option could be only if the wildcard is at its start.
    const mayBeOption = matched?.patterns.some((pattern) => /^[*?]/.test(pattern));
    return matched && mayBeOption ? { ...matched, nul: true, expands: false } : null;
  }

  /** A script's output, when that is surely numbers, commits or names of branches and tags. */
  plainOutputOf(output: ParsedScript): PlainOutput | null {
    return this.mayResplit ? null : this.variables.printedBy(output);
  }

  /** The same for a variable whose value is always one word of such, or nothing. */
  plainIn(name: string): PlainKind | null {
    return this.mayResplit ? null : this.variables.plainIn(name);
  }

  /** A script's output, as far as that is plain to see. */
  printedBy({ commands }: ParsedScript): readonly string[] {
    const [node] = commands;
    if (commands.length !== 1 || node?.command.type !== "Command") return [];
    const text = this.#ofOutput(() => printedBy(node.command as Command, this));
    return text === null ? [] : [text.trimEnd()];
  }

  /** A pipe's input to the next command, when that is plain to see. */
  inputFrom(node: SyntaxNode): CommandInput {
    const text = node.type === "Command" ? printedBy(node as Command, this) : null;
    if (text !== null) return { kind: "text", text };
    const file = node.type === "Command" ? fileShownBy(node as Command, this) : undefined;
    return { kind: "unknown", ...(file && { file }) };
  }

  #whereRun(output: ParsedScript): WordScope {
    return new WordScope(this.#script, this.#script.expansions.directoriesOf(output));
  }

  /** Each level asks for the output of the next one more than once: without an end the time doubles with each. */
  #ofOutput<Answer>(find: () => Answer | null): Answer | null {
    const { outputs } = this.#script;
    if (outputs.open >= MAX_OUTPUTS) return null;
    outputs.open++;
    try {
      return find();
    } finally {
      outputs.open--;
    }
  }

  /** The names in a variable that the line gives nothing but wildcards, as `for f in src/*.ts` does. */
  #matchedBy(name: string): ListedNames | null {
    const values = this.variables.allValuesOf(name);
    if (values === null || this.mayResplit || this.vanishes) return null;
    if (!values.every((value) => WILDCARDS.test(value) && /[*?]/.test(value))) return null;
    return { patterns: values, nul: false, from: "shell", expands: true, namesOnly: true, skips: [] };
  }
}

// ── texts that a command prints ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Output of a plain `echo`, `printf` or `cat` with a here-document, for a shell that reads it from a pipe; `null` when
 * that is not known to the letter.
 */
export function printedBy(command: Command, scope: WordScope): string | null {
  const program = command.name?.text;
  if (command.prefix.length > 0 || program === undefined) return null;
  if (program === "cat") return hereDocumentOf(command);
  if (command.redirects.length > 0) return null;
  if (program === "pwd" && command.suffix.length === 0)
    return scope.directory === undefined ? null : `${scope.directory}\n`;
  const words = command.suffix.flatMap((part) => (part.type === "Word" ? readWord(part, scope) : []));
  if (command.suffix.some(({ type }) => type !== "Word")) return null;
  const texts = words.map(({ value }) => value);
  if (!texts.every((text): text is string => text !== null)) return null;
  if (program === "echo") return echoed(texts);
  return program === "printf" ? formatted(texts) : null;
}

/** Shells differ in what they do with a backslash. */
function echoed(texts: readonly string[]): string | null {
  const words = texts[0] === "-n" ? texts.slice(1) : texts;
  const text = words.join(" ");
  return /\\[abcefnrtvx0\\]/.test(text) || words[0]?.startsWith("-") ? null : `${text}\n`;
}

function formatted([format = "", ...values]: readonly string[]): string | null {
  if (format.startsWith("-")) return null;
  const text = format.replaceAll("\\n", "\n");
  if (text.includes("\\")) return null;
  if (!text.includes("%")) return text;
  return /^%s\n?$/.test(text) ? values.map((value) => text.replace("%s", () => value)).join("") : null;
}

/** The one file whose content a command prints, and nothing else. */
function fileShownBy(node: Command, scope: WordScope): ShellWord | undefined {
  const [file, ...others] = node.suffix;
  const isPlain =
    node.name?.text === "cat" && !scope.isFunction("cat") && node.prefix.length + node.redirects.length === 0;
  return isPlain && file?.type === "Word" && others.length === 0 ? readPlain(file, scope) : undefined;
}
