import {
  type Assignment,
  forEachChild,
  type Command as ParsedCommand,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
  type WordPart,
} from "unbash";
import { isPlainArithmetic, isPlainText } from "./arithmetic.js";
import { CommandReader } from "./command-reader.js";
import type { Findings } from "./findings.js";
import { MAX_SCRIPT_DEPTH, tooLarge } from "./limits.js";
import { type Folders, joinFolders } from "./paths.js";
import type { Place } from "./place.js";
import { printedBy } from "./printed.js";
import { type ListedNames, namesListed, passesLines } from "./programs/listed-names.js";
import type { ShellWord, WordScope } from "./shell-word.js";
import { readPlain, readWord } from "./shell-word.js";
import { containsMove, hasNestedHereDocument, MOVES, startsItself } from "./syntax.js";
import { Variables } from "./variables.js";

/** The folders after a command that succeeded, and after one that failed. Empty: the script does not go on there. */
export interface Outcome {
  readonly ok: Folders;
  readonly fail: Folders;
}

const MOVING = /\b(?:cd|pushd|popd|source|eval)\b/;
const TEST_ARITHMETIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
/** What bash would not read the way the parser does: characters that look like blanks or line ends, or are no text. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cs}]/u;
const PLAIN_BLANKS = /[\t\n]/g;

/** What a shell starts with. */
export interface ShellStart {
  readonly findings: Findings;
  readonly place: Place;
  readonly home: string | undefined;
  readonly start: string | undefined;
  /** How many scripts it stands inside of. */
  readonly depth: number;
}

/** Reads one script: follows its structure, and hands each simple command to the `CommandReader`. */
export class ScriptReader {
  readonly findings: Findings;
  readonly home: string | undefined;
  depth: number;
  /** The folder the outermost script starts in. */
  readonly start: string | undefined;
  readonly variables: Variables;
  /** Functions that are surely defined from here on. */
  readonly functions = new Set<string>();
  /** Names of all functions, wherever they are defined. */
  readonly functionNames = new Set<string>();
  movesInFunctions = false;
  movesAnywhere = false;
  /** The script may change where the shell splits what a command prints. */
  splitsAnywhere = false;
  #place: Place;
  readonly #commands: CommandReader;

  constructor(shell: ShellStart, parent?: Variables) {
    this.findings = shell.findings;
    this.home = shell.home;
    this.start = shell.start;
    this.depth = shell.depth;
    this.variables = new Variables(parent);
    this.#place = shell.place;
    this.#commands = new CommandReader(this);
  }

  get place(): Place {
    return this.#place;
  }

  /** Reads a text as a script. What cannot be parsed in bounded time is kept for a search by words. */
  read(script: string, folders: Folders): Outcome {
    const large = this.depth > MAX_SCRIPT_DEPTH ? "scripts are nested too deep" : tooLarge(script);
    if (large !== null) {
      this.findings.leaveUnread(script, `The script was not parsed: ${large}`);
      return { ok: null, fail: null };
    }
    if (ODD_CHARACTERS.test(script.replace(PLAIN_BLANKS, ""))) {
      this.findings.leaveUnread(script, "The script holds control characters or characters that are no text");
    }
    let parsed: ParsedScript;
    try {
      parsed = parse(script);
      this.movesAnywhere ||= MOVING.test(script);
      this.splitsAnywhere ||= /\bIFS\b/.test(script);
      this.variables.collect(parsed);
      for (const name of this.variables.hazards) this.findings.environment.add(`"${name}" can change what programs do`);
      this.#collectFunctions(parsed);
      const outcome = this.script(parsed, folders);
      if (this.findings.isFull) this.findings.leaveUnread(script, "The script has too many commands to follow each");
      return outcome;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The call stack is exhausted: bounds on nesting make this rare, not impossible.
      this.findings.leaveUnread(script, "The script is nested too deep");
      return { ok: null, fail: null };
    }
  }

  /** Reads a script in the same shell, as `eval` does. */
  readHere(script: string, folders: Folders): Outcome {
    this.depth++;
    const outcome = this.read(script, folders);
    this.depth--;
    return outcome;
  }

