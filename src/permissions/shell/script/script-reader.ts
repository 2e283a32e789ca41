import { type Command as ParsedCommand, type ParsedScript, type Pipeline, parse, type SyntaxNode } from "unbash";
import { outsideGrammar } from "../grammar/same-words.js";
import type { ListedNames } from "../names/found-names.js";
import { isPlainXargs, namesPrinted } from "../names/handed-names.js";
import { isPlainText } from "../words/arithmetic.js";
import { Expansions } from "../words/expansions.js";
import { wordsInPipe } from "../words/known-output.js";
import { type Directories, eitherWay, joinDirectories, type Outcome } from "../words/paths.js";
import { ScriptWords } from "../words/script-words.js";
import { Variables } from "../words/variables.js";
import type { WordScope } from "../words/word-scope.js";
import { CommandReader } from "./command-reader.js";
import type { Findings } from "./findings.js";
import { MAX_SCRIPT_DEPTH, tooLarge } from "./limits.js";
import { ScriptFacts } from "./script-facts.js";
import { SetVariables } from "./set-variables.js";
import { type CommandSurroundings, notShown } from "./surroundings.js";
import { containsMove, MOVES, startsItself } from "./syntax.js";

/** What bash would not read the way the parser does: characters that look like spaces or line ends, or are not text. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cs}]/u;
const TOO_MANY = "The script has too many commands to follow each";
const PLAIN_BLANKS = /[\t\n]/g;

/** What a shell starts with. */
export interface ShellStart {
  readonly findings: Findings;
  readonly surroundings: CommandSurroundings;
  readonly home: string | undefined;
  readonly start: string | undefined;
  /** How many scripts it stands inside of. */
  readonly depth: number;
  readonly isDirectory?: ((path: string) => boolean) | undefined;
  /** What `git rev-parse --show-toplevel` prints there. */
  readonly topLevelOf?: ((directory: string) => string | undefined) | undefined;
}

/** Reads one script: follows its structure, and hands each simple command to the `CommandReader`. */
export class ScriptReader {
  readonly findings: Findings;
  readonly home: string | undefined;
  depth: number;
  /** The directory the outermost script starts in. */
  readonly start: string | undefined;
  /** A directory is there when the line starts. */
  readonly isDirectory: (path: string) => boolean;
  readonly topLevelOf: (directory: string) => string | undefined;
  readonly variables: Variables;
  /** Those of them that are set where it stands. */
  readonly set = new SetVariables();
  /** Functions that are surely defined from here on. */
  readonly functions = new Set<string>();
  readonly facts = new ScriptFacts();
  #surroundings: CommandSurroundings;
  /** What is evaluated inside words. */
  readonly expansions: Expansions;
  readonly #words: ScriptWords;
  readonly #commands: CommandReader;

  constructor(shell: ShellStart, parent?: Variables) {
    this.findings = shell.findings;
    this.home = shell.home;
    this.start = shell.start;
    this.depth = shell.depth;
    this.isDirectory = shell.isDirectory ?? (() => false);
    this.topLevelOf = shell.topLevelOf ?? (() => undefined);
    this.variables = new Variables(parent);
    this.#surroundings = shell.surroundings;
    this.#words = new ScriptWords(this);
    this.expansions = new Expansions(this);
    this.#commands = new CommandReader(this);
  }

  get surroundings(): CommandSurroundings {
    return this.#surroundings;
  }

