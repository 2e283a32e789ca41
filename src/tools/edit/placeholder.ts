/*
 * A line that represents code the model did not repeat, such as `// ... existing code ...`. Written into a file it would
 * replace that code.
 *
 * Found by what the edit does: it drops lines of code, and adds a line that is only a comment, or only a remark in brackets,
 * of few words, one of which says that something stays. Where it is said without an ellipsis, the edit also has to leave
 * less code than it dropped: a comment about the rest of something is common beside code that was rewritten.
 */
const COMMENT = /^(?:\/\/+|\/\*+|<!--|\{\s*\/\*+|"""|'''|(?:#+|--+|;+|%+|rem\b)(?=\s|\.{3}|\u2026|[[(]))/i;
const COMMENT_END = /(?:\*+\/\s*\}?|-->|"""|''')$/;
const BRACKETED = /^(?:\[.*\]|\(.*\)|<.*>|\{.*\})$/;
/** Not the spread of a value: `...rest`. */
const ELLIPSIS = /(?:\.{3,}|\u2026)(?![\w$])/;
const STAYS = /\b(?:rest|remaining|remainder|existing|same|unchanged|unmodified|keep|omitted)\b|\bas before\b/i;
const MAX_WORDS = 8;
/** Longer lines are not placeholders. */
const MAX_CHARS = 160;

/** The first line of `newText` that represents code which is not there, unless `oldText` has that line, too. */
export function findPlaceholder(oldText: string, newText: string): string | null {
  if (!ELLIPSIS.test(newText) && !STAYS.test(newText)) return null;
  const old = new Set(linesOf(oldText));
  const added = linesOf(newText).filter((line) => !old.has(line));
  const candidates = added.filter(isPlaceholder);
  if (candidates.length === 0) return null;
  const kept = new Set(linesOf(newText));
  const dropped = [...old].filter((line) => !kept.has(line) && !COMMENT.test(line)).length;
  const rewritten = added.filter((line) => !COMMENT.test(line) && !candidates.includes(line)).length;
  if (dropped === 0) return null;
  return candidates.find((line) => dropped > rewritten || ELLIPSIS.test(line)) ?? null;
}

function isPlaceholder(line: string): boolean {
  if (line.length > MAX_CHARS) return false;
  const isComment = COMMENT.test(line);
  const remark = isComment ? line.replace(COMMENT, "").replace(COMMENT_END, "") : line;
  const words = remark.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length > MAX_WORDS) return false;
  if (isComment) return ELLIPSIS.test(remark) || STAYS.test(remark);
  // Brackets may also be code, `(rest)` or `[...same, one]`: then nothing but words stands in them, and more than one.
  const isRemark = BRACKETED.test(line) ? /^.[\s\w.\u2026'-]*.$/.test(line) : /^(?:\.{3,}|\u2026)\s/.test(line);
  return isRemark && words.length > 1 && STAYS.test(line) && !/\.{3}[\w$]/.test(line);
}

/** The lines that are not blank, without indentation. */
function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => (line.length > 4 * MAX_CHARS ? line : line.trim()))
    .filter((line) => line !== "");
}
