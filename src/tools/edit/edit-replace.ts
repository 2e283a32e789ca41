import { alignLines, type LineAlignment } from "./align-lines.js";
import { type EditMatch, type LineBlock, type Span, toBlock } from "./edit-match.js";
import { type IndentationPair, indentationRule, widthOf } from "./indentation.js";
import { bareLine, canonical, indentationOf, isBlank, trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

export interface Replacement extends Span {
  readonly added: string;
}

type LineMatch = Extract<EditMatch, { level: 3 | 4 }>;

/** The distance up the file in which a line is searched that is less indented than a block. */
const MAX_LOOKED_UP = 200;

/**
 * Says what to put where for a match of whole lines at line `hit`; `null` when it is not certain how deep a new line
 * belongs.
 *
 * Lines that the new text repeats keep the file's own bytes. Whitespace lines and the line ending at the ends of the old
 * text are taken with the hit as far as the file has them; the new text then has as many more or fewer of them as it has
 * compared with the old text.
 */
export function createLineReplacer(
  text: string,
  match: LineMatch,
  newText: string,
): (hit: number) => Replacement | null {
  const { lines, block } = match;
  const added = toBlock(newText);
  const isNothing = newText === "";
  const coreAt = createCoreWriter(text, match, added);
  const isBlankAt = (index: number) => {
    if (index < 0 || index >= lines.count) return false;
    const { from, to } = trimmedRange(text, lines.starts[index]!, lines.ends[index]!);
    return from === to;
  };

  return (hit) => {
    const core = coreAt(hit);
    if (core === null) return null;
    let first = hit;
    while (hit - first < block.blankBefore.length && isBlankAt(first - 1)) first--;
    const lastOfCore = hit + block.core.length - 1;
    let last = lastOfCore;
    while (last - lastOfCore < block.blankAfter.length && isBlankAt(last + 1)) last++;

    const blankBefore = surplus(added.blankBefore, hit - first - block.blankBefore.length, "start");
    const blankAfter = surplus(added.blankAfter, last - lastOfCore - block.blankAfter.length, "end");
    const content = [...blankBefore, ...core, ...blankAfter].join("\n");
    return endReplacement(lines, { first, last }, content, { old: block, added, isNothing });
  };
}

/** The new text's lines as the place asks for; worked out once for all places that are alike. */
function createCoreWriter(text: string, match: LineMatch, added: LineBlock): (hit: number) => readonly string[] | null {
  const { lines, block } = match;
  const alignment = alignLines(block.core, added.core);
  const known = new Map<string, readonly string[] | null>();
  return (hit) => {
    const last = hit + block.core.length - 1;
    const whole = text.slice(lines.starts[hit], lines.ends[last]);
    const outer = once(() => outerIndentation(text, lines, hit, last));
    if (known.has(whole)) return known.get(whole)!;
    const file = block.core.map((_, index) => text.slice(lines.starts[hit + index], lines.ends[hit + index]));
    const core = writeCore({ match, added, alignment, file, outer: outer.get });
    if (!outer.isNeeded) known.set(whole, core);
    return core;
  };
}

function endReplacement(
  lines: TextLines,
  { first, last }: { first: number; last: number },
  content: string,
  { old, added, isNothing }: { old: LineBlock; added: LineBlock; isNothing: boolean },
): Replacement {
  const start = lines.starts[first]!;
  if (!old.isEnded) {
    return { start, end: lines.ends[last]!, added: added.isEnded ? `${content}\n` : content };
  }
  const end = lines.nexts[last]!;
  const isEndedInFile = end > lines.ends[last]!;
  if (isNothing) {
    // The file's last line goes as a whole, so the line ending before it goes instead of its own.
    return { start: isEndedInFile || first === 0 ? start : lines.ends[first - 1]!, end, added: "" };
  }
  if (!isEndedInFile) return { start, end, added: content };
  // Whole lines matched, so the line behind them stays one of its own, also when the new text has no line ending.
  return { start, end, added: `${content}\n` };
}

/** The blank lines of the new text, fewer by those of the old text that the file does not have. */
function surplus(blank: readonly string[], missing: number, keep: "start" | "end"): readonly string[] {
  const count = Math.max(0, blank.length + missing);
  return keep === "start" ? blank.slice(blank.length - count) : blank.slice(0, count);
}

interface Writing {
  readonly match: LineMatch;
  readonly added: LineBlock;
  readonly alignment: LineAlignment;
  /** The lines of the file that matched, as they are. */
  readonly file: readonly string[];
  outer(): string | null;
}

/** The new lines in the file's indentation; `null` when that of one of them is not certain. */
function writeCore(writing: Writing): readonly string[] | null {
  const { match, added, alignment, file } = writing;
  const old = match.block.core;
  const rule = ruleOf(writing);
  if (rule === null && hasLostParent(alignment, added.core, old, file)) return null;
  // Whitespace behind the block that comes with both texts is not part of the edit.
  const behind = trailingBlanks(old.at(-1)!);
  const isBehindBoth = behind !== "" && trailingBlanks(added.core.at(-1) ?? "").endsWith(behind);
  const withoutEnd = (lines: readonly string[]) =>
    isBehindBoth ? lines.with(-1, lines.at(-1)!.slice(0, -behind.length)) : lines;
  const [oldCore, newCore] = [withoutEnd(old), withoutEnd(added.core)];
  const core: string[] = [];
  for (const [index, line] of newCore.entries()) {
    const isTrailedAlike = (at: number) =>
      trailingBlanks(line) === trailingBlanks(oldCore[at]!) ||
      trailingBlanks(added.core[index]!) === trailingBlanks(old[at]!);
    const written = writeLine(line, index, { writing, rule, isTrailedAlike });
    if (written === null) return null;
    core.push(written);
  }
  // There the file keeps what it has.
  const isLastNew = isBehindBoth && alignment.kept[core.length - 1] === -1;
  return isLastNew ? core.with(-1, core.at(-1)! + trailingBlanks(file.at(-1)!)) : core;
}

type LineRule = (indentation: string, index: number) => string | null;

interface LineWriting {
  readonly writing: Writing;
  readonly rule: LineRule | null;
  /** Whether an old line ends in the same whitespace as the new one. */
  isTrailedAlike(oldIndex: number): boolean;
}

function writeLine(line: string, index: number, { writing, rule, isTrailedAlike }: LineWriting): string | null {
  const { match, alignment, file } = writing;
  const { core } = match.block;
  const repeated = alignment.kept[index]!;
  if (isBlank(line)) return repeated === -1 ? line : file[repeated]!;
  const given = indentationOf(line);
  const indentation = canonical(given);
  if (repeated !== -1) {
    const [old, there] = [core[repeated]!, file[repeated]!];
    const end = bareLine(there) + trailingBlanks(isTrailedAlike(repeated) ? there : line);
    if (indentation === canonical(indentationOf(old))) return indentationOf(there) + end;
    const fitted = rule?.(indentation, index) ?? null;
    return fitted === null ? null : (fitted === indentation ? given : fitted) + end;
  }
  const fitted = rule?.(indentation, index) ?? replacedIndentation(indentation, index, core, file, alignment);
  if (fitted === null) return null;
  return fitted === indentation ? line : fitted + line.slice(given.length);
}

/** The indentation of the lines that a line replaces, where they all have the same, in the old text and in the file. */
function replacedIndentation(
  indentation: string,
  index: number,
  old: readonly string[],
  file: readonly string[],
  { replacedFrom, replacedTo }: LineAlignment,
): string | null {
  const [from, to] = [replacedFrom[index]!, replacedTo[index]!];
  if (from === to) return null;
  const there = canonical(indentationOf(file[from]!));
  for (let at = from; at < to; at++) {
    if (isBlank(old[at]!)) continue;
    if (canonical(indentationOf(old[at]!)) !== indentation) return null;
    if (canonical(indentationOf(file[at]!)) !== there) return null;
  }
  return there;
}

/** Whether a line goes that others of the new text were nested in: how deep those belong then does not show. */
function hasLostParent(
  { kept, replacedFrom, replacedTo }: LineAlignment,
  added: readonly string[],
  old: readonly string[],
  file: readonly string[],
): boolean {
  const isThere = new Uint8Array(old.length);
  for (let index = 0; index < added.length; index++) {
    if (kept[index] !== -1) isThere[kept[index]!] = 1;
    isThere.fill(1, replacedFrom[index], replacedTo[index]);
  }
  let shallowestGone = Number.POSITIVE_INFINITY;
  for (let at = 0; at < old.length; at++) {
    if (isBlank(old[at]!)) continue;
    const width = widthOf(canonical(indentationOf(file[at]!)));
    if (isThere[at] === 0) shallowestGone = Math.min(shallowestGone, width);
    else if (width > shallowestGone) return true;
    else shallowestGone = Number.POSITIVE_INFINITY;
  }
  return false;
}

/** `null` when the file has several indentations for one of the old text: then each line needs one that it replaces. */
function ruleOf({ match: { level, block }, added, alignment, file, outer }: Writing): LineRule | null {
  const pairs = block.core.flatMap((line, index): IndentationPair[] => {
    if (isBlank(line)) return [];
    return [{ old: canonical(indentationOf(line)), file: canonical(indentationOf(file[index]!)) }];
  });
  const indentations = added.core.filter((line) => !isBlank(line)).map((line) => canonical(indentationOf(line)));
  const isKeptAsInFile = added.core.map((line, index) => {
    const repeated = alignment.kept[index]!;
    if (repeated === -1 || isBlank(line)) return null;
    return canonical(indentationOf(line)) === canonical(indentationOf(file[repeated]!));
  });
  // The old text lost its indentation, and the new text has that of the file.
  const moved = new Set(pairs.flatMap((pair) => (pair.old === pair.file ? [] : [pair.old])));
  if (!indentations.some((each) => moved.has(each)) && isKeptAsInFile.includes(true) && !isKeptAsInFile.includes(false))
    return (indentation) => indentation;
  if (level === 3) return firstLineRule(pairs);
  return indentationRule(pairs, { added: indentations, outer });
}

/**
 * At level 3 only the first line may be indented differently. The others show that indentation means what it says; where
 * there are not, a new line may be meant as deep as it is written or as deep below the first.
 */
function firstLineRule([first, ...others]: readonly IndentationPair[]): LineRule {
  const { old, file } = first!;
  if (old === file) return (indentation) => indentation;
  if (others.length === 0) return (indentation) => (indentation === old ? file : null);
  const isElsewhere = others.some((pair) => pair.old === old);
  return (indentation, index) => (indentation === old && (index === 0 || !isElsewhere) ? file : indentation);
}

/** The indentation of the nearest line above that is less indented than every line of the block. */
function outerIndentation(text: string, { starts, ends }: TextLines, first: number, last: number): string | null {
  const indentationAt = (index: number) => {
    const { from, to } = trimmedRange(text, starts[index]!, ends[index]!);
    return from === to ? null : canonical(text.slice(starts[index], from));
  };
  let width = Number.POSITIVE_INFINITY;
  for (let index = first; index <= last; index++) {
    const indentation = indentationAt(index);
    if (indentation !== null) width = Math.min(width, widthOf(indentation));
  }
  for (let index = first - 1; index >= Math.max(0, first - MAX_LOOKED_UP); index--) {
    const indentation = indentationAt(index);
    if (indentation !== null && widthOf(indentation) < width) return indentation;
  }
  return null;
}

/** Worked out when it is asked for, and no more than once. */
function once<T>(work: () => T): { get(): T; readonly isNeeded: boolean } {
  let done: { readonly value: T } | undefined;
  return {
    get() {
      done ??= { value: work() };
      return done.value;
    },
    get isNeeded() {
      return done !== undefined;
    },
  };
}

function trailingBlanks(line: string): string {
  return line.slice(trimmedRange(line, 0, line.length).to);
}