  /** Reads a string as a script. What cannot be parsed in bounded time is kept for a search by words. */
  read(script: string, directories: Directories): Outcome {
    const large = this.depth > MAX_SCRIPT_DEPTH ? "scripts are nested too deep" : tooLarge(script);
    if (large !== null) {
      this.findings.leaveUnparsed(script, `The script was not parsed: ${large}`);
      return { ok: null, fail: null };
    }
    if (ODD_CHARACTERS.test(script.replace(PLAIN_BLANKS, ""))) {
      this.findings.leaveUnparsed(script, "The script holds control characters or characters that are not text");
    }
    const first = this.findings.commands.length;
    let parsed: ParsedScript;
    try {
      parsed = parse(script);
      this.findings.vanishes ||= script.includes("nullglob");
      this.set.mayUnset ||= /\bunset\b/.test(script);
      this.facts.collect(script, parsed);
      this.variables.collect(parsed);
      for (const name of this.variables.hazards) this.findings.environment.add(`"${name}" can change what programs do`);
      const outcome = this.script(parsed, directories);
      if (this.findings.isFull) {
        this.findings.leaveUnparsed(script, TOO_MANY);
        this.findings.outsideGrammar.add(TOO_MANY);
      } else if (!this.#surroundings.impliedByParent) {
        const found = this.findings.commands.slice(first);
        const outside = outsideGrammar(
          script,
          found.flatMap(({ words, surroundings }) => [words, ...surroundings.outer]),
        );
        if (outside !== null) this.outside(outside);
        for (const name of this.variables.notShown) this.outside(notShown(name));
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The call stack is exhausted: bounds on nesting make this rare, not impossible.
      this.findings.leaveUnparsed(script, "The script is nested too deep");
      return { ok: null, fail: null };
    }
  }

  /** Reads a script in the same shell, as `eval` does. */
  readHere(script: string, directories: Directories): Outcome {
    this.depth++;
    const outcome = this.read(script, directories);
    this.depth--;
    return outcome;
  }

  /** Reads a script in a shell of its own, as `bash -c` does. */
  readApart(script: string, directories: Directories, findings: Findings = this.findings): void {
    const { home, start, surroundings, isDirectory, topLevelOf } = this;
    const shell = { findings, home, start, surroundings, depth: this.depth + 1, isDirectory, topLevelOf };
    new ScriptReader(shell, this.variables).read(script, directories);
  }

  /** What stands here is outside of the grammar of lines that run without a rule. */
  outside(reason: string): void {
    if (!this.#surroundings.impliedByParent) this.findings.outsideGrammar.add(reason);
  }

  /** A text whose evaluation as arithmetic runs nothing. */
  isPlain(text: string): boolean {
    return isPlainText(text, this.variables);
  }

  /** Reads what is not in the directory, or on the machine, that the rest is. */
  within<Result>(changed: Partial<CommandSurroundings>, action: () => Result): Result {
    const before = this.#surroundings;
    this.#surroundings = { ...before, ...changed };
    try {
      return action();
    } finally {
      this.#surroundings = before;
    }
  }

  script(script: ParsedScript, directories: Directories): Outcome {
    for (const { message } of script.errors ?? []) this.findings.opaque(`The script is not valid: ${message}`);
    return this.list(script.commands, directories);
  }

  list(statements: readonly SyntaxNode[], directories: Directories): Outcome {
    let outcome: Outcome = { ok: directories, fail: directories };
    let current = directories;
    for (const statement of statements) {
      if (this.findings.isFull) break;
      outcome = this.node(statement, current);
      current = joinDirectories(outcome.ok, outcome.fail);
    }
    return outcome;
  }

  node(node: SyntaxNode, directories: Directories): Outcome {
    const stays: Outcome = { ok: directories, fail: directories };
    switch (node.type) {
      case "Statement":
        if (!node.background) return this.node(node.command, directories);
        this.set.within(() => this.node(node.command, directories));
        return stays;
      case "AndOr":
        return this.#andOr(node.commands, node.operators, directories);
      case "Pipeline":
        return this.#pipeline(node, directories);
      case "CompoundList":
        return this.set.within(() => this.list(node.commands, directories));
      case "BraceGroup":
        return this.node(node.body, directories);
      case "Subshell":
        this.node(node.body, directories);
        return stays;
      case "If":
        return this.#if(node, directories);
      case "While":
        return this.#loop(node, directories, [node.clause, node.body]);
      case "For":
      case "Select":
        this.#commands.listed(node.wordlist ?? [], directories);
        for (const word of node.wordlist ?? []) this.expansions.scan(word, directories);
        return this.set.within(() => {
          this.set.add(node.name.value);
          return this.#loop(node, directories, [node.body]);
        });
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update])
          if (part) this.expansions.arithmetic(part, directories);
        return this.#loop(node, directories, [node.body]);
      case "Case":
        return this.#case(node, directories);
      case "Redirected":
        return this.#redirected(node, directories);
      case "Function":
        return this.#function(node, directories);
      case "Coproc":
        this.node(node.body, directories);
        return stays;
      case "TestCommand":
        this.expansions.test(node.expression, directories);
        return stays;
      case "ArithmeticCommand":
        if (node.expression) this.expansions.arithmetic(node.expression, directories);
        else if (node.body.trim() !== "") this.findings.opaque("An arithmetic expression is not understood");
        return stays;
      case "Command":
        return this.#commands.read(node as ParsedCommand, directories);
      default:
        this.findings.opaque(`"${node.type}" is syntax that this analysis does not know`);
        return { ok: null, fail: null };
    }
  }

  scope(directories: Directories): WordScope {
    return this.#words.at(directories);
  }

