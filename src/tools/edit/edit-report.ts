import type { HarnessErrorOptions } from "../../contracts/errors.js";
import { firstCharacters } from "../../text/cut.js";
import { toBlock } from "./edit-match.js";
import { lineDiff, numberedLines } from "./line-diff.js";
import { findNearMiss } from "./near-miss.js";
import { lineNumbers, textLines } from "./text-lines.js";
import { findVerbatim, type Region, regionAt } from "./verbatim-lines.js";

/** Named in the message, and in its details. */
const MAX_NAMED_LINES = 10;
const MAX_LISTED_LINES = 100;
const HEAD_CHARS = 500;

/** The model's message when `old_text` is found more than once. */
export function describeAmbiguity(text: string, offsets: readonly number[], level: number): HarnessErrorOptions {
  const all = lineNumbers(text, offsets).filter((line, index, lines) => line !== lines[index - 1]);
  const named = all.slice(0, MAX_NAMED_LINES);
  const more = all.length > named.length ? ` and ${all.length - named.length} more` : "";
  const where = all.length === 1 ? "all on line" : "at lines";
  const how = [
    "",
    "",
    " (except for line endings)",
    " (except for surrounding whitespace)",
    " (except for indentation)",
  ];
  return {
    message: `old_text matches ${offsets.length} places${how[level]}, ${where} ${named.join(", ")}${more}. Add the lines around the one you mean until it is unique, or set replace_all to change them all.`,
    details: { level, matches: offsets.length, lines: all.slice(0, MAX_LISTED_LINES) },
  };
}

/** The model's message when `old_text` is there, but it is not certain how deep the new lines belong. */
export function describeUnevenness(text: string, oldText: string, hit: number): HarnessErrorOptions {
  const region = regionAt(text, textLines(text), hit, toBlock(oldText).core.length);
  return {
    message: `old_text is in the file, but indented differently, so it is not certain how deeply to indent new_text. Nothing was changed. The file has, ${placeOf(region)}:\n${numberedLines(region)}\nCopy old_text from these lines with exactly this indentation, and indent new_text in the same way.`,
    details: { closest: linesOf(region) },
  };
}

/** The model's message when `old_text` is not in the file: the closest lines and how they differ, or how the file begins. */
export function describeMiss(text: string, oldText: string): HarnessErrorOptions {
  const lines = textLines(text);
  const { core } = toBlock(oldText);
  const near = findNearMiss(text, lines, oldText);
  if (near) return describeRegion(near.wanted, near.region, [], near.why);
  const found = findVerbatim(text, lines, core);
  if (found) return describeRegion(core, found.closest, found.others, "");
  return { message: `old_text was not found in the file, nor anything like it. ${beginningOf(text)}` };
}

function describeRegion(
  wanted: readonly string[],
  region: Region,
  others: readonly Region[],
  why: string,
): HarnessErrorOptions {
  const found = ["old_text was not found in the file.", why].filter((part) => part !== "").join(" ");
  const diff = lineDiff(wanted, region);
  const elsewhere = others.map(
    (each) => `Other lines of old_text are in the file, ${placeOf(each)}:\n${numberedLines(each)}\n`,
  );
  return {
    message: `${found} The closest ${region.lines.length === 1 ? "is" : "are"} ${placeOf(region)} ("-" is old_text, "+" and unmarked lines are the file):\n${diff}\n${elsewhere.join("")}Copy old_text from the lines of the file, exactly as they are.`,
    details: { closest: linesOf(region) },
  };
}

function placeOf(region: Region): string {
  const { startLine, endLine } = linesOf(region);
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function linesOf({ first, lines }: Region): { startLine: number; endLine: number } {
  return { startLine: first + 1, endLine: first + lines.length };
}

function beginningOf(text: string): string {
  if (text === "") return "The file is empty. To fill it, send an empty old_text.";
  const isWhole = text.length <= HEAD_CHARS;
  const head = firstCharacters(text, HEAD_CHARS);
  return `${isWhole ? "The whole file" : `The first ${HEAD_CHARS} characters of the file`}:\n${head}`;
}
