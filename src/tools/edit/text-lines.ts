/** The start and the end of each line of a string. A last line without content, after a final line ending, is not a line. */
export interface TextLines {
  readonly count: number;
  readonly starts: Int32Array;
  /** Without the line ending. */
  readonly ends: Int32Array;
  /** With the line ending; equals `ends` for a last line without one. */
  readonly nexts: Int32Array;
}

/** The character that ends lines: LF (perhaps after CR), or CR in a string that has no LF. */
export function lineBreakOf(text: string): "\n" | "\r" {
  return !text.includes("\n") && text.includes("\r") ? "\r" : "\n";
}

/** Splits without copying the lines. Linear. */
export function textLines(text: string): TextLines {
  const lineBreak = lineBreakOf(text);
  const capacity = countOf(text, lineBreak) + 1;
  const starts = new Int32Array(capacity);
  const ends = new Int32Array(capacity);
  const nexts = new Int32Array(capacity);
  let count = 0;
  for (let start = 0; start < text.length; count++) {
    const found = text.indexOf(lineBreak, start);
    const end = found === -1 ? text.length : found;
    starts[count] = start;
    ends[count] = end > start && found !== -1 && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    nexts[count] = found === -1 ? end : end + 1;
    start = nexts[count]!;
  }
  return { count, starts, ends, nexts };
}

/** The numbers, from 1, of the lines that ascending offsets lie in. Linear. */
export function lineNumbers(text: string, offsets: readonly number[]): number[] {
  const lineBreak = lineBreakOf(text);
  let line = 1;
  let next = text.indexOf(lineBreak);
  return offsets.map((offset) => {
    while (next !== -1 && next < offset) {
      line++;
      next = text.indexOf(lineBreak, next + 1);
    }
    return line;
  });
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}
