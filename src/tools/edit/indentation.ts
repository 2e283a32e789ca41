/** The indentation of a line of the old text, and of the line of the file it matched. */
export interface IndentationPair {
  readonly old: string;
  readonly file: string;
}

/** The indentation that a line of the new text gets in the file; `null` when that is not certain. */
export type Reindent = (indentation: string) => string | null;

export interface Surroundings {
  /** The indentations of the new text's lines. */
  readonly added: readonly string[];
  /** The indentation of the nearest line above the block that is less indented; `null` when there is not one. */
  outer(): string | null;
}

/**
 * The rule that turns indentations of the old text into those of the file, for new depths as far as they follow from it.
 *
 * A depth the old text has gets what the file has there. Another one gets it where one mapping explains all lines: the
 * same whitespace in front of all (a shift), or one unit for another, as 2 for 4 spaces or 4 spaces for a tab (a scale).
 * From one depth alone a shift is taken only where the new text has a line of that depth, and its steps are the file's.
 * `null` when the old text has one indentation for several of the file's: then there is no rule.
 */
export function indentationRule(pairs: readonly IndentationPair[], surroundings: Surroundings): Reindent | null {
  const table = new Map<string, string>();
  for (const { old, file } of pairs) {
    if ((table.get(old) ?? file) !== file) return null;
    table.set(old, file);
  }
  const rows = [...table].map(([old, file]) => ({ old, file })).sort((a, b) => widthOf(a.old) - widthOf(b.old));
  if (rows.every(({ old, file }) => old === file)) return (indentation) => indentation;
  if (!rows.every((row, index) => index === 0 || widthOf(row.file) > widthOf(rows[index - 1]!.file))) return null;
  const [only, ...others] = rows;
  const beyond = others.length === 0 ? oneDepthRule(only!, surroundings) : (shiftRule(rows) ?? scaleRule(rows));
  return (indentation) => table.get(indentation) ?? beyond?.(indentation) ?? null;
}

/** Two depths or more, each with the same whitespace taken away and put in front. */
function shiftRule(rows: readonly IndentationPair[]): Reindent | null {
  const { old, file } = rows[0]!;
  let common = 0;
  while (common < Math.min(old.length, file.length) && old.at(-1 - common) === file.at(-1 - common)) common++;
  const taken = old.slice(0, old.length - common);
  const put = file.slice(0, file.length - common);
  if (!rows.every((row) => row.old.startsWith(taken) && row.file === put + row.old.slice(taken.length))) return null;
  const isPure = blankOf(rows.map((row) => row.file)) !== null;
  return (indentation) => {
    if (!indentation.startsWith(taken)) return null;
    const shifted = put + indentation.slice(taken.length);
    return isPure && blankOf([...rows.map((row) => row.file), shifted]) === null ? null : shifted;
  };
}

/** Two depths or more that lie on one line: new depths have to be whole steps of the old text. */
function scaleRule(rows: readonly IndentationPair[]): Reindent | null {
  const oldBlank = blankOf(rows.map((row) => row.old));
  const fileBlank = blankOf(rows.map((row) => row.file));
  if (oldBlank === null || fileBlank === null) return null;
  const [first, second] = rows as [IndentationPair, IndentationPair];
  const oldStep = second.old.length - first.old.length;
  const fileStep = second.file.length - first.file.length;
  const unit = rows.reduce((steps, row) => greatestDivisor(steps, row.old.length - first.old.length), 0);
  const fileUnit = (unit * fileStep) / oldStep;
  const fileDepth = (length: number) => first.file.length + ((length - first.old.length) / unit) * fileUnit;
  const isLinear = rows.every((row) => fileDepth(row.old.length) === row.file.length);
  if (!isLinear || !Number.isInteger(fileUnit)) return null;
  return (indentation) => {
    const isWhole = (indentation.length - first.old.length) % unit === 0;
    const depth = fileDepth(indentation.length);
    const isSpelledAlike = indentation === oldBlank.repeat(indentation.length);
    return isWhole && isSpelledAlike && depth >= 0 ? fileBlank.repeat(depth) : null;
  };
}

/** One depth alone: whether the file's lines are shifted, or indented in other units, shows in what is around them. */
function oneDepthRule({ old, file }: IndentationPair, { added, outer }: Surroundings): Reindent | null {
  const fileBlank = blankOf([file]);
  const newBlank = blankOf([old, ...added]);
  if (fileBlank === null || newBlank === null) {
    if (!added.includes(old) || !file.endsWith(old)) return null;
    const put = file.slice(0, file.length - old.length);
    return (indentation) => (indentation.startsWith(old) ? put + indentation : null);
  }
  if (file !== "" && newBlank !== fileBlank) return otherBlankRule({ old, file }, added, fileBlank);
  if (!added.includes(old)) return null;
  const isDeeper = (indentation: string) => indentation.length > old.length;
  if (old === "" || file === "") {
    return (indentation) => (isDeeper(indentation) ? file + indentation.slice(old.length) : null);
  }
  return (indentation) => {
    const around = outer();
    if (around === null || blankOf([around, file]) === null) return null;
    const step = Math.abs(indentation.length - old.length);
    const fileStep = file.length - around.length;
    if (isDeeper(indentation)) return step % fileStep === 0 ? file + indentation.slice(old.length) : null;
    return step === fileStep ? around : null;
  };
}

/** Spaces in the new text where the file has tabs, or the other way round. */
function otherBlankRule({ old, file }: IndentationPair, added: readonly string[], fileBlank: string): Reindent | null {
  if (old !== "") {
    const units = fileBlank === "\t" ? old.length / file.length : file.length / old.length;
    if (!Number.isInteger(units) || units < 2) return null;
    return (indentation) => {
      const depth = fileBlank === "\t" ? indentation.length / units : indentation.length * units;
      return Number.isInteger(depth) ? fileBlank.repeat(depth) : null;
    };
  }
  const steps = added.map((each) => each.length).filter((length) => length > 0);
  const unit = steps.reduce(greatestDivisor, 0);
  // A text without indentation in a file of tabs: each step of it is one tab deeper.
  if (fileBlank !== "\t" || !added.includes("") || !steps.includes(unit)) return null;
  return (indentation) => file + "\t".repeat(indentation.length / unit);
}

/** The character all of them consist of; `null` when they mix. */
function blankOf(indentations: readonly string[]): string | null {
  const blank = indentations.find((each) => each !== "")?.[0] ?? " ";
  return indentations.every((each) => each === blank.repeat(each.length)) ? blank : null;
}

/** Only for comparing depths; tabs reach to the next multiple of 8. */
export function widthOf(indentation: string): number {
  let width = 0;
  for (const character of indentation) width = character === "\t" ? width + 8 - (width % 8) : width + 1;
  return width;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
