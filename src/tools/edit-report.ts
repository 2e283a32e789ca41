import type { HarnessErrorOptions } from "../contracts/errors.js";
import { closestRegion } from "./closest-region.js";
import { toBlock } from "./edit-match.js";
import { canonical, isBlank } from "./line-text.js";
import { lineNumbers, textLines } from "./text-lines.js";

const MAX_LISTED_LINES = 200;
const MAX_DIFF_LINES = 24;
const CONTEXT_LINES = 2;
const MAX_ALIGNED_LINES = 200;
const MAX_LINE_CHARS = 120;
const HEAD_CHARS = 500;
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
  const wanted = toBlock(oldText).core;
  const lines = textLines(text);
  const first = unevenLine ?? closestRegion(text, lines, wanted);
  if (first === null)
    return { message: `old_text was not found, nor anything like it. ${beginningOf(text)}${numberHint(wanted)}` };

  const last = Math.min(lines.count, first + wanted.length) - 1;
  const region: string[] = [];
  for (let index = first; index <= last; index++) region.push(text.slice(lines.starts[index], lines.ends[index]));
  const diff = lineDiff(wanted, region, first, unevenLine !== undefined);
  const why =
    unevenLine === undefined ? missHint(wanted, region) : " Its lines are indented unevenly against old_text.";
  const place = first === last ? `is line ${first + 1}` : `are lines ${first + 1}-${last + 1}`;
  return {
    message: `old_text was not found.${why} The closest ${place} ("-" old_text, "+" the file):\n${diff}\n${HOW_TO_COPY}${numberHint(wanted)}`,
    details: { closest: { startLine: first + 1, endLine: last + 1 } },
  };
}

function beginningOf(text: string): string {
  if (text === "") return "The file is empty.";
  const isWhole = text.length <= HEAD_CHARS;
  const head = headOf(text, HEAD_CHARS);
  return `${isWhole ? "The whole file" : `The first ${HEAD_CHARS} characters of the file`}:\n${head}`;
}

function numberHint(wanted: readonly string[]): string {
  const isNumbered = wanted.length > 0 && wanted.every((line) => isBlank(line) || /^\s*\d+\t/.test(line));
  return isNumbered ? "\nold_text seems to carry the line numbers of read_file: leave them and the tab out." : "";
}

function missHint(wanted: readonly string[], region: readonly string[]): string {
  const isSame = (fold: (line: string) => string) => wanted.map(fold).join("\n") === region.map(fold).join("\n");
  const bare = (line: string) => canonical(line).replace(/\s+/g, "");
  if (isSame(bare)) return " It differs only in blanks within lines.";
  return isSame((line) => bare(line).toLowerCase()) ? " It differs only in letter case." : "";
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
  const shown = line.length > MAX_LINE_CHARS ? `${headOf(line, MAX_LINE_CHARS)}…` : line;
  return `${(index === null ? "" : String(index + 1)).padStart(6)} ${sign} ${shown}`;
}

/** Never half a character at its end. */
function headOf(text: string, length: number): string {
  const head = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
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
