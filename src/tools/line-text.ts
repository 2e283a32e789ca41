/** Blanks that indent or trail a line; the no-break ones count as blanks, other Unicode spaces are text. */
const BLANK = " \\t\\r\\f\\v\\u00a0\\u2007\\u202f";
const LEADING = new RegExp(`^[${BLANK}]+`);

export function indentationOf(line: string): string {
  return LEADING.exec(line)?.[0] ?? "";
}

export function isBlank(line: string): boolean {
  return trimmedRange(line, 0, line.length).from === line.length;
}

/** What is left of `text` from `from` to `to` without the blanks around it. */
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
export function hasOnlyAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/**
 * One spelling for what counts as equal: canonical equivalents, typographic quotes and dashes, no-break spaces.
 * Letter case and characters that only look alike stay different.
 */
export function canonical(text: string): string {
  if (hasOnlyAscii(text)) return text;
  return text
    .normalize("NFC")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\u00a0\u2007\u202f]/g, " ");
}
