// Which lines of a text are worth more than the rest, when there is room for few. Idea: what cannot be found out again
// or guessed (decisions, wishes, problems, names, numbers) is marked by words and shapes that any session uses, or it is
// unlike the lines around it, or said in words that hardly occur elsewhere.

import { firstCharacters, sliceCharacters, wholeCharacters } from "../../text/cut.js";
import { DECISION, PROBLEM } from "./fact-words.js";
import type { Wording } from "./word-frequency.js";

/** Names and numbers nobody can guess. */
const IDENTIFIERS = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/,
  /\b[A-Z][A-Z0-9]{1,9}-\d+\b/,
  /https?:\/\/\S+/,
  /(?:^|[\s"'`(])(?:\.{0,2}\/)?[\w.@-]+\/[\w./@-]+/,
  /\b[\w-]+\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|h|cpp|cs|sql|sh|json|ya?ml|toml|md|html|css|env|lock)\b/,
  /`[^`]{2,80}`/,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/,
  /\bv?\d+\.\d+(?:\.\d+)+\b/,
  /\b[\w.-]+@[\w-]+\.[\w.]+\b/,
  /(?:\bport\b|:)\s?\d{2,5}\b/i,
  /\b[\w.-]+\s?=\s?\S+/,
  /#\d{2,}\b/,
];
/** A number of more than one digit, a time, an amount. */
const NUMBER = /\d[\d.,:]*\d/;
/** Capitals where no sentence begins. */
const NAME = /[\p{Ll}\d,;:] \p{Lu}[\p{L}\d]/u;
/** Lines of source code are full of such words and shapes, and can be read again. */
const CODE =
  /^(?:\d+[\t:|])|[;{}([,]$|=>|===|!==|&&|\|\||\?\.|^\s*(?:import|export|const|let|var|function|return|if|for|while|class|def|func|fn|pub|public|private|async|await|@\w+|\/\/|\/\*|\*)\b|^\s*(?:\/\/|\/?\*)/;
/** JSON ends its lines as code does, and is none. */
const DATA = /^\s*[[{]*\s*"[^"]*"\s*:/;

/** What rare words of a line add at most. */
const MAX_RARITY = 3;

/** How much a line says that cannot be guessed: 0 is nothing. `wording`: of the session it stands in. */
export function weightOf(line: string, wording?: Wording): number {
  let names = 0;
  for (const shape of IDENTIFIERS) if (shape.test(line)) names++;
  let weight = Math.min(names, 3) * 2;
  if (CODE.test(line) && !DATA.test(line)) return weight / 3;
  if (DECISION.test(line)) weight += 4;
  if (PROBLEM.test(line)) weight += 3;
  if (NUMBER.test(line)) weight += 2;
  if (NAME.test(line)) weight += 1;
  if (wording) weight += Math.min(wording.rareIn(line) / 2, MAX_RARITY);
  return weight;
}

/** A line longer than this is read sentence by sentence. Unit: characters. */
const LONG_LINE = 240;
/** Lines looked at in one text: its head and its tail, where there are more. */
const MAX_LINES = 2_000;

/** Lines and, of long lines, sentences; without blanks around them, each once. */
export function linesOf(text: string): string[] {
  let lines = wholeCharacters(text).split("\n");
  if (lines.length > MAX_LINES) lines = [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
  const pieces = lines.flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed.length <= LONG_LINE) return trimmed === "" ? [] : [trimmed];
    return (
      firstCharacters(trimmed, 100 * LONG_LINE)
        .match(/[^.!?。!?]+[.!?。!?]*(?:\s|$)?|.+/g)
        ?.flatMap(inPieces) ?? []
    );
  });
  return [...new Set(pieces)];
}

/** Cut where something ends, if that is near, and never within a character. */
function inPieces(sentence: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < sentence.length; ) {
    const isLast = at + LONG_LINE >= sentence.length;
    const whole = sliceCharacters(sentence, at, at + LONG_LINE);
    const border = isLast ? -1 : Math.max(...[" ", ",", ";", "|"].map((end) => whole.lastIndexOf(end)));
    const piece = border > LONG_LINE / 2 ? whole.slice(0, border + 1) : whole;
    pieces.push(piece.trim());
    at += piece.length;
  }
  return pieces.filter((piece) => piece !== "");
}

/** A line of which there are this many of the same shape is one of a list or a log. */
const COMMON = 3;
/** In a text where this share of the lines is common, one that is not stands out. */
const LIST_SHARE = 0.5;
const STANDS_OUT = 3;

/**
 * The lines that say most, in their order, together at most so many characters. Lines like many others say little, and a
 * line unlike all the others much.
 */
export function bestLines(text: string, maxChars: number, minWeight = 1, wording?: Wording): string[] {
  const best = weighed(linesOf(text), wording)
    .filter(({ weight }) => weight >= minWeight)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  const kept: typeof best = [];
  let left = maxChars;
  for (const each of best) {
    if (each.line.length > left) continue;
    left -= each.line.length + 1;
    kept.push(each);
  }
  return kept.sort((a, b) => a.index - b.index).map(({ line }) => line);
}

function weighed(lines: readonly string[], wording: Wording | undefined) {
  const shapes = lines.map(shapeOf);
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const isCommon = (index: number) => counts.get(shapes[index]!)! >= COMMON;
  const isList = lines.filter((_, index) => isCommon(index)).length > lines.length * LIST_SHARE;
  return lines.map((line, index) => {
    const weight = weightOf(line, wording);
    if (isCommon(index)) return { line, index, weight: weight / 4 };
    return { line, index, weight: isList && weight > 0 ? weight + STANDS_OUT : weight };
  });
}

/** How a line begins, numbers aside. */
function shapeOf(line: string): string {
  return line.slice(0, 60).replace(/\d+/g, "0").slice(0, 20);
}
