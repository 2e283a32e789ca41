// Line numbers that were copied along with the lines of a listing.

/** The line numbers that read_file, grep, `cat -n` and editors put in front of lines. */
const LINE_NUMBER = /^\s*(\d+)(\t|→|:| ?[|│] ?)/;

/** Lines as a listing shows them. */
export interface NumberedLines {
  readonly bare: readonly string[];
  readonly first: number;
  /** The separator of number and line. */
  readonly mark: string;
}

/** The lines without their numbers; `null` unless every line has one, with the same mark, and they ascend. */
export function readNumbered(lines: readonly string[]): NumberedLines | null {
  const found = lines.map((line) => LINE_NUMBER.exec(line));
  const [first] = found;
  if (!first) return null;
  let last = -1;
  for (const each of found) {
    if (!each || each[2] !== first[2] || Number(each[1]) <= last) return null;
    last = Number(each[1]);
  }
  return {
    bare: lines.map((line, index) => line.slice(found[index]![0].length)),
    first: Number(first[1]),
    mark: first[2]!,
  };
}

/**
 * A new text without the line numbers that its old text had, too; `null` when only some of its lines have one.
 *
 * They need not ascend: a model numbers the lines it puts in as it likes.
 */
export function withoutNumbers(text: string, mark: string): string | null {
  const lines = text.split("\n");
  const found = lines.map((line) => {
    const number = LINE_NUMBER.exec(line);
    return number?.[2] === mark ? number[0].length : 0;
  });
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [found[index]!]));
  if (filled.every((length) => length === 0)) return text;
  if (filled.some((length) => length === 0)) return null;
  return lines.map((line, index) => line.slice(found[index])).join("\n");
}
