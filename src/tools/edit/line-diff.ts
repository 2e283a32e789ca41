import { clip } from "../../text/cut.js";
import { canonical } from "./line-text.js";
import type { Region } from "./verbatim-lines.js";

const MAX_ROWS = 30;
const CONTEXT_LINES = 2;
const MAX_ALIGNED_LINES = 200;
/** The shown lines of one run that only the old text has. */
const MAX_OLD_RUN = 6;
/** Lines of the old text are cut here; those of the file never are, since they are there to be copied. */
const MAX_OLD_CHARS = 120;
/** The limit of all rows. Lines that do not fit are named, not shown. */
const MAX_CHARS = 3_000;

type Row =
  | { readonly sign: "-"; readonly line: string }
  | { readonly sign: " " | "+"; readonly line: string; readonly number: number };

/** Lines of both from shortly before the first difference on, those of the file whole and numbered. */
export function lineDiff(wanted: readonly string[], { first, lines }: Region): string {
  const old = wanted.slice(0, MAX_ALIGNED_LINES);
  const file = lines.slice(0, MAX_ALIGNED_LINES);
  const key = (line: string) => canonical(line).trim();
  const oldKeys = old.map(key);
  const fileKeys = file.map(key);
  const common = commonLengths(oldKeys, fileKeys);
  const rows: Row[] = [];
  for (let o = 0, f = 0; o < old.length || f < file.length; ) {
    if (o < old.length && f < file.length && oldKeys[o] === fileKeys[f]) {
      rows.push({ sign: " ", line: file[f]!, number: first + f + 1 });
      o++;
      f++;
    } else if (f >= file.length || (o < old.length && common[o + 1]![f]! >= common[o]![f + 1]!)) {
      rows.push({ sign: "-", line: old[o++]! });
    } else {
      rows.push({ sign: "+", line: file[f]!, number: first + f + 1 });
      f++;
    }
  }
  const start = Math.max(0, rows.findIndex(({ sign }) => sign !== " ") - CONTEXT_LINES);
  return shown(withShortRuns(rows.slice(start)));
}

/** Lines of the file, numbered. */
export function numberedLines({ first, lines }: Region): string {
  return shown(lines.map((line, index) => ({ sign: " " as const, line, number: first + index + 1 })));
}

/** A long run of lines that only the old text has must not push out the lines of the file. */
function withShortRuns(rows: readonly Row[]): Row[] {
  const kept: Row[] = [];
  let run = 0;
  for (const [index, row] of rows.entries()) {
    run = row.sign === "-" ? run + 1 : 0;
    if (run <= MAX_OLD_RUN) kept.push(row);
    else if (rows[index + 1]?.sign !== "-")
      kept.push({ sign: "-", line: `[${run - MAX_OLD_RUN} more lines of old_text]` });
  }
  return kept;
}

function shown(rows: readonly Row[]): string {
  let room = MAX_CHARS;
  const texts = rows.slice(0, MAX_ROWS).map((row) => {
    const text = rowText(row, room);
    room -= text.length + 1;
    return text;
  });
  return (rows.length > MAX_ROWS ? [...texts, `[${rows.length - MAX_ROWS} more lines]`] : texts).join("\n");
}

function rowText(row: Row, room: number): string {
  if (row.sign === "-") {
    return `       - ${clip(row.line, MAX_OLD_CHARS)}`;
  }
  const { sign, line, number } = row;
  const isFitting = line.length <= Math.min(room, MAX_CHARS / 2);
  const content = isFitting ? line : `[a line of ${line.length} characters: see read_file, offset=${number}, limit=1]`;
  return `${String(number).padStart(6)} ${sign} ${content}`;
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
