// Facts about a parsed script: the things it may do, wherever in it.
import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

/** Builtins that change the current directory. */
export const MOVES = new Set(["cd", "pushd", "popd"]);
const MOVING = /\b(?:cd|pushd|popd|source|eval)\b/;
/** `cd src && …`: what follows all stands there. */
const FIRST_MOVE = /^\s*cd (?:"[^"]*"|'[^']*'|[^\s;&|()<>'"]+)\s*(?:&&|;(?!;)|\n|\|\|\s*exit(?: \d+)?\s*(?:;(?!;)|\n))/;
/** `IFS=, read`: it splits nothing but what that reads. */
const FIELDS_OF_READ = /\bIFS=(?:[\w.,:|/+-]*|'[^'\n]*'|\$'[^'\\\n]*(?:\\[tn])?') read\b/g;

/** Without one of these it defines no function. */
const MAY_DEFINE = /\(\s*\)|\\\n|function/;

/** Things a script may do, wherever in it. */
export class ScriptFacts {
  /** Names of all functions. */
  readonly functionNames = new Set<string>();
  movesInFunctions = false;
  movesAnywhere = false;
  /** It may go on in another directory than the one its first command goes to. */
  movesLater = false;
  /** It may change where the shell splits what a command prints. */
  splitsAnywhere = false;
  #isStarted = false;

  collect(script: string, parsed: ParsedScript): void {
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    this.movesAnywhere ||= MOVING.test(script) || containsMove(parsed);
    const rest = isFirst ? script.replace(FIRST_MOVE, "") : script;
    this.movesLater ||= MOVING.test(rest) || countMoves(parsed) > (rest === script ? 0 : 1);
    this.splitsAnywhere ||= /\bIFS\b/.test(script.replace(FIELDS_OF_READ, ""));
    if (MAY_DEFINE.test(script)) this.#collectFunctions(parsed);
  }

  #collectFunctions(node: SyntaxNode): void {
    if (node.type === "Function") {
      this.functionNames.add(node.name.value);
      this.movesInFunctions ||= containsMove(node.body);
    }
    forEachChild(node, (child) => this.#collectFunctions(child));
  }
}

/** Whether a part of a script may leave the shell in another directory. */
export function containsMove(node: SyntaxNode): boolean {
  return countMoves(node) > 0;
}

/** The number of its commands that may. */
function countMoves(node: SyntaxNode): number {
  if (node.type === "Subshell" || node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return 0;
  if (node.type === "Command")
    return /^(?:cd|pushd|popd|eval|builtin|command|source|\.)$/.test(node.name?.value ?? "") ? 1 : 0;
  let moves = 0;
  forEachChild(node, (child) => {
    moves += countMoves(child);
  });
  return moves;
}

/** Whether a function, in a pipe or in the background, runs the function again. */
export function startsItself(node: SyntaxNode, name: string, beside: boolean): boolean {
  if (node.type === "Command") return beside && node.name?.value === name;
  const more =
    beside ||
    (node.type === "Pipeline" && node.commands.length > 1) ||
    (node.type === "Statement" && node.background === true);
  let found = false;
  forEachChild(node, (child) => {
    found ||= startsItself(child, name, more);
  });
  return found;
}

const COMPOUND = new Set("If While For Select ArithmeticFor Case BraceGroup Subshell Function Coproc".split(" "));

export function hasNestedHereDocument(node: SyntaxNode, inside: boolean): boolean {
  if (node.type === "HereDoc") return inside;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasNestedHereDocument(child, inside || COMPOUND.has(node.type));
  });
  return found;
}
