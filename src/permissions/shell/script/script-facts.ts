import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { containsMove } from "./syntax.js";

const MOVING = /\b(?:cd|pushd|popd|source|eval)\b/;
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
  /** It may change where the shell splits what a command prints. */
  splitsAnywhere = false;

  collect(script: string, parsed: ParsedScript): void {
    this.movesAnywhere ||= MOVING.test(script) || containsMove(parsed);
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
