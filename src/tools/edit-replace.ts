import type { Block, EditMatch, Span } from "./edit-match.js";
import { toBlock } from "./edit-match.js";
import { indentationRule, type IndentationPair, type Reindent } from "./indentation.js";
import { canonical, indentationOf, isBlank, trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

export interface Replacement extends Span {
  readonly added: string;
}

type LineMatch = Extract<EditMatch, { level: 3 | 4 }>;

/**
 * What to put where for a match of whole lines at line `hit`; `null` when its lines are indented so unevenly that
 * nobody knows where the new ones belong.
 *
 * Blank lines and the line ending at the ends of the old text are taken with the hit as far as the file has them; the
 * new text then has as many more or fewer of them as it has compared with the old text.
 */
export function replaceLines(text: string, match: LineMatch, hit: number, newText: string): Replacement | null {
  const { lines, block } = match;
  const lineAt = (index: number) => text.slice(lines.starts[index], lines.ends[index]);
  const isBlankAt = (index: number) => index >= 0 && index < lines.count && isBlank(lineAt(index));
  const added = toBlock(newText);
  const reindent = reindentation(match, hit, added, lineAt);
  if (!reindent) return null;

  let first = hit;
  while (hit - first < block.blankBefore.length && isBlankAt(first - 1)) first--;
  const lastOfCore = hit + block.core.length - 1;
  let last = lastOfCore;
  while (last - lastOfCore < block.blankAfter.length && isBlankAt(last + 1)) last++;

  const blankBefore = surplus(added.blankBefore, hit - first - block.blankBefore.length, "start");
  const blankAfter = surplus(added.blankAfter, last - lastOfCore - block.blankAfter.length, "end");
  const core = added.core.map(reindent);
  if (core.length > 0) core.push(retrailed(core.pop()!, block.core.at(-1)!, lineAt(lastOfCore)));
  const content = [...blankBefore, ...core, ...blankAfter].join("\n");
  return endReplacement(text, lines, { first, last }, content, { old: block, added, isNothing: newText === "" });
}

function endReplacement(
  text: string,
  lines: TextLines,
  { first, last }: { first: number; last: number },
  content: string,
  { old, added, isNothing }: { old: Block; added: Block; isNothing: boolean },
): Replacement {
  const start = lines.starts[first]!;
  if (!old.isEnded) {
    return { start, end: lines.ends[last]!, added: added.isEnded ? `${content}\n${added.rest}` : content };
  }
  const end = lines.nexts[last]!;
  const isEndedInFile = end > lines.ends[last]!;
  if (isNothing) {
    // The file's last line goes as a whole, so the line ending before it goes instead of its own.
    return { start: isEndedInFile || first === 0 ? start : lines.ends[first - 1]!, end, added: "" };
  }
  const rest = old.rest === "" ? added.rest : "";
  return { start, end, added: added.isEnded && isEndedInFile ? `${content}\n${rest}` : content };
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
  return line.slice(0, line.length - trailing.length) + trailingBlanks(file);
}

function trailingBlanks(line: string): string {
  return line.slice(trimmedRange(line, 0, line.length).to);
}

function reindentation(
  { level, block, lines }: LineMatch,
  hit: number,
  added: Block,
  lineAt: (index: number) => string,
): ((line: string, index: number) => string) | null {
  const pairs = block.core.flatMap((line, index): IndentationPair[] => {
    if (isBlank(line)) return [];
    const old = indentationOf(line);
    const file = indentationOf(lineAt(Math.min(hit + index, lines.count - 1)));
    return [{ old, file: canonical(file) === canonical(old) ? old : file }];
  });
  const addedIndentations = added.core.filter((line) => !isBlank(line)).map(indentationOf);
  const rule = indentationRule(pairs, addedIndentations);
  if (rule) return (line) => reindented(line, rule);
  if (level === 4) return null;
  // At level 3 only the first line is indented otherwise; the others stand where the old text has them.
  const firstRule = indentationRule(pairs.slice(0, 1), addedIndentations);
  return firstRule && ((line, index) => (index === 0 ? reindented(line, firstRule) : line));
}

function reindented(line: string, rule: Reindent): string {
  if (line === "") return line;
  const indentation = indentationOf(line);
  return rule(indentation) + line.slice(indentation.length);
}
