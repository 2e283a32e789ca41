import {
  type Command as ParsedCommand,
  type ParsedScript,
  type Pipeline,
  parse,
  type SyntaxNode,
  type While,
} from "unbash";
import { readByGrammar } from "../grammar/grammar.js";
import { isPlainXargs, namesPrinted } from "../names/listed-names.js";
import { readOfNames } from "../names/name-loops.js";
import { isPlainText } from "../words/arithmetic.js";
import { Expansions } from "../words/expansions.js";
import { wordsInPipe } from "../words/known-output.js";
import type { CommandWords } from "../words/plain-output.js";
import {
  type Directories,
  joinDirectories,
  type ListedNames,
  type Outcome,
  type ShellWord,
} from "../words/shell-word.js";
import { SetVariables, Variables } from "../words/variables.js";
import { WordScope } from "../words/word-scope.js";
import { CommandReader } from "./command-reader.js";
import { readCase, readFunction, readIf, readList } from "./compound-commands.js";
import { containsMove, type Findings, MAX_SCRIPT_DEPTH, ScriptFacts, tooLarge } from "./findings.js";
import type { ShellScript, ShellStart } from "./script.js";
import { type CommandSurroundings, notShown } from "./surroundings.js";

/** Characters that bash would not read the way the parser does: they look like spaces or line ends, or are not text. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cs}]/u;
const TOO_MANY = "The script has too many commands to follow each";
const PLAIN_BLANKS = /[\t\n]/g;

/** Reads one script: follows its structure, and hands each simple command to the `CommandReader`. */
export class ScriptReader implements ShellScript {
  readonly shell: ShellStart;
  readonly findings: Findings;
  readonly variables: Variables;
  readonly set = new SetVariables();
  readonly functions = new Set<string>();
  readonly facts = new ScriptFacts();
  #depth: number;
  #surroundings: CommandSurroundings;
  readonly expansions: Expansions;
  readonly outputs = { open: 0 };
  readonly namesRead = new Map<SyntaxNode, ListedNames>();
  readonly #commands: CommandReader;

  constructor(shell: ShellStart, parent?: Variables) {
    this.shell = shell;
    this.findings = shell.findings;
    this.#depth = shell.depth;
    this.variables = new Variables(parent);
    this.#surroundings = shell.surroundings;
    this.expansions = new Expansions(this);
    this.#commands = new CommandReader(this);
  }

  get surroundings(): CommandSurroundings {
    return this.#surroundings;
  }

  /** Reads a string as a script. What cannot be parsed in bounded time is kept for a search by words. */
  read(script: string, directories: Directories): Outcome {
    const large = this.#depth > MAX_SCRIPT_DEPTH ? "scripts are nested too deep" : tooLarge(script);
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

  readHere(script: string, directories: Directories): Outcome {
    this.#depth++;
    const outcome = this.read(script, directories);
    this.#depth--;
    return outcome;
  }

  readApart(script: string, directories: Directories, findings: Findings = this.findings): void {
    const shell = { ...this.shell, findings, surroundings: this.surroundings, depth: this.#depth + 1 };
    new ScriptReader(shell, this.variables).read(script, directories);
  }

  outside(reason: string): void {
    if (!this.#surroundings.impliedByParent) this.findings.outsideGrammar.add(reason);
  }

  isPlain(text: string): boolean {
    return isPlainText(text, this.variables);
  }

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
        return readList(this, node, directories);
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
        return readIf(this, node, directories);
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
        return readCase(this, node, directories);
      case "Redirected":
        return this.#redirected(node, directories);
      case "Function":
        return readFunction(this, node, directories);
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

  #pipeline({ commands, operators, prefixes }: Pipeline, directories: Directories): Outcome {
    if (commands.length === 1) {
      const { ok, fail } = this.node(commands[0]!, directories);
      const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      return isNegated ? { ok: fail, fail: ok } : { ok, fail };
    }
    const first = this.findings.commands.length;
    const scope = new WordScope(this, directories);
    let names: ListedNames | null = null;
    for (const [index, command] of commands.entries()) {
      if (this.findings.isFull) break;
      const input = index === 0 ? this.surroundings.input : scope.inputFrom(commands[index - 1]!);
      const pipe = () => wordsInPipe(commands.slice(0, index), operators, prefixes);
      if (command.type === "While") this.#feed(command, pipe(), names, scope);
      const takes = input.kind === "unknown" && isPlainXargs(command);
      const printed = takes ? this.variables.printedInto(pipe()) : null;
      const isPlain = printed !== null && printed.kind !== "ref";
      const given = takes ? { ...input, isPlain, ...(names && !names.within && { names }) } : input;
      this.within({ input: given }, () => this.set.within(() => this.node(command, directories)));
      // `|&` passes on what it complains about, too.
      names = operators[index] === "|" ? namesPrinted(command, names, scope) : null;
    }
    this.findings.pipelines.push({ first, end: this.findings.commands.length });
    return { ok: directories, fail: directories };
  }

  /** A loop takes what a pipe writes line by line: names of files, or what is plain. */
  #feed(loop: While, pipe: readonly CommandWords[] | null, names: ListedNames | null, scope: WordScope): void {
    this.variables.feed(loop, pipe);
    const read = names && readOfNames(loop, names, (name) => scope.isFunction(name));
    if (read) this.namesRead.set(read, names);
  }

  /** A move in a loop starts wherever the last round ended. */
  #loop(node: SyntaxNode, directories: Directories, bodies: readonly SyntaxNode[]): Outcome {
    const inside = containsMove(node) ? null : directories;
    for (const body of bodies) this.node(body, inside);
    return { ok: inside, fail: inside };
  }

  #redirected(node: Extract<SyntaxNode, { type: "Redirected" }>, directories: Directories): Outcome {
    const mayFail = this.#commands.redirectionsOnly(node.redirects, directories);
    const { ok, fail } = this.node(node.command, directories);
    if (!mayFail) return { ok, fail };
    // `!` in front does not turn round such a failure.
    return { ok: joinDirectories(ok, directories), fail: joinDirectories(fail, directories) };
  }
}

// ── the same line, read by the grammar ───────────────────────────────────────────────────────────────────────────────

/** The finding about a line that is plain but for variables in front of its programs. */
export const GIVES_VARIABLE = "a program is given a variable that may change what it does";

/**
 * The part of a script that is outside the grammar; `null` when none is. `found`: the words of each command that the parser
 * found, which have to be the same commands.
 */
export function outsideGrammar(script: string, found: readonly (readonly ShellWord[])[]): string | null {
  const { outside, commands, givesVariable } = readByGrammar(script);
  if (outside !== null) return outside;
  const missing = commands.find((words) => !found.some((each) => holdsWords(each, words)));
  if (missing) return `"${missing[0]}" is read in two ways`;
  return givesVariable ? GIVES_VARIABLE : null;
}

/** Whether a command has the words that the grammar found, in this order; `null` among them may be any words. */
function holdsWords(found: readonly ShellWord[], wanted: readonly (string | null)[]): boolean {
  if (wanted[0] !== null && found[0]?.value !== wanted[0]) return false;
  let at = 0;
  for (const word of wanted) {
    if (word === null) continue;
    while (at < found.length && found[at]!.value !== word) at++;
    if (at++ >= found.length) return false;
  }
  return true;
}
