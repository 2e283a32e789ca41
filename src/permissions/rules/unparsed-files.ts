// Rules about files, compared with the part of a command line that was not parsed: which words of it are paths, and where they
// start from, is not known there.

import { foldCase, trimName } from "../../paths/fold.js";
import { longestText, type NameGlob, nameMatches, namesMeet } from "../../paths/glob.js";
import { onceForEach } from "../once-for-each.js";
import type { CommandAnalysis } from "../shell/analysis.js";
import { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { wordGlobs } from "./path-names.js";
import { ANY_NAMES, type PathPattern, takesNames } from "./path-pattern.js";

/** It may start anywhere: absolute, from a home, from a variable, or from the directory above. */
const FROM_ELSEWHERE = /^(?:[/~$]|\.\.(?:\/|$))/;

/** The part of a command line that was not parsed, ready for a search; `null` when there is not one. */
export const unparsedText = onceForEach(({ unparsed }: CommandAnalysis) =>
  unparsed === null ? null : new UnparsedText(foldCase(unparsed)),
);

/** Whether a word that was not parsed may name a file the pattern is about. Says yes rather than no. */
export function mayName(unparsed: UnparsedText, { generousNames, key }: PathPattern): boolean {
  return unparsed.decideOnce(`file ${key}`, () => generousNames.some((names) => mayBeNamed(unparsed, names)));
}

function mayBeNamed(unparsed: UnparsedText, names: readonly NameGlob[]): boolean {
  // To name the directory is enough for a rule about whatever is in it.
  const rule = names.slice(0, names.findLastIndex((name) => longestText(name) !== "") + 1);
  const last = rule.at(-1);
  if (last === undefined) return unparsed.text !== "";
  const words = unparsed.wordsWith(longestText(last));
  const wildcards = unparsed.wildcardWords();
  if (words === null || wildcards === null) return true;
  return [...words, ...wildcards].some((word) => !unparsed.spend(4 * word.length) || isNamed(unparsed, rule, word));
}

/** A path may be glued to an option, as in `-Isrc`. */
function isNamed(unparsed: UnparsedText, rule: readonly NameGlob[], word: string): boolean {
  if (!mayHold(word, rule.at(-1)!)) return false;
  return fits(unparsed, rule, word) || (/^-[a-z]./.test(word) && fits(unparsed, rule, word.slice(2)));
}

/** Most words that hold a plain name as text do not hold it as a name: `secrets1` in `secrets12/x`. */
function mayHold(word: string, { text, tokens }: NameGlob): boolean {
  if (tokens !== null || /[*?[\\]/.test(word)) return true;
  for (let at = word.indexOf(text); at !== -1; at = word.indexOf(text, at + 1)) {
    const isStart = at === 0 || word[at - 1] === "/" || (at === 2 && word.startsWith("-"));
    const after = word[at + text.length] ?? "/";
    if (isStart && "/. ".includes(after)) return true;
  }
  return false;
}

/** Whether a path, from where the shell may stand, may be what the rule says, or lie below it. */
function fits(unparsed: UnparsedText, rule: readonly NameGlob[], word: string): boolean {
  const names = wordGlobs(word);
  const isBelow = (some: readonly NameGlob[]) =>
    takesNames({ names: some, isDirectory: false }, names.length, 0, (name, at) => meets(name, names[at]!));
  const isElsewhere = FROM_ELSEWHERE.test(word);
  if (isBelow(isElsewhere || mentions(unparsed, "cd") ? [ANY_NAMES, ...rule] : rule)) return true;
  if (isElsewhere) return false;
  // From a directory the rule is about, which then has to be named somewhere, too.
  for (let above = 1; above < rule.length; above++) {
    const directory = rule[above - 1]!;
    if (directory.tokens === null && !mentions(unparsed, directory.text)) return false;
    if (isBelow(rule.slice(above))) return true;
  }
  return false;
}

function mentions(unparsed: UnparsedText, text: string): boolean {
  return unparsed.places(text)?.length !== 0;
}

function meets(rule: NameGlob, name: NameGlob): boolean {
  if (name.tokens !== null) return namesMeet(rule, name);
  return nameMatches(rule, name.text) || nameMatches(rule, trimName(name.text));
}
