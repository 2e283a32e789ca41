import type { ShellWord } from "../words/shell-word.js";

/** Whether a command has the words that the grammar found, in this order; `null` among them may be any words. */
export function holdsWords(found: readonly ShellWord[], wanted: readonly (string | null)[]): boolean {
  if (wanted[0] !== null && found[0]?.value !== wanted[0]) return false;
  let at = 0;
  for (const word of wanted) {
    if (word === null) continue;
    while (at < found.length && found[at]!.value !== word) at++;
    if (at++ >= found.length) return false;
  }
  return true;
}
