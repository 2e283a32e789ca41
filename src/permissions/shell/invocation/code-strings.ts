// Strings in code that may be commands: `system("rm x")`, `spawn("rm", ["x"])`, `exec qw(rm x)`, `%x{rm x}`.

import { patternWith } from "../../long-pattern.js";

/** Texts longer than this are only looked at up to here. */
const MAX_CODE = 4_000;
const MAX_TEXTS = 20;
/** Code without one of these starts no program. */
const SPAWNS = /system|exec|spawn|popen|subprocess|shell|getline|command|cmd|process|\brun\b|\bqx|%x|\||`/i;
/** `"…"`, and `qw(…)`, `%x{…}`, `q!…!`, `[[…]]`, `[==[…]==]` */
const STRINGS = patternWith("gs")`(?<quote>["'\`])(?<quoted>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>|
  (?:\bq[qwx]?\s*|%[qQwWxiI]?)(?:\((?<round>[^()]*)\)|\{(?<curly>[^{}]*)\}|\[(?<square>[^[\]]*)\]|
  <(?<angle>[^<>]*)>|(?<sign>[!/|#])(?<signed>.{0,2000}?)\k<sign>)|
  \[(?<equals>={0,9})\[(?<long>.{0,2000}?)\]\k<equals>\]`;
/** The text between the words of one list of arguments. */
const BETWEEN = /^[\s,()[\]{}*]*(?:(?:\w+\s*[:=]|=>)[\s([{]*)?$/;

/** The strings in code: those that stand alone, and those that stand in a row as one. */
export function stringsInCode(code: string): readonly string[] {
  const texts: string[] = [];
  const rows: string[][] = [];
  let end = -1;
  const cut = code.slice(0, MAX_CODE);
  for (const match of cut.matchAll(STRINGS)) {
    if (texts.length >= MAX_TEXTS) break;
    const { quoted, round, curly, square, angle, signed, long } = match.groups!;
    const text = quoted ?? round ?? curly ?? square ?? angle ?? signed ?? long ?? "";
    texts.push(text);
    const isNext = end !== -1 && BETWEEN.test(cut.slice(end, match.index));
    if (isNext) rows.at(-1)!.push(text);
    else rows.push([text]);
    end = match.index + match[0].length;
  }
  return [...new Set([...texts, ...rows.map((row) => row.join(" "))])];
}

/** Whether code may start a program at all. */
export function maySpawn(code: string): boolean {
  return SPAWNS.test(code);
}
