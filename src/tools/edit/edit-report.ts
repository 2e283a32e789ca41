import type { HarnessErrorOptions } from "../../contracts/errors.js";
import { clip, firstCharacters } from "../../text/cut.js";
import { closestRegion } from "./closest-region.js";
import { toBlock } from "./edit-match.js";
import { canonical } from "./line-text.js";
import { lineNumbers, type TextLines, textLines } from "./text-lines.js";

const MAX_LISTED_LINES = 200;
const MAX_DIFF_LINES = 24;
const CONTEXT_LINES = 2;
const MAX_ALIGNED_LINES = 200;
const MAX_LINE_CHARS = 120;
const HEAD_CHARS = 500;
/** What read_file, grep, `cat -n` and editors put in front of lines. */
const LINE_NUMBER = /^\s*(\d+)(?:\t|→|:| ?[|│] ?)/;
const NUMBERED = "It carries line numbers, which are not in the file: leave them out, with the mark behind each.";
const HOW_TO_COPY = "Copy old_text from the file as it is now, with its blanks.";

/** What a model is told when `old_text` is found more than once. */
export function describeAmbiguity(text: string, offsets: readonly number[], level: number): HarnessErrorOptions {
  const all = lineNumbers(text, offsets).filter((line, index, lines) => line !== lines[index - 1]);
  const lines = all.slice(0, MAX_LISTED_LINES);
  const more = all.length > lines.length ? ` and ${all.length - lines.length} more` : "";
  const where = all.length === 1 ? "all on line" : "at lines";
  const how = level < 3 ? "" : level === 3 ? " (but for blanks around it)" : " (but for indentation)";
  return {
    message: `old_text matches ${offsets.length} places${how}, ${where} ${lines.join(", ")}${more}. Add lines around it until it is unique, or set replace_all to change them all.`,
    details: { level, matches: offsets.length, lines },
  };
}

/**
 * What a model is told when `old_text` is found nowhere: the closest lines and how they differ, or how the file begins.
 *
 * `unevenLine`, from 0: the text is there, but indented so that its shift is not the same for all lines.
 */
export function describeMiss(
  text: string,
  oldText: string,
  { unevenLine }: { readonly unevenLine?: number } = {},
): HarnessErrorOptions {
  const lines = textLines(text);
  const { core } = toBlock(oldText);
  if (unevenLine !== undefined) {
    const region = regionAt(text, lines, unevenLine, core.length);
    return describeRegion(core, region, { why: "Its lines are indented unevenly against old_text.", isUneven: true });
  }
  const bare = withoutNumbers(core);
  const numbered = bare && closest(text, lines, bare);
  // A file whose lines are numbered themselves is searched as it is.
  if (bare && numbered && !withoutNumbers(numbered.lines)) return describeRegion(bare, numbered, { why: NUMBERED });

  const region = closest(text, lines, core);
  if (region) return describeRegion(core, region, { why: missHint(core, region.lines) });
  return { message: `old_text was not found, nor anything like it. ${beginningOf(text)}` };
}

/** Lines of the file, the first of which has number `first`, from 0. */
interface Region {
  readonly first: number;
  readonly lines: readonly string[];
}

function closest(text: string, lines: TextLines, wanted: readonly string[]): Region | null {
  const first = closestRegion(text, lines, wanted);
  return first === null ? null : regionAt(text, lines, first, wanted.length);
}

function regionAt(text: string, { count, starts, ends }: TextLines, first: number, length: number): Region {
  const indexes = Array.from({ length: Math.min(count - first, length) }, (_, index) => first + index);
  return { first, lines: indexes.map((index) => text.slice(starts[index], ends[index])) };
}