  #andOr(commands: readonly SyntaxNode[], operators: readonly string[], directories: Directories): Outcome {
    let outcome = this.node(commands[0]!, directories);
    // Behind `||` it is not known which of them ran.
    const isChain = operators.every((operator) => operator === "&&");
    return this.set.within(() => {
      for (const [index, operator] of operators.entries()) {
        if (this.findings.isFull) break;
        const isAnd = operator === "&&";
        const read = () => this.node(commands[index + 1]!, isAnd ? outcome.ok : outcome.fail);
        const { ok, fail } = isChain ? read() : this.set.within(read);
        outcome = isAnd
          ? { ok, fail: joinDirectories(outcome.fail, fail) }
          : { ok: joinDirectories(outcome.ok, ok), fail };
      }
      return outcome;
    });
  }

  #pipeline(pipeline: Pipeline, directories: Directories): Outcome {
    const { commands, operators, prefixes } = pipeline;
    if (commands.length === 1) {
      const { ok, fail } = this.node(commands[0]!, directories);
      const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      return isNegated ? { ok: fail, fail: ok } : { ok, fail };
    }
    const first = this.findings.commands.length;
    let names: ListedNames | null = null;
    for (const [index, command] of commands.entries()) {
      if (this.findings.isFull) break;
      const input = index === 0 ? this.surroundings.input : this.#words.printed(commands[index - 1]!, directories);
      this.#words.feed(command, names);
      const before = { commands: commands.slice(0, index), operators: operators.slice(0, index), prefixes };
      const takesLines = index > 0 && (command.type === "While" || isPlainXargs(command));
      const plain = takesLines ? this.#words.plainLines(wordsInPipe({ ...pipeline, ...before })) : null;
      this.#words.feedPlain(command, plain);
      const isFed = input.kind === "unknown" && isPlainXargs(command);
      const isNamed = isFed && names !== null && !names.within;
      const isPlain = isFed && plain !== null && plain !== "ref";
      this.within({ input: isNamed ? { ...input, names: names! } : isPlain ? { ...input, isPlain } : input }, () =>
        this.set.within(() => this.node(command, directories)),
      );
      // `|&` passes on what it complains about, too.
      names = operators[index] === "|" ? namesPrinted(command, names, this.#words.handing(directories)) : null;
    }
    this.findings.pipelines.push({ first, end: this.findings.commands.length });
    return { ok: directories, fail: directories };
  }

  #if(node: Extract<SyntaxNode, { type: "If" }>, directories: Directories): Outcome {
    let clause = this.node(node.clause, directories);
    let after = eitherWay(this.node(node.then, clause.ok));
    for (const branch of node.elif) {
      clause = this.node(branch.clause, clause.fail);
      after = joinDirectories(after, eitherWay(this.node(branch.then, clause.ok)));
    }
    after = joinDirectories(after, node.else ? eitherWay(this.node(node.else, clause.fail)) : clause.fail);
    return { ok: after, fail: after };
  }

  /** What moves in a loop moves from wherever the last round left it. */
  #loop(node: SyntaxNode, directories: Directories, bodies: readonly SyntaxNode[]): Outcome {
    const inside = containsMove(node) ? null : directories;
    for (const body of bodies) this.node(body, inside);
    return { ok: inside, fail: inside };
  }

  #redirected(node: Extract<SyntaxNode, { type: "Redirected" }>, directories: Directories): Outcome {
    const mayFail = this.#commands.redirectionsOnly(node.redirects, directories);
    const { ok, fail } = this.node(node.command, directories);
    if (!mayFail) return { ok, fail };
    this.set.previousDirectory = null;
    // `!` in front does not turn round such a failure.
    return { ok: joinDirectories(ok, directories), fail: joinDirectories(fail, directories) };
  }

  #case(node: Extract<SyntaxNode, { type: "Case" }>, directories: Directories): Outcome {
    this.expansions.scan(node.word, directories);
    let after: Directories = directories;
    let entered = directories;
    for (const item of node.items) {
      for (const pattern of item.pattern) this.expansions.pattern(pattern, directories);
      const outcome = eitherWay(this.node(item.body, entered));
      // `;&` goes on with the next one.
      entered =
        item.terminator === ";&" || item.terminator === ";;&" ? joinDirectories(directories, outcome) : directories;
      after = joinDirectories(after, outcome);
    }
    return { ok: after, fail: after };
  }

  #function(node: Extract<SyntaxNode, { type: "Function" }>, directories: Directories): Outcome {
    const name = node.name.value;
    if (node.name.parts?.some((part) => part.type !== "Literal")) {
      this.findings.opaque("The name of a function is not plain");
    }
    // It runs wherever the shell stands when it is called, with whatever input the caller has.
    const moves = this.facts.movesInFunctions || MOVES.has(name);
    this.within({ input: { kind: "unknown" } }, () =>
      this.set.withNone(() => this.node(node.body, moves || this.facts.movesAnywhere ? null : directories)),
    );
    if (startsItself(node.body, name, false)) this.findings.forkBomb = true;
    this.functions.add(name);
    return { ok: directories, fail: directories };
  }
}