  /** Reads a script in a shell of its own, as `bash -c` does. */
  readApart(script: string, folders: Folders, findings: Findings = this.findings): void {
    const { home, start, place, depth, variables } = this;
    new ScriptReader({ findings, home, start, place, depth: depth + 1 }, variables).read(script, folders);
  }

  /** A text whose evaluation as arithmetic runs nothing. */
  isPlain(text: string): boolean {
    return isPlainText(text, this.variables);
  }

  /** Reads what is not in the folder, or on the machine, that the rest is. */
  within<Result>(place: Partial<Place>, action: () => Result): Result {
    const before = this.#place;
    this.#place = { ...before, ...place };
    try {
      return action();
    } finally {
      this.#place = before;
    }
  }

  script(script: ParsedScript, folders: Folders): Outcome {
    for (const { message } of script.errors ?? []) this.findings.opaque(`The script is not valid: ${message}`);
    return this.list(script.commands, folders);
  }

  list(statements: readonly SyntaxNode[], folders: Folders): Outcome {
    let outcome: Outcome = { ok: folders, fail: folders };
    let current = folders;
    for (const statement of statements) {
      if (this.findings.isFull) break;
      outcome = this.node(statement, current);
      current = joinFolders(outcome.ok, outcome.fail);
    }
    return outcome;
  }