function describeRegion(
  wanted: readonly string[],
  region: Region,
  { why, isUneven = false }: { readonly why: string; readonly isUneven?: boolean },
): HarnessErrorOptions {
  const startLine = region.first + 1;
  const endLine = region.first + region.lines.length;
  const place = startLine === endLine ? `is line ${startLine}` : `are lines ${startLine}-${endLine}`;
  const diff = lineDiff(wanted, region.lines, region.first, isUneven);
  const found = why === "" ? "old_text was not found." : `old_text was not found. ${why}`;
  return {
    message: `${found} The closest ${place} ("-" old_text, "+" the file):\n${diff}\n${HOW_TO_COPY}`,
    details: { closest: { startLine, endLine } },
  };
}

function beginningOf(text: string): string {
  if (text === "") return "The file is empty.";
  const isWhole = text.length <= HEAD_CHARS;
  const head = firstCharacters(text, HEAD_CHARS);
  return `${isWhole ? "The whole file" : `The first ${HEAD_CHARS} characters of the file`}:\n${head}`;
}

/** The lines without the numbers a listing puts in front of them; `null` when they do not count up as those do. */
function withoutNumbers(lines: readonly string[]): string[] | null {
  const numbers = lines.map((line) => Number(LINE_NUMBER.exec(line)?.[1]));
  const isCounting = numbers.every((number, index) => number === numbers[0]! + index);
  return isCounting && lines.length > 0 ? lines.map((line) => line.replace(LINE_NUMBER, "")) : null;
}

function missHint(wanted: readonly string[], region: readonly string[]): string {
  const isSame = (fold: (line: string) => string) => wanted.map(fold).join("\n") === region.map(fold).join("\n");
  const bare = (line: string) => canonical(line).replace(/\s+/g, "");
  if (isSame(bare)) return "It differs only in blanks within lines.";
  return isSame((line) => bare(line).toLowerCase()) ? "It differs only in letter case." : "";
}

/** Lines of both from shortly before the first difference on, those of the file numbered. */
function lineDiff(wanted: readonly string[], region: readonly string[], first: number, isExact: boolean): string {
  const key = isExact ? canonical : (line: string) => canonical(line).trim();
  const old = wanted.slice(0, MAX_ALIGNED_LINES);
  const file = region.slice(0, MAX_ALIGNED_LINES);
  const oldKeys = old.map(key);
  const fileKeys = file.map(key);
  const common = commonLengths(oldKeys, fileKeys);
  const rows: { sign: " " | "-" | "+"; shown: string }[] = [];
  for (let o = 0, f = 0; o < old.length || f < file.length; ) {
    if (o < old.length && f < file.length && oldKeys[o] === fileKeys[f]) {
      rows.push({ sign: " ", shown: numbered(first + f, " ", file[f]!) });
      o++;
      f++;
    } else if (f >= file.length || (o < old.length && common[o + 1]![f]! >= common[o]![f + 1]!)) {
      rows.push({ sign: "-", shown: numbered(null, "-", old[o++]!) });
    } else {
      rows.push({ sign: "+", shown: numbered(first + f, "+", file[f++]!) });
    }
  }
  const start = Math.max(0, rows.findIndex(({ sign }) => sign !== " ") - CONTEXT_LINES);
  const shown = rows.slice(start, start + MAX_DIFF_LINES).map((row) => row.shown);
  return (start + MAX_DIFF_LINES < rows.length ? [...shown, "…"] : shown).join("\n");
}

function numbered(index: number | null, sign: string, line: string): string {
  return `${(index === null ? "" : String(index + 1)).padStart(6)} ${sign} ${clip(line, MAX_LINE_CHARS)}`;
}

/** `lengths[o][f]`: how many lines the tails of both from there on have in common, in order. */
function commonLengths(old: readonly string[], file: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(file.length + 1).fill(0));
  for (let o = old.length - 1; o >= 0; o--) {
    for (let f = file.length - 1; f >= 0; f--) {
      const skipped = Math.max(lengths[o + 1]![f]!, lengths[o]![f + 1]!);
      lengths[o]![f] = old[o] === file[f] ? lengths[o + 1]![f + 1]! + 1 : skipped;
    }
  }
  return lengths;
}
