/*
 * Finds the place of an edit at four levels, each more forgiving about whitespace and spelling, none about the text itself.
 *
 * L1 and L2 search characters, L3 and L4 whole lines: every line is numbered by its text without whitespace around it, and
 * the numbers are searched. Each level is linear in the file, also in one of endlessly repeated lines.
 */
import { withLf } from "./line-endings.js";
import { canonical, isBlank, trimmedRange } from "./line-text.js";
import { findInNumbers, findInText } from "./sequence-search.js";
import { type TextLines, textLines } from "./text-lines.js";

/** A part of a string, by offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SpanMatch {
  readonly level: 1 | 2;
  /** Offsets, ascending; each span ends where `ends` says at the same index. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export type EditMatch =
  | SpanMatch
  | {
      readonly level: 3 | 4;
      readonly lines: TextLines;
      readonly block: LineBlock;
      /** First lines, from 0. */
      readonly hits: readonly number[];
    };

/** A text taken as whole lines, its blank lines at both ends set apart. */
export interface LineBlock {
  readonly blankBefore: readonly string[];
  readonly core: readonly string[];
  readonly blankAfter: readonly string[];
  /** Whether the last line is complete. Blanks behind its ending belong to the line that follows, and are left out. */
  readonly isEnded: boolean;
}

/** Every match of the first level that has any, overlapping ones too; `null` when none has. */
export function findMatches(text: string, old: string): EditMatch | null {
  const exact = findInText(text, old);
  if (exact.length === 0) return findIgnoringEndings(text, old) ?? findLines(text, old);
  // Blocks that differ in line endings alone look the same to a reader of the file, so neither is the one that was meant.
  const isTextOverLines = /[\r\n]/.test(old) && /[^\r\n]/.test(old);
  const alike = isTextOverLines && text.includes("\r") ? findIgnoringEndings(text, old) : null;
  if (alike && alike.starts.length > exact.length) return alike;
  const ends = exact.map((start) => start + old.length);
  return { level: 1, starts: old.startsWith("\n") ? exact.map((start) => wholeEnding(text, start)) : exact, ends };
}

/** Blank lines at the beginning count as before the core when there is not one. */
export function toBlock(text: string): LineBlock {
  const lines = text.split(/\r\n|\n|\r/);
  const isEnded = lines.length > 1 && isBlank(lines.at(-1)!);
  if (isEnded) lines.pop();
  const first = lines.findIndex((line) => !isBlank(line));
  if (first === -1) return { blankBefore: lines, core: [], blankAfter: [], isEnded };
  const last = lines.findLastIndex((line) => !isBlank(line));
  return {
    blankBefore: lines.slice(0, first),
    core: lines.slice(first, last + 1),
    blankAfter: lines.slice(last + 1),
    isEnded,
  };
}

/** A hit that begins with the LF of a CRLF takes the CR along: half a line ending must not stay behind. */
function wholeEnding(text: string, start: number): number {
  return start > 0 && text.charCodeAt(start - 1) === 13 ? start - 1 : start;
}

function findIgnoringEndings(text: string, old: string): SpanMatch | null {
  if (!text.includes("\r") && !old.includes("\r")) return null;
  const plainOld = withLf(old);
  const plainStarts = findInText(withLf(text), plainOld);
  if (plainStarts.length === 0) return null;
  const starts = realOffsets(text, plainStarts);
  const ends = realOffsets(
    text,
    plainStarts.map((start) => start + plainOld.length),
  );
  return { level: 2, starts, ends };
}

/** Ascending offsets in a string without the CRs of its CRLFs, as offsets in the text itself. */
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
  if (block.core.length === 0) return null;
  const { bare, indented, wanted } = numberLines(canonical(text), block.core.map(canonical));

  const [first, ...others] = wanted;
  const trimmed =
    others.length === 0
      ? findInNumbers(bare, [first!.bare])
      : findInNumbers(
          indented,
          others.map((line) => line.indented),
        )
          .map((hit) => hit - 1)
          .filter((hit) => hit >= 0 && bare[hit] === first!.bare);
  if (trimmed.length > 0) return { level: 3, lines: textLines(text), block, hits: trimmed };

  const hits = findInNumbers(
    bare,
    wanted.map((line) => line.bare),
  );
  return hits.length > 0 ? { level: 4, lines: textLines(text), block, hits } : null;
}

/**
 * Numbers the lines of a string by their content, with and without indentation; `-1` for those that are not wanted.
 * Texts are in their canonical spelling, which has as many lines as any other.
 */
function numberLines(text: string, wantedLines: readonly string[]) {
  const bareNumbers = new Map<string, number>();
  const indentedNumbers = new Map<string, number>();
  const numberIn = (numbers: Map<string, number>, key: string) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  };
  const lengths = new Set<number>();
  const wanted = wantedLines.map((line) => {
    const { from, to } = trimmedRange(line, 0, line.length);
    lengths.add(to - from);
    const content = from === to ? "" : line.slice(0, to);
    return { bare: numberIn(bareNumbers, line.slice(from, to)), indented: numberIn(indentedNumbers, content) };
  });

  const lines = textLines(text);
  const bare = new Int32Array(lines.count).fill(-1);
  const indented = new Int32Array(lines.count).fill(-1);
  for (let index = 0; index < lines.count; index++) {
    const start = lines.starts[index]!;
    const { from, to } = trimmedRange(text, start, lines.ends[index]!);
    // The length alone rules most lines out, without a copy of any.
    if (!lengths.has(to - from)) continue;
    const number = bareNumbers.get(text.slice(from, to));
    if (number === undefined) continue;
    bare[index] = number;
    indented[index] = indentedNumbers.get(from === to ? "" : text.slice(start, to)) ?? -1;
  }
  return { bare, indented, wanted };
}
