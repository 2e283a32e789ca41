/** How one line of the old text is indented, and the line of the file it stands for. */
export interface IndentationPair {
  readonly old: string;
  readonly file: string;
}

/** Gives a line of the new text the indentation it has to have in the file. */
export type Reindent = (indentation: string) => string;

/**
 * The one rule that turns the old text's indentation into the file's, for lines between and beyond those seen, too.
 *
 * Found, in this order: the same blanks taken away and put in front everywhere (a shift), or one unit for another, as 2
 * for 4 blanks or 4 blanks for a tab (a scale), or else a table in which deeper stays deeper. `null` when lines moved
 * unevenly: then nobody knows where new lines belong. `added` is the indentation of the new text's lines; it shows the
 * unit of a text that comes in blanks into a file of tabs, when the old text has one depth only.
 */
export function indentationRule(pairs: readonly IndentationPair[], added: readonly string[]): Reindent | null {
  const table = new Map<string, string>();
  for (const { old, file } of pairs) {
    if ((table.get(old) ?? file) !== file) return null;
    table.set(old, file);
  }
  const rows = [...table].map(([old, file]) => ({ old, file })).sort((a, b) => widthOf(a.old) - widthOf(b.old));
  if (rows.every(({ old, file }) => old === file)) return (indentation) => indentation;
  return unitRule(rows, added) ?? shiftRule(rows) ?? scaleRule(rows) ?? tableRule(rows);
}

/** One depth only, and blanks on one side where the other has tabs. */
function unitRule(rows: readonly IndentationPair[], added: readonly string[]): Reindent | null {
  const [row] = rows;
  if (rows.length !== 1 || !row || row.file === "") return null;
  const fileBlank = blankOf([row.file]);
  const oldBlank = blankOf([row.old, ...added]);
  if (fileBlank === null || oldBlank === null || fileBlank === oldBlank) return null;
  const perUnit = row.old.length / row.file.length;
  if (row.old !== "" && (fileBlank === " " || (Number.isInteger(perUnit) && perUnit > 1))) {
    return scaleRule([{ old: "", file: "" }, row]);
  }
  const steps = added.map((each) => Math.abs(each.length - row.old.length)).filter((step) => step > 0);
  if (fileBlank === " " || steps.length === 0) return null;
  const deeper = { old: row.old + oldBlank.repeat(Math.min(...steps)), file: `${row.file}\t` };
  return scaleRule([row, deeper]);
}

function shiftRule(rows: readonly IndentationPair[]): Reindent | null {
  const { old, file } = rows[0]!;
  let common = 0;
  while (common < Math.min(old.length, file.length) && old.at(-1 - common) === file.at(-1 - common)) common++;
  const taken = old.slice(0, old.length - common);
  const put = file.slice(0, file.length - common);
  const isShift = rows.every((row) => row.old.startsWith(taken) && row.file === put + row.old.slice(taken.length));
  if (!isShift) return null;
  return (indentation) => {
    if (indentation.startsWith(taken)) return put + indentation.slice(taken.length);
    // Less indented than anything in the old text: as far out as the shift leaves room for.
    return put.slice(0, Math.max(0, put.length - (taken.length - indentation.length)));
  };
}

function scaleRule(rows: readonly IndentationPair[]): Reindent | null {
  const [first, second] = rows;
  const oldBlank = blankOf(rows.map((row) => row.old));
  const fileBlank = blankOf(rows.map((row) => row.file));
  if (!first || !second || oldBlank === null || fileBlank === null) return null;
  const oldStep = second.old.length - first.old.length;
  const fileStep = second.file.length - first.file.length;
  if (oldStep <= 0 || fileStep <= 0) return null;
  const unit = greatestDivisor(oldStep, fileStep);
  const oldUnit = oldStep / unit;
  const fileUnit = fileStep / unit;
  const rule: Reindent = (indentation) => {
    if (indentation !== oldBlank.repeat(indentation.length)) return indentation;
    const beyond = indentation.length - first.old.length;
    const units = Math.trunc(beyond / oldUnit);
    const rest = Math.max(0, beyond - units * oldUnit);
    return fileBlank.repeat(Math.max(0, first.file.length + units * fileUnit)) + oldBlank.repeat(rest);
  };
  return rows.every(({ old, file }) => rule(old) === file) ? rule : null;
}

function tableRule(rows: readonly IndentationPair[]): Reindent | null {
  const deepens = rows.every(
    ({ old, file }, index) =>
      index === 0 || (widthOf(old) > widthOf(rows[index - 1]!.old) && widthOf(file) > widthOf(rows[index - 1]!.file)),
  );
  if (!deepens) return null;
  return (indentation) => {
    const nearest = rows.findLast(({ old }) => indentation.startsWith(old));
    return nearest ? nearest.file + indentation.slice(nearest.old.length) : "";
  };
}

/** The character all of them consist of; `null` when they mix. */
function blankOf(indentations: readonly string[]): string | null {
  const blank = indentations.find((each) => each !== "")?.[0] ?? " ";
  return indentations.every((each) => each === blank.repeat(each.length)) ? blank : null;
}

/** Only for comparing depths; tabs reach to the next multiple of 8. */
function widthOf(indentation: string): number {
  let width = 0;
  for (const character of indentation) width = character === "\t" ? width + 8 - (width % 8) : width + 1;
  return width;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
