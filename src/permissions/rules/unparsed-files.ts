// Rules about files, compared with text that is not parsed: which words of it are paths, and where they start from, is not known there.

import { trimName } from "../../paths/fold.js";
import { longestText, type NameGlob, nameMatches, namesMeet } from "../../paths/glob.js";
import type { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { wordGlobs } from "./path-names.js";
import { ANY_NAMES, type PathPattern, takesNames } from "./path-pattern.js";

/** It may start anywhere: absolute, from a home, from a variable, or from the directory above. */
const FROM_ELSEWHERE = /^(?:[/~$]|\.\.(?:\/|$))/;

/** Whether a word may name a file the pattern is about. Says yes rather than no. */
export function mayName(text: UnparsedText, { generousNames }: PathPattern): boolean {
  return generousNames.some((names) => {
    // To name the directory is enough for a rule about whatever is in it.
    const rule = names.slice(0, names.findLastIndex((name) => longestText(name) !== "") + 1);
    const last = rule.at(-1);
    if (last === undefined) return text.text !== "";
    const words = text.wordsThatMayHold(longestText(last));
    return words === null || words.some((word) => isNamed(text, rule, word));
  });
}

/** A path may be glued to an option, as in `-Isrc`. */
function isNamed(text: UnparsedText, rule: readonly NameGlob[], word: string): boolean {
  return fits(text, rule, word) || (/^-[a-z]./.test(word) && fits(text, rule, word.slice(2)));
}

/** Whether a path, from where the shell may stand, may be what the rule says, or lie below it. */
function fits(text: UnparsedText, rule: readonly NameGlob[], word: string): boolean {
  const names = wordGlobs(word);
  const isBelow = (some: readonly NameGlob[]) =>
    takesNames({ names: some, isDirectory: false }, names.length, 0, (name, at) => meets(name, names[at]!));
  const isElsewhere = FROM_ELSEWHERE.test(word);
  if (isBelow(isElsewhere || text.holds("cd") ? [ANY_NAMES, ...rule] : rule)) return true;
  if (isElsewhere) return false;
  // From a directory the rule is about, which then has to be named somewhere, too.
  for (let above = 1; above < rule.length; above++) {
    const directory = rule[above - 1]!;
    if (directory.tokens === null && !text.holds(directory.text)) return false;
    if (isBelow(rule.slice(above))) return true;
  }
  return false;
}

function meets(rule: NameGlob, name: NameGlob): boolean {
  if (name.tokens !== null) return namesMeet(rule, name);
  return nameMatches(rule, name.text) || nameMatches(rule, trimName(name.text));
}
