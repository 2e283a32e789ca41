import type { Command, ParsedScript, SyntaxNode } from "unbash";
import type { CommandInput } from "../invocation/program.js";
import type { ListedNames } from "../names/found-names.js";
import { type HandingScope, namesAsWords } from "../names/handed-names.js";
import type { ScriptReader } from "../script/script-reader.js";
import { printsTopLevel } from "./known-output.js";
import type { Directories } from "./paths.js";
import { printedBy } from "./printed.js";
import type { WordScope } from "./word-scope.js";

/** Wildcards that stay below where they start, and represent no option by themselves. */
const WILDCARDS = /^(?:\.\/|\/)?(?:[\w@+*?][\w.@+*?-]*\/)*[\w@+*?][\w.@+*?-]*$/;

/** Output of commands among the words of commands whose output is asked for, and so on: no deeper than this is looked into. */
const MAX_OUTPUTS = 2;

/** What the words of a script may represent: its variables, and what its commands print. */
export class ScriptWords {
  readonly #script: ScriptReader;
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
        const mayBeOption = matched?.patterns.some((pattern) => /^[*?]/.test(pattern));
        return matched && mayBeOption ? { ...matched, nul: true, expands: false } : null;
      },
      plainOutputOf: (output) => (this.#mayResplit ? null : script.variables.printedBy(output)),
      plainIn: (name) => (this.#mayResplit ? null : script.variables.plainIn(name)),
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

  /** What a command in a pipe hands to the next one, when that is plain to see. */
  printed(node: SyntaxNode, directories: Directories): CommandInput {
    const text = node.type === "Command" ? printedBy(node as Command, this.at(directories)) : null;
    return text === null ? { kind: "unknown" } : { kind: "text", text };
  }
}
