/** Blanks that indent or trail a line; the no-break ones count as whitespace, other Unicode spaces are text. */
const BLANK = " \\t\\r\\f\\v\\u00a0\\u2007\\u202f";
const LEADING = new RegExp(`^[${BLANK}]+`);
const MANY_MARKS = /\p{M}{32}/u;
const OTHER_SPELLING = /[\u2010-\u2015\u2018-\u201f\u00a0\u2007\u202f\uff01-\uff5e]/;
/** Not the digits and letters among them. */
const FULL_WIDTH_PUNCTUATION = /[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]/g;

export function indentationOf(line: string): string {
  return LEADING.exec(line)?.[0] ?? "";
}

export function isBlank(line: string): boolean {
  return trimmedRange(line, 0, line.length).from === line.length;
}

/** The part of `text` from `from` to `to` without the whitespace around it. */
export function trimmedRange(text: string, from: number, to: number): { from: number; to: number } {
  let start = from;
  let end = to;
  while (start < end && isBlankCode(text.charCodeAt(start))) start++;
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end--;
  return { from: start, to: end };
}

function isBlankCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 10) || code === 0xa0 || code === 0x2007 || code === 0x202f;
}

/** As many bytes as characters: many times as fast as looking at each. */
function hasOnlyAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/**
 * One spelling for what counts as equal: canonical equivalents, typographic quotes and dashes, full-width punctuation and
 * no-break spaces.
 * Letter case and characters that only look alike stay different. Lines keep their number and stay apart.
 */
export function canonical(text: string): string {
  if (hasOnlyAscii(text)) return text;
  // Sorting endless marks takes time that grows with their square. No letter of any language has as many.
  const composed = MANY_MARKS.test(text) ? text : text.normalize("NFC");
  if (!OTHER_SPELLING.test(composed)) return composed;
  return composed
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(FULL_WIDTH_PUNCTUATION, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));
}

/** A line without the whitespace around it. */
export function bareLine(line: string): string {
  const { from, to } = trimmedRange(line, 0, line.length);
  return line.slice(from, to);
}
