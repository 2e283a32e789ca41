import { forEachChild, type ParsedScript, parse, type SyntaxNode, type While, type Word } from "unbash";
import { longPattern } from "../../long-pattern.js";
import { isHazardous } from "./environment.js";
import { pipeOf } from "./known-output.js";
import { isNumeric, literalChoices, literalValue, STATUS, substitutionIn } from "./literal-value.js";
import { type CommandWords, type PlainOutput, plainOutput } from "./plain-output.js";

const NAMING_BUILTINS = new Set(
  "read mapfile readarray printf getopts declare typeset local export readonly wait".split(" "),
);
/** Variables that may hold something before the script sets them, or that the shell itself sets. */
const SET_BY_OTHERS = longPattern`^(?:[a-z]+_proxy|npm_.*|_|HOME|PWD|OLDPWD|PATH|USER\w*|LOGNAME|SHELL\w*|TMPDIR|TE?MP|
  MAIL\w*|LANG\w*|LC_.*|TERM\w*|HOST\w*|SHLVL|BASH.*|XDG_.*|NODE.*|NVM.*|NPM_.*|CI|EDITOR|PAGER|VISUAL|DISPLAY|SSH_.*|
  GIT_.*|GITHUB_.*|RUNNER_.*|REPLY|OPT\w+|MAPFILE|COPROC\w*|DIRSTACK|FUNCNAME|LINENO|RANDOM|SRANDOM|SECONDS|EPOCH\w+|
  PIPESTATUS|GROUPS|E?UID|PPID|COLUMNS|LINES|MACHTYPE|OSTYPE|VIRTUAL_ENV|JAVA_.*|GO\w+|CARGO_.*|RUSTUP_.*|PYTHON.*|
  CONDA.*)$`;
/** A value that is one word wherever it stands, and not an option. */
const PLAIN_VALUE = /^[\w.@/][\w.,:+/@%=~^-]*$/;
const MAX_VALUES = 32;
/** A variable assigned more often is not followed. */
const MAX_ASSIGNMENTS = 32;

/** So many letters may stand in front of a name in one word of options. */
const MAX_FLAGS = 8;

/** A script's assignments to its variables, wherever in it: the order is not followed. */
export class Variables {
  /** Variables that choose what programs do, and that a loop, an expression, or a redirection may set. */
  readonly hazards = new Set<string>();
  /** Variables that arithmetic evaluates, and that the script gives no value. */
  readonly notShown = new Set<string>();
  /** They start at a number and are counted: `for ((i = 0; …))`. */
  readonly #counters = new Set<string>();
  readonly #words = new Map<string, Word[]>();
  /** Variables that may hold anything, and the `read` that fills each when nothing else does. */
  readonly #unknown = new Map<string, SyntaxNode | null>();
  /** The kind of each line that such a `read` takes from a pipe. */
  readonly #lines = new Map<SyntaxNode, PlainOutput["kind"]>();
  /** Words of which each part without quotes is a value of its own, as in `for x in $(seq 3)`. */
  readonly #lists = new Set<Word>();
  readonly #functions = new Set<string>();
  readonly #printed = new WeakMap<ParsedScript, PlainOutput | null>();
  /** `IFS=, read`: set for that command alone. */
  readonly #passing = new Set<SyntaxNode>();
  readonly #parent: Variables | undefined;
  #anything = false;

  constructor(parent?: Variables) {
    this.#parent = parent;
  }

