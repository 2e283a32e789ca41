import type { ShellWord } from "../words/shell-word.js";
import { readByGrammar } from "./grammar.js";

/** Of a line that is plain but for variables in front of its programs. */
export const GIVES_VARIABLE = "a program is given a variable that may change what it does";

/**
 * What of a script is outside the grammar; `null` when nothing is. `found`: the words of each command that the parser
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
