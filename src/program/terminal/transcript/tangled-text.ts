// Text that takes a Markdown parser seconds, or more depth than there is: links that never end, marks that never close, a quote in
// a quote in a quote. Nobody writes so to be read.

/** Lines with more quotes and lists in one another. */
const NESTED = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d+[.)](?=[ \t]))){12}|^[ \t]{60,}(?:[-*+]|\d+[.)])[ \t]/;
/** A line that begins a block of its own. */
const BEGINS = /^[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t]|\||#)/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const LINKS = /\]\(/g;
const MARKS = /[[\]*_~`<&:@!\\]/g;
/** The parser's time grows with both: marks times characters. */
const MAX_LINKS = 300_000;
const MAX_MARKS = 2_000_000;

/** Whether a text is better shown as it is than read as Markdown. */
export function isTangled(markdown: string): boolean {
  let fence: string | undefined;
  let run = "";
  for (const line of markdown.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (NESTED.test(line)) return true;
    const isOver = mark !== undefined || line.trim() === "" || BEGINS.test(line);
    if (isOver && isCostly(run)) return true;
    run = isOver ? line : `${run}\n${line}`;
    fence = mark;
  }
  return isCostly(run);
}

function isCostly(run: string): boolean {
  if (run.length < 300) return false;
  return count(run, LINKS) * run.length > MAX_LINKS || count(run, MARKS) * run.length > MAX_MARKS;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