  /** Adds what a script assigns. */
  collect(node: SyntaxNode): void {
    switch (node.type) {
      case "Assignment":
        if (this.#passing.has(node)) return;
        if (node.append || node.value.type === "ArrayValue") this.#fill(node.name);
        if (node.value.type === "Word") this.#add(node.name, node.value);
        else for (const element of node.value.elements) this.#add(node.name, element);
        break;
      case "For":
      case "Select":
        if (!node.wordlist || node.type === "Select") this.#fill(node.name.value);
        for (const word of node.wordlist ?? []) {
          this.#add(node.name.value, word);
          this.#lists.add(word);
        }
        this.#setBySyntax(node.name.value);
        break;
      case "Function":
        this.#functions.add(node.name.value);
        break;
      case "ArithmeticFor":
        if (node.initialize?.type === "ArithmeticBinary" && node.initialize.left.type === "ArithmeticWord")
          this.#counters.add(node.initialize.left.value);
        break;
      case "ArithmeticWord":
        this.#setBySyntax(node.value, "0");
        break;
      case "Redirect":
        if (node.descriptor?.type === "FileDescriptorVariable") {
          this.#fill(node.descriptor.name);
          this.#setBySyntax(node.descriptor.name, "0");
        }
        break;
      case "Coproc":
        if (node.name) {
          this.#fill(node.name.value);
          this.#setBySyntax(node.name.value);
        }
        break;
      case "ParameterExpansion":
        if (node.operation?.type === "Default") {
          this.#add(node.parameter, node.operation.operand);
          if (node.operation.operator.endsWith("=")) this.#setBySyntax(node.parameter);
        }
        break;
      case "Command":
        if (node.name?.text === "read") {
          for (const each of node.prefix)
            if (each.type === "Assignment" && each.name === "IFS") this.#passing.add(each);
        }
        this.#collectCommand(node.name?.value, node.args, node);
        break;
      default:
    }
    forEachChild(node, (child) => this.collect(child));
  }

  /** The literal values it is given. */
  valuesOf(name: string): readonly string[] {
    // Whichever shell it is, it runs what it is given.
    if (name === "SHELL" && !this.changes(name)) return ["bash"];
    const values = (this.#words.get(name) ?? []).slice(0, MAX_VALUES).flatMap((word) => literalValue(word) ?? []);
    return values.length > 0 ? values.slice(0, MAX_VALUES) : (this.#parent?.valuesOf(name) ?? []);
  }

  /** All the values it can have, wildcards left in; `null` when the script alone does not say. */
  allValuesOf(name: string): readonly string[] | null {
    if (SET_BY_OTHERS.test(name) || this.#anything || this.#unknown.has(name)) return null;
    const words = this.#words.get(name) ?? [];
    if (words.length === 0 || words.length > MAX_VALUES) return null;
    const values = words.flatMap((word) => (this.#lists.has(word) && literalChoices(word)) || literalValue(word));
    const isKnown = values.length <= MAX_VALUES && values.every((value) => value !== null && !value.startsWith("~"));
    return isKnown ? (values as string[]) : null;
  }

  /** The script whose output is all it can hold, or one word of it; `null` when there is no such. */
  outputIn(name: string): ParsedScript | null {
    if (SET_BY_OTHERS.test(name) || this.#anything || this.#unknown.has(name)) return null;
    const [word, ...others] = this.#words.get(name) ?? [];
    if (!word || others.length > 0) return null;
    // `for f in $files`: one word of what another variable holds.
    const passed = this.#lists.has(word) ? /^\$(\w+)$/.exec(word.text)?.[1] : undefined;
    return passed !== undefined && passed !== name && !this.#lists.has(this.#words.get(passed)?.[0] ?? word)
      ? this.outputIn(passed)
      : substitutionIn(word);
  }

  /** A script's output, when that is surely plain. */
  printedBy(script: ParsedScript): PlainOutput | null {
    if (this.#anything) return null;
    const known = this.#printed.get(script);
    if (known !== undefined) return known;
    const output = this.printedInto(pipeOf(script));
    this.#printed.set(script, output);
    return output;
  }

  /** The same for what commands in a pipe write. */
  printedInto(pipe: readonly CommandWords[] | null): PlainOutput | null {
    return pipe && !pipe.some(([program]) => this.#functions.has(program ?? "")) ? plainOutput(pipe) : null;
  }

  /** The kind of a variable's values when each is one plain word, or nothing; `null` when it may hold anything else. */
  plainIn(name: string): PlainOutput["kind"] | null {
    if (SET_BY_OTHERS.test(name) || this.#anything) return null;
    if (this.#unknown.has(name)) return this.#lines.get(this.readerOf(name)!) ?? null;
    const words = this.#words.get(name) ?? [];
    if (words.length === 0 || words.length > MAX_ASSIGNMENTS) return null;
    const kinds = words.map((word) => this.#kindOf(word));
    if (!kinds.every((kind) => kind !== null)) return null;
    return kinds.find((kind) => kind === "ref") ?? kinds.find((kind) => kind === "commit") ?? "number";
  }

  #kindOf(word: Word): PlainOutput["kind"] | null {
    const { parts } = word;
    const text = literalValue(word);
    if (text !== null) return PLAIN_VALUE.test(text) && !/[*?[]/.test(text) ? "commit" : null;
    const [part, ...others] = parts ?? [];
    if (others.length > 0 || !part) return null;
    if (part.type === "ArithmeticExpansion") return "number";
    if (part.type === "SimpleExpansion" && STATUS.test(part.text)) return "number";
    if (part.type === "BraceExpansion") return /^\{\d+\.\.\d+\}$/.test(part.text) ? "number" : null;
    const script = substitutionIn(word);
    const output = script && this.printedBy(script);
    const isSplit = this.#lists.has(word) && part.type === "CommandExpansion";
    return output && (output.isOne || isSplit) ? output.kind : null;
  }

  /**
   * A pipe that a loop takes line by line: `seq 3 | while read -r i; do …; done`. A command inside may take a part of a
   * line away; what is left of a number or a commit is like one, and of other names it need not be.
   */
  feed({ clause }: While, pipe: readonly CommandWords[] | null): void {
    const [statement, ...others] = clause.commands;
    const read = statement?.command;
    if (read?.type !== "Command" || others.length > 0 || statement!.background || read.redirects.length > 0) return;
    const kind = this.printedInto(pipe)?.kind;
    const words = [read.name, ...read.suffix].map((part) => (part && "text" in part ? part.text : "?"));
    if (/^read(?: -r)? [A-Za-z_]\w*$/.test(words.join(" ")) && kind && kind !== "ref") this.#lines.set(read, kind);
  }

  /** The `read` that alone fills a variable. */
  readerOf(name: string): SyntaxNode | null {
    if (SET_BY_OTHERS.test(name) || this.#anything || this.#words.has(name)) return null;
    return this.#unknown.get(name) ?? null;
  }

  changes(name: string): boolean {
    return this.#anything || this.#unknown.has(name) || this.#words.has(name) || (this.#parent?.changes(name) ?? false);
  }

  /** Every value it is given is a number, so that evaluating it in arithmetic runs nothing. */
  isNumber(name: string): boolean {
    if (this.#anything || this.#unknown.has(name)) return false;
    const words = this.#words.get(name) ?? [];
    if (words.length === 0 && !this.#counters.has(name)) this.notShown.add(name);
    return (
      words.length <= MAX_ASSIGNMENTS &&
      words.every((word) => this.#isNumeric(word)) &&
      (words.length > 0 || (this.#parent?.isNumber(name) ?? true))
    );
  }

  #isNumeric(word: Word): boolean {
    const script = substitutionIn(word);
    return script ? this.printedBy(script)?.kind === "number" : isNumeric(word);
  }

  #setBySyntax(name: string, value: string | null = null): void {
    if (isHazardous(name, value)) this.hazards.add(name);
  }

  #add(name: string, word: Word): void {
    const words = this.#words.get(name);
    if (words) words.push(word);
    else this.#words.set(name, [word]);
  }

  #fill(name: string, reader: SyntaxNode | null = null): void {
    this.#unknown.set(name, this.#unknown.has(name) ? null : reader);
  }

  #collectCommand(name: string | undefined, args: readonly SyntaxNode[], node: SyntaxNode): void {
    if (name === "eval" || name === "source" || name === ".") this.#anything = true;
    if (name === "trap" || (args[0]?.type === "Word" && args[0].value === "trap")) this.#collectTrap(args);
    if (name === undefined || !/^(?:builtin|command|\w+)$/.test(name)) return;
    if (!NAMING_BUILTINS.has(name) && name !== "builtin" && name !== "command") return;
    for (const word of args) {
      if (word.type !== "Word") continue;
      const variable = /^[A-Za-z_]\w*/.exec(word.value)?.[0];
      if (variable !== undefined) this.#fill(variable, name === "read" ? node : null);
      // `printf -vname`, `read -raname`
      const attached = /^-[a-zA-Z](\w+)/.exec(word.value)?.[1] ?? "";
      for (let at = 0; at < Math.min(attached.length, MAX_FLAGS); at++) this.#fill(attached.slice(at));
    }
  }

  /** A trap's assignments may happen before any command. */
  #collectTrap(args: readonly SyntaxNode[]): void {
    for (const word of args.slice(0, 3)) {
      const text = word.type === "Word" ? literalValue(word) : null;
      if (text === null) this.#anything = true;
      else if (/[=\s]/.test(text)) this.collect(parse(text));
    }
  }
}

/** The variables that are surely set at the place where a script is being read. The others may be empty there. */
export class SetVariables {
  readonly #names: string[] = [];
  /** The script may take any of them away again. */
  mayUnset = false;

  has(name: string): boolean {
    return !this.mayUnset && this.#names.includes(name);
  }

  add(name: string): void {
    if (!this.#names.includes(name)) this.#names.push(name);
  }

  /** For a part that may not run, or that runs in a shell of its own: what it sets counts only inside of it. */
  within<Result>(part: () => Result): Result {
    const before = this.#names.length;
    try {
      return part();
    } finally {
      this.#names.length = before;
    }
  }

  /** For a function: where it is called is not followed. */
  withNone<Result>(part: () => Result): Result {
    const names = this.#names.splice(0);
    try {
      return part();
    } finally {
      this.#names.splice(0, this.#names.length, ...names);
    }
  }
}
