import { type EditMatch, type LineBlock, type Span, toBlock } from "./edit-match.js";
import { type IndentationPair, indentationRule, type Reindent } from "./indentation.js";
import { canonical, indentationOf, isBlank, trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

export interface Replacement extends Span {
  readonly added: string;
}

type LineMatch = Extract<EditMatch, { level: 3 | 4 }>;

/**
 * Tells what to put where for a match of whole lines at line `hit`; `null` when its lines are indented so unevenly that
 * nobody knows where the new ones belong.
 *
 * Blank lines and the line ending at the ends of the old text are taken with the hit as far as the file has them; the
 * new text then has as many more or fewer of them as it has compared with the old text.
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

/** The new text's lines as the place asks for; worked out once for all places that are indented alike. */
function createCoreWriter(text: string, match: LineMatch, added: LineBlock): (hit: number) => readonly string[] | null {
  const { lines, block } = match;
  const known = new Map<string, readonly string[] | null>();
  const lastOld = block.core.at(-1)!;
  return (hit) => {
    const file = block.core.map((_, index) => {
      const start = lines.starts[hit + index]!;
      return text.slice(start, trimmedRange(text, start, lines.ends[hit + index]!).from);
    });
    const end = lines.ends[hit + block.core.length - 1]!;
    const trailing = trailingBlanks(text.slice(lines.starts[hit + block.core.length - 1], end));
    const key = [...file, trailing].join("\n");
    if (!known.has(key)) {
      const reindent = reindentation(match, file, added);
      const core = reindent && added.core.map(reindent);
      if (core && core.length > 0) core.push(retrailed(core.pop()!, lastOld, trailing));
      known.set(key, core);
    }
    return known.get(key)!;
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

/** Blanks behind the block that come with both texts are no part of the edit: the file keeps what it has there. */
function retrailed(line: string, old: string, file: string): string {
  const trailing = trailingBlanks(old);
  if (trailing === "" || !line.endsWith(trailing)) return line;
  return line.slice(0, line.length - trailing.length) + file;
}

function trailingBlanks(line: string): string {
  return line.slice(trimmedRange(line, 0, line.length).to);
}

function reindentation(
  { level, block }: LineMatch,
  indentations: readonly string[],
  added: LineBlock,
): ((line: string, index: number) => string) | null {
  const pairs = block.core.flatMap((line, index): IndentationPair[] => {
    if (isBlank(line)) return [];
    return [{ old: canonical(indentationOf(line)), file: canonical(indentations[index]!) }];
  });
  const addedIndentations = added.core.filter((line) => !isBlank(line)).map((line) => canonical(indentationOf(line)));
  if (level === 3 && pairs.slice(1).some(({ old }) => old !== "")) return firstLineRule(pairs, addedIndentations);
  const rule = indentationRule(pairs, addedIndentations);
  if (rule) return (line) => reindented(line, rule);
  return level === 3 ? firstLineRule(pairs, addedIndentations) : null;
}

/** At level 3 only the first line is indented otherwise. The others show that indentation means what it says. */
function firstLineRule(pairs: readonly IndentationPair[], [added = ""]: readonly string[]) {
  const [first] = pairs;
  const rule = indentationRule(pairs.slice(0, 1), [added]);
  const seen = new Map(pairs.map(({ old, file }) => [old, file]));
  const ofFirst: Reindent = (given) => (given === first?.old ? undefined : seen.get(given)) ?? rule!(given);
  const ofOthers: Reindent = (given) => seen.get(given) ?? given;
  return rule && ((line: string, index: number) => reindented(line, index === 0 ? ofFirst : ofOthers));
}

function reindented(line: string, rule: Reindent): string {
  const given = indentationOf(line);
  const indentation = canonical(given);
  const fitted = rule(indentation);
  return line === "" || fitted === indentation ? line : fitted + line.slice(given.length);
}