  node(node: SyntaxNode, folders: Folders): Outcome {
    const stays: Outcome = { ok: folders, fail: folders };
    switch (node.type) {
      case "Statement":
        if (!node.background) return this.node(node.command, folders);
        this.node(node.command, folders);
        return stays;
      case "AndOr":
        return this.#andOr(node.commands, node.operators, folders);
      case "Pipeline":
        return this.#pipeline(node, folders);
      case "CompoundList":
        return this.list(node.commands, folders);
      case "BraceGroup":
        return this.node(node.body, folders);
      case "Subshell":
        this.node(node.body, folders);
        return stays;
      case "If":
        return this.#if(node, folders);
      case "While":
        return this.#loop(node, folders, [node.clause, node.body]);
      case "For":
      case "Select":
        for (const word of node.wordlist ?? []) this.scan(word, folders);
        return this.#loop(node, folders, [node.body]);
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update]) if (part) this.arithmetic(part, folders);
        return this.#loop(node, folders, [node.body]);
      case "Case":
        return this.#case(node, folders);
      case "Redirected":
        this.#commands.redirectionsOnly(node.redirects, folders);
        return this.node(node.command, folders);
      case "Function":
        return this.#function(node, folders);
      case "Coproc":
        this.node(node.body, folders);
        return stays;
      case "TestCommand":
        this.#test(node.expression, folders);
        return stays;
      case "ArithmeticCommand":
        if (node.expression) this.arithmetic(node.expression, folders);
        else if (node.body.trim() !== "") this.findings.opaque("An arithmetic expression is not understood");
        return stays;
      case "Command":
        return this.#commands.read(node as ParsedCommand, folders);
      default:
        this.findings.opaque(`"${node.type}" is a form this analysis does not know`);
        return { ok: null, fail: null };
    }
  }

  scope(folders: Folders): WordScope {
    return {
      home: this.home,
      folder: folders?.length === 1 ? folders[0] : undefined,
      valuesOf: (name) => this.variables.valuesOf(name),
      allValuesOf: (name) => this.variables.allValuesOf(name),
      changes: (name) => this.variables.changes(name),
      listedBy: (script) => this.#listedBy(script, folders),
      listedIn: (name) => {
        // What was listed in one folder and is read in another is not followed.
        const script = this.movesAnywhere ? null : this.variables.outputIn(name);
        return script && this.#listedBy(script, folders);
      },
      printedBy: ({ commands }) => {
        const [node] = commands;
        if (commands.length !== 1 || node?.command.type !== "Command") return [];
        const text = printedBy(node.command as ParsedCommand, this.scope(folders));
        return text === null ? [] : [text.trimEnd()];
      },
    };
  }

  /** Follows what stands inside words: substitutions, arithmetic, and expansions that evaluate text. */
  scan(node: SyntaxNode, folders: Folders): void {
    switch (node.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
        this.#substitution(node, folders);
        return;
      case "ArithmeticExpansion":
        if (node.expression) {
          this.arithmetic(node.expression, folders);
          return;
        }
        if (/^\$(?:\(\(\s*\)\)|\[\s*\])$/.test(node.text)) return;
        this.findings.opaque("An arithmetic expression is not understood");
        return;
      case "ParameterExpansion":
        this.#parameter(node, folders);
        break;
      case "ExtendedGlob":
        this.findings.opaque("An extended pattern is read differently with and without extglob");
        break;
      case "Assignment":
        if (node.index) this.index(node.index, folders);
        if (node.value.type === "ArrayValue") {
          for (const element of node.value.elements) this.#arrayElement(element.text);
        }
        break;
      case "SimpleExpansion":
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return;
      default:
    }
    forEachChild(node, (child) => this.scan(child, folders));
  }

  /** Follows an expression that the shell evaluates as arithmetic. */
  arithmetic(node: SyntaxNode, folders: Folders): void {
    if (!isPlainArithmetic(node, this.variables)) {
      this.findings.opaque("An arithmetic expression evaluates text that is known only at run time");
    }
    this.scanArithmetic(node, folders);
  }

  /** Follows the index of an array, which is arithmetic unless it is `@` or `*`. */
  index(word: SyntaxNode, folders: Folders): void {
    if (!isPlainArithmetic(word, this.variables)) {
      this.findings.opaque("The index of an array is known only at run time");
    }
    this.scan(word, folders);
  }

  /** A text that names a variable for a builtin: an index in it is evaluated. */
  variableName(word: ShellWord): void {
    if (word.value === null) {
      if (!/^[A-Za-z_]\w*=/.test(word.prefix)) {
        this.findings.opaque("The name of a variable is known only at run time");
      }
      return;
    }
    const index = /^\w+\[(.*)\]/s.exec(word.value)?.[1];
    if (index !== undefined && !isPlainText(index, this.variables)) {
      this.findings.opaque("The index of an array is known only at run time");
    }
  }

  scanArithmetic(node: SyntaxNode, folders: Folders): void {
    if (node.type === "ArithmeticCommandExpansion") {
      this.#substitution(node, folders);
      return;
    }
    if (node.type === "ArithmeticWord") {
      for (const part of node.parts ?? []) this.scan(part as WordPart, folders);
      return;
    }
    forEachChild(node, (child) => this.scanArithmetic(child, folders));
  }

  assignment(node: Assignment, folders: Folders): { name: string; value: string | null } {
    this.scan(node, folders);
    const value = node.value.type === "Word" ? readPlain(node.value, this.scope(folders)).value : null;
    return { name: node.name, value: node.append || node.index ? null : value };
  }

  #collectFunctions(node: SyntaxNode): void {
    if (node.type === "Function") {
      this.functionNames.add(node.name.value);
      if (containsMove(node.body)) this.movesInFunctions = true;
    }
    forEachChild(node, (child) => this.#collectFunctions(child));
  }

  #andOr(commands: readonly SyntaxNode[], operators: readonly string[], folders: Folders): Outcome {
    let outcome = this.node(commands[0]!, folders);
    for (const [index, operator] of operators.entries()) {
      if (this.findings.isFull) break;
      const next = commands[index + 1]!;
      if (operator === "&&") {
        const { ok, fail } = this.node(next, outcome.ok);
        outcome = { ok, fail: joinFolders(outcome.fail, fail) };
      } else {
        const { ok, fail } = this.node(next, outcome.fail);
        outcome = { ok: joinFolders(outcome.ok, ok), fail };
      }
    }
    return outcome;
  }

  #pipeline({ commands, operators, prefixes }: Pipeline, folders: Folders): Outcome {
    if (commands.length === 1) {
      const { ok, fail } = this.node(commands[0]!, folders);
      return prefixes.some(({ type }) => type === "Negation") ? { ok: fail, fail: ok } : { ok, fail };
    }
    const first = this.findings.commands.length;
    let names: ListedNames | null = null;
    for (const [index, command] of commands.entries()) {
      const input = index === 0 ? this.place.input : this.#printed(commands[index - 1]!, folders);
      const isNamed = input.kind === "unknown" && names !== null && isPlainXargs(command);
      this.within({ input: isNamed ? { kind: "unknown", names: names! } : input }, () => this.node(command, folders));
      // `|&` hands on what it complains about, too.
      names = operators[index] === "|" ? this.#listed(command, names, folders) : null;
    }
    this.findings.pipelines.push({ first, end: this.findings.commands.length });
    return { ok: folders, fail: folders };
  }

  /** What a command in a pipe hands to the next one, when that is plain to see. */
  #printed(node: SyntaxNode, folders: Folders): Place["input"] {
    const text = node.type === "Command" ? printedBy(node as ParsedCommand, this.scope(folders)) : null;
    return text === null ? { kind: "unknown" } : { kind: "text", text };
  }

  /** The names a command in a pipe hands to the next one: those it lists, or some of those it reads. */
  #listed(node: SyntaxNode, before: ListedNames | null, folders: Folders): ListedNames | null {
    if (node.type !== "Command" || node.prefix.length > 0) return null;
    const isPlain = node.redirects.every(isSilencing);
    const name = node.name?.text ?? "";
    if (!isPlain || this.functionNames.has(name) || node.suffix.some(({ type }) => type === "Assignment")) return null;
    const scope = this.scope(folders);
    const words = [node.name!, ...node.suffix].flatMap((part) => (part.type === "Word" ? readWord(part, scope) : []));
    if (before !== null && !before.nul && passesLines(words)) return before;
    return namesListed(words);
  }

  /** The names of files that become words of a command when this script stands among them. */
  #listedBy({ commands }: ParsedScript, folders: Folders): ListedNames | null {
    const [statement, ...others] = commands;
    if (!statement || others.length > 0 || statement.background) return null;
    if (this.splitsAnywhere || this.variables.changes("IFS")) return null;
    const node = statement.command;
    if (node.type === "Pipeline" && (node.prefixes.length > 0 || node.operators.includes("|&"))) return null;
    let names: ListedNames | null = null;
    for (const each of node.type === "Pipeline" ? node.commands : [node]) names = this.#listed(each, names, folders);
    return names === null || names.nul ? null : { ...names, expands: true };
  }

  #if(node: Extract<SyntaxNode, { type: "If" }>, folders: Folders): Outcome {
    let clause = this.node(node.clause, folders);
    let after = both(this.node(node.then, clause.ok));
    for (const branch of node.elif) {
      clause = this.node(branch.clause, clause.fail);
      after = joinFolders(after, both(this.node(branch.then, clause.ok)));
    }
    after = joinFolders(after, node.else ? both(this.node(node.else, clause.fail)) : clause.fail);
    return { ok: after, fail: after };
  }

  /** What moves in a loop moves from wherever the last round left it. */
  #loop(node: SyntaxNode, folders: Folders, bodies: readonly SyntaxNode[]): Outcome {
    const inside = containsMove(node) ? null : folders;
    for (const body of bodies) this.node(body, inside);
    return { ok: inside, fail: inside };
  }

  #case(node: Extract<SyntaxNode, { type: "Case" }>, folders: Folders): Outcome {
    this.scan(node.word, folders);
    let after: Folders = folders;
    let entered = folders;
    for (const item of node.items) {
      for (const pattern of item.pattern) this.#pattern(pattern, folders);
      const outcome = both(this.node(item.body, entered));
      // `;&` goes on with the next one.
      entered = item.terminator === ";&" || item.terminator === ";;&" ? joinFolders(folders, outcome) : folders;
      after = joinFolders(after, outcome);
    }
    return { ok: after, fail: after };
  }

  #function(node: Extract<SyntaxNode, { type: "Function" }>, folders: Folders): Outcome {
    const name = node.name.value;
    if (node.name.parts?.some((part) => part.type !== "Literal")) {
      this.findings.opaque("The name of a function is not plain");
    }
    // It runs wherever the shell stands when it is called, with whatever input the caller has.
    const moves = this.movesInFunctions || MOVES.has(name);
    this.within({ input: { kind: "unknown" } }, () =>
      this.node(node.body, moves || this.movesAnywhere ? null : folders),
    );
    if (startsItself(node.body, name, false)) this.findings.forkBomb = true;
    this.functions.add(name);
    return { ok: folders, fail: folders };
  }

  #substitution(
    node: Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }>,
    folders: Folders,
  ): void {
    if (!node.script) {
      this.findings.opaque("A substitution is not understood");
      return;
    }
    if (hasNestedHereDocument(node.script, false)) {
      // Some versions of bash print such a substitution and read it again, and lose line ends on the way.
      this.findings.opaque(
        "A here-document inside a compound command inside a substitution is read differently by some shells",
      );
    }
    if (node.text.startsWith("${"))
      this.findings.opaque("A substitution in braces is read differently by older shells");
    this.script(node.script, folders);
  }

  #parameter(node: Extract<SyntaxNode, { type: "ParameterExpansion" }>, folders: Folders): void {
    const { operation } = node;
    if (node.prefix === "!" && operation?.type !== "Names" && !/^[@*]$/.test(node.index?.text ?? "")) {
      this.findings.opaque("An indirect expansion evaluates text that is known only at run time");
    }
    if (node.index && !/^[@*]$/.test(node.index.text)) this.index(node.index, folders);
    if (operation?.type === "Transform" && !/^[QEAaUuLKk]$/.test(operation.operand.text)) {
      this.findings.opaque('"@P" evaluates a value as a prompt, which may run commands');
    }
    if (operation?.type === "Unknown") this.findings.opaque("An expansion is not understood");
    if (operation?.type !== "Slice") return;
    for (const part of [operation.offset, operation.length]) {
      if (part && !isPlainArithmetic(part, this.variables)) {
        this.findings.opaque("An arithmetic expression evaluates text that is known only at run time");
      }
    }
  }

  #arrayElement(text: string): void {
    if (!text.startsWith("[")) return;
    const index = /^\[([^\]]*)\]\+?=/.exec(text)?.[1];
    if (index === undefined || !isPlainText(index.replace(/^(["'])([\w.\s-]*)\1$/, "0"), this.variables)) {
      this.findings.opaque("The index of an array is known only at run time");
    }
  }

  /** Patterns of `case` and `[[` are extended always. */
  #pattern(node: SyntaxNode, folders: Folders): void {
    if (node.type === "Word" && !node.parts?.some((part) => part.type === "ExtendedGlob")) {
      this.scan(node, folders);
      return;
    }
    if (node.type === "ExtendedGlob" && /\$\(|`|[<>]\(/.test(node.text)) {
      // Some versions of bash undo the quotes inside of it before they read it.
      this.findings.opaque("A substitution inside an extended pattern is read differently by some shells");
    }
    forEachChild(node, (child) => {
      if (child.type === "ExtendedGlob") this.#pattern(child, folders);
      else this.scan(child, folders);
    });
  }

  #test(node: SyntaxNode, folders: Folders): void {
    switch (node.type) {
      case "TestBinary":
        for (const operand of [node.left, node.right]) {
          if (TEST_ARITHMETIC.has(node.operator)) this.index(operand, folders);
          else this.#pattern(operand, folders);
        }
        return;
      case "TestUnary":
        if (/^-[vR]$/.test(node.operator)) this.variableName(readPlain(node.operand, this.scope(folders)));
        this.scan(node.operand, folders);
        return;
      case "TestLogical":
      case "TestNot":
      case "TestGroup":
        forEachChild(node, (child) => this.#test(child, folders));
        return;
      case "Negation":
        return;
      default:
        this.findings.opaque(`"${node.type}" is a form this analysis does not know`);
    }
  }
}

/** `2>/dev/null` */
function isSilencing(redirect: Redirection): boolean {
  const { type, operator, descriptor } = redirect;
  const isErrors = descriptor?.type === "FileDescriptor" && descriptor.value === 2;
  return type === "Redirect" && operator === ">" && isErrors && redirect.target?.text === "/dev/null";
}

/** `xargs` itself, in the folder of the pipe. */
function isPlainXargs(node: SyntaxNode): boolean {
  return node.type === "Command" && node.prefix.length === 0 && node.name?.text === "xargs";
}

function both({ ok, fail }: Outcome): Folders {
  return joinFolders(ok, fail);
}
