import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { containsMove, countMoves } from "./syntax.js";

const MOVING = /\b(?:cd|pushd|popd|source|eval)\b/;
/** `cd src && …`: what follows all stands there. */
const FIRST_MOVE = /^\s*cd (?:"[^"]*"|'[^']*'|[^\s;&|()<>'"]+)\s*(?:&&|;(?!;)|\n|\|\|\s*exit(?: \d+)?\s*(?:;(?!;)|\n))/;
/** `IFS=, read`: it splits nothing but what that reads. */
const FIELDS_OF_READ = /\bIFS=(?:[\w.,:|/+-]*|'[^'\n]*'|\$'[^'\\\n]*(?:\\[tn])?') read\b/g;

/** Without one of these it defines no function. */
const MAY_DEFINE = /\(\s*\)|\\\n|function/;

/** What a script may do, wherever in it. */
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
