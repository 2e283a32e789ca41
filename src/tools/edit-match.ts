/*
 * Finds the place of an edit at four levels, each more forgiving about blanks and spelling, none about the text itself.
 *
 * L1 and L2 search characters, L3 and L4 whole lines: every line is numbered by its text without blanks around it, and
 * the numbers are searched. Each level is linear in the file.
 */
import { canonical, hasOnlyAscii, indentationOf, isBlank, trimmedRange } from "./line-text.js";
import { findInNumbers, findInText } from "./sequence-search.js";
import { type TextLines, textLines } from "./text-lines.js";

/** A part of a text, by offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type EditMatch =
  | { readonly level: 1 | 2; readonly spans: readonly Span[] }
  | {
      readonly level: 3 | 4;
      readonly lines: TextLines;
      readonly block: Block;
      /** First lines, from 0. */
      readonly hits: readonly number[];
    };

/** A text taken as whole lines, its blank lines at both ends set apart. */
export interface Block {
  readonly blankBefore: readonly string[];
  readonly core: readonly string[];
  readonly blankAfter: readonly string[];
  /** Whether the last line is complete. */
  readonly isEnded: boolean;
  /** Blanks after the last line ending. */
  readonly rest: string;
}

/** Every match of the first level that has any, overlapping ones too; `null` when none has. */
export function findMatches(text: string, old: string): EditMatch | null {
  const exact = findInText(text, old);
  if (exact.length > 0) return { level: 1, spans: exact.map((start) => wholeEnding(text, start, start + old.length)) };
  const spans = findIgnoringEndings(text, old);
  if (spans.length > 0) return { level: 2, spans };
  return findLines(text, old);
}

/** Blank lines at the beginning count as before the core when there is none. */
export function toBlock(text: string): Block {
  const lines = text.split(/\r\n|\n|\r/);
  const isEnded = lines.length > 1 && isBlank(lines.at(-1)!);
  const rest = isEnded ? lines.pop()! : "";
  const first = lines.findIndex((line) => !isBlank(line));
  if (first === -1) return { blankBefore: lines, core: [], blankAfter: [], isEnded, rest };
  const last = lines.findLastIndex((line) => !isBlank(line));
  return {
    blankBefore: lines.slice(0, first),
    core: lines.slice(first, last + 1),
    blankAfter: lines.slice(last + 1),
    isEnded,
    rest,
  };
}

/** A hit that begins with the LF of a CRLF takes the CR along: half a line ending must not stay behind. */
function wholeEnding(text: string, start: number, end: number): Span {
  const splits = text.charCodeAt(start) === 10 && start > 0 && text.charCodeAt(start - 1) === 13;
  return { start: splits ? start - 1 : start, end };
}

function findIgnoringEndings(text: string, old: string): Span[] {
  const carriageReturn = text.indexOf("\r");
  if (carriageReturn === -1 && !old.includes("\r")) return [];
  const plain = carriageReturn === -1 ? text : text.replace(/\r\n?/g, "\n");
  const plainOld = old.replace(/\r\n?/g, "\n");
  const starts = findInText(plain, plainOld);
  const ends = starts.map((start) => start + plainOld.length);
  const realStarts = realOffsets(text, starts);
  const realEnds = realOffsets(text, ends);
  return realStarts.map((start, index) => ({ start, end: realEnds[index]! }));
}

/** Ascending offsets in a text without the CRs of its CRLFs, as offsets in the text itself. */
function realOffsets(text: string, offsets: readonly number[]): number[] {
  let pair = text.indexOf("\r\n");
  let passed = 0;
  return offsets.map((offset) => {
    while (pair !== -1 && pair - passed < offset) {
      passed++;
      pair = text.indexOf("\r\n", pair + 2);
    }
    return offset + passed;
  });
}

function findLines(text: string, old: string): EditMatch | null {
  const block = toBlock(old);
  const [first, ...others] = block.core;
  if (first === undefined) return null;
  const lines = textLines(text);
  const { bare, indented, bareOf, indentedOf } = numberLines(text, lines, block.core);

  const exactOthers = others.map(indentedOf);
  const trimmed =
    others.length === 0
      ? findInNumbers(bare, [bareOf(first)])
      : findInNumbers(indented, exactOthers)
          .map((hit) => hit - 1)
          .filter((hit) => hit >= 0 && bare[hit] === bareOf(first));
  if (trimmed.length > 0) return { level: 3, lines, block, hits: trimmed };

  const hits = findInNumbers(bare, block.core.map(bareOf));
  return hits.length > 0 ? { level: 4, lines, block, hits } : null;
}

/** Numbers the file's lines by their text, with and without indentation; `-1` for those the old text has not. */
function numberLines(text: string, lines: TextLines, wanted: readonly string[]) {
  const bareNumbers = new Map<string, number>();
  const indentedNumbers = new Map<string, number>();
  const numberIn = (numbers: Map<string, number>, key: string) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  };
  const bareOf = (line: string) => numberIn(bareNumbers, bareText(line));
  const indentedOf = (line: string) => numberIn(indentedNumbers, indentedText(line));
  const lengths = new Set<number>();
  for (const line of wanted) {
    bareOf(line);
    indentedOf(line);
    lengths.add(bareText(line).length);
  }

  const isAscii = hasOnlyAscii(text);
  const bare = new Int32Array(lines.count).fill(-1);
  const indented = new Int32Array(lines.count).fill(-1);
  for (let index = 0; index < lines.count; index++) {
    const start = lines.starts[index]!;
    const { from, to } = trimmedRange(text, start, lines.ends[index]!);
    // In ASCII the length alone rules most lines out, without a copy of any.
    if (isAscii && !lengths.has(to - from)) continue;
    const key = canonical(text.slice(from, to));
    const number = bareNumbers.get(key);
    if (number === undefined) continue;
    bare[index] = number;
    const indentation = key === "" ? "" : canonical(text.slice(start, from));
    indented[index] = indentedNumbers.get(indentation + key) ?? -1;
  }
  return { bare, indented, bareOf, indentedOf };
}

function bareText(line: string): string {
  const { from, to } = trimmedRange(line, 0, line.length);
  return canonical(line.slice(from, to));
}

function indentedText(line: string): string {
  const bare = bareText(line);
  return bare === "" ? "" : canonical(indentationOf(line)) + bare;
}
