import type { Command, ParsedScript, SyntaxNode } from "unbash";
import type { CommandInput } from "../invocation/program.js";
import type { ListedNames } from "../names/found-names.js";
import { type HandingScope, namesAsWords } from "../names/handed-names.js";
import { lineLoop } from "../names/line-loops.js";
import type { ScriptReader } from "../script/script-reader.js";
import { printsTopLevel } from "./known-output.js";
import type { Directories } from "./paths.js";
import { type CommandWords, type PlainKind, plainOutput } from "./plain-output.js";
import { printedBy } from "./printed.js";
import type { WordScope } from "./word-scope.js";

/** Wildcards that stay below where they start, and represent no option by themselves. */
const WILDCARDS = /^(?:\.\/|\/)?(?:[\w@+*?][\w.@+*?-]*\/)*[\w@+*?][\w.@+*?-]*$/;

/** Output of commands among the words of commands whose output is asked for, and so on: no deeper than this is looked into. */
const MAX_OUTPUTS = 2;

/** What the words of a script may represent: its variables, and what its commands print. */
export class ScriptWords {
  readonly #script: ScriptReader;
  /** What the `read` of a loop is fed with. */
  readonly #lines = new Map<SyntaxNode, ListedNames>();
  /** What each line is that such a `read` takes. */
  readonly #plain = new Map<SyntaxNode, PlainKind>();
  #outputs = 0;

  constructor(script: ScriptReader) {
    this.#script = script;
  }

  /** What words are read with where the shell stands in these directories. */
  at(directories: Directories): WordScope {
    const script = this.#script;
    return {
      home: script.shell.home,
      directory: directories?.length === 1 ? directories[0] : undefined,
      isSet: (name) => script.set.has(name),
      vanishes: script.findings.vanishes,
      valuesOf: (name) => script.variables.valuesOf(name),
      allValuesOf: (name) => script.variables.allValuesOf(name),
      changes: (name) => script.variables.changes(name),
      topLevelBy: (output) => this.#topLevel(output, directories),
      topLevelIn: (name) => {
        const output = script.set.has(name) ? script.variables.outputIn(name) : null;
        return output ? this.#topLevel(output, script.expansions.directoriesOf(output)) : undefined;
      },
      isDirectory: script.shell.isDirectory,
      listedBy: (output) => this.#ofOutput(() => namesAsWords(output, this.handing(directories))),
      listedIn: (name, isQuoted) => {
        // What was listed in one directory and is read in another is not followed.
        if (script.facts.movesLater) return null;
        const output = script.variables.outputIn(name);
        if (output) {
          const scope = this.handing(script.expansions.directoriesOf(output));
          return this.#ofOutput(() => namesAsWords(output, scope));
        }
        const matched = this.#matchedBy(name);
        if (matched && !isQuoted) return matched;
        // In quotes a name is one word, which an option could be only if the wildcard is at its start.
        if (matched?.patterns.some((pattern) => /^[*?]/.test(pattern)))
          return { ...matched, nul: true, expands: false };
        const reader = script.variables.readerOf(name);
        const lines = reader && this.#lines.get(reader);
        if (!lines || isQuoted) return lines ?? null;
        return this.#mayResplit ? null : { ...lines, nul: false, expands: true };
      },
      plainOutputOf: (output) => (this.#mayResplit ? null : script.variables.printedBy(output)),
      plainIn: (name) => (this.#mayResplit ? null : this.#plainIn(name)),
      takesRefs: () => {
        script.findings.takesRefs = true;
      },
      printedBy: ({ commands }) => {
        const [node] = commands;
        if (commands.length !== 1 || node?.command.type !== "Command") return [];
        const text = this.#ofOutput(() => printedBy(node.command as Command, this.at(directories)));
        return text === null ? [] : [text.trimEnd()];
      },
    };
  }

  /** Where the working tree begins, when a script prints that: the same one for all directories it may run in. */
  #topLevel(output: ParsedScript, directories: Directories): string | undefined {
    const script = this.#script;
    if (!printsTopLevel(output) || script.facts.functionNames.has("git")) return undefined;
    const [top, ...others] = (directories ?? []).map(script.shell.topLevelOf);
    return others.every((each) => each === top) ? top : undefined;
  }

  /** Each level asks for the output of the next one more than once, so that without an end the time doubles with each. */
  #ofOutput<Answer>(find: () => Answer | null): Answer | null {
    if (this.#outputs >= MAX_OUTPUTS) return null;
    this.#outputs++;
    try {
      return find();
    } finally {
      this.#outputs--;
    }
  }

  #plainIn(name: string): PlainKind | null {
    const { variables } = this.#script;
    const reader = variables.readerOf(name);
    return reader ? (this.#plain.get(reader) ?? null) : variables.plainIn(name);
  }

  /** The names in a variable that the line gives nothing but wildcards, as `for f in src/*.ts` does. */
  #matchedBy(name: string): ListedNames | null {
    const values = this.#script.variables.allValuesOf(name);
    if (values === null || this.#mayResplit || this.#script.findings.vanishes) return null;
    if (!values.every((value) => WILDCARDS.test(value) && /[*?]/.test(value))) return null;
    return { patterns: values, nul: false, from: "shell", expands: true, namesOnly: true, skips: [] };
  }

  /** What names that are passed on depend on. */
  handing(directories: Directories): HandingScope {
    const script = this.#script;
    return {
      words: this.at(directories),
      directories,
      isFunction: (name) => script.facts.functionNames.has(name),
      mayResplit: this.#mayResplit,
    };
  }

  get #mayResplit(): boolean {
    const script = this.#script;
    return script.facts.splitsAnywhere || script.variables.changes("IFS");
  }

  /** Names that are piped into a loop which takes them line by line. */
  feed(node: SyntaxNode, names: ListedNames | null): void {
    const loop = names && node.type === "While" ? lineLoop(node) : null;
    if (loop && names && loop.nul === names.nul) this.#lines.set(loop.read, names);
  }

  /** The same for numbers, commits and refs that the commands before it print. */
  feedPlain(node: SyntaxNode, output: PlainKind | null): void {
    const loop = output && node.type === "While" ? lineLoop(node) : null;
    if (loop && !loop.nul && output) this.#plain.set(loop.read, output);
  }

  /** What each line is that the commands of a pipe print. */
  plainLines(pipe: readonly CommandWords[] | null): PlainKind | null {
    const isOurs = !pipe?.some(([program]) => this.#script.facts.functionNames.has(program ?? ""));
    return (pipe && isOurs && plainOutput(pipe)?.kind) || null;
  }

  /** What a command in a pipe hands to the next one, when that is plain to see. */
  printed(node: SyntaxNode, directories: Directories): CommandInput {
    const text = node.type === "Command" ? printedBy(node as Command, this.at(directories)) : null;
    return text === null ? { kind: "unknown" } : { kind: "text", text };
  }
}
