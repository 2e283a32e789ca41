import { firstCharacters } from "../../text/cut.js";

/** Longest diff shown to a model. Unit: characters. */
const MAX_DIFF_CHARS = 3_000;
/** The limit of the short form, for a change whose new content the model has sent itself. */
const MAX_SHORT_CHARS = 1_000;
const MAX_SHORT_LINES = 24;
const CONTEXT_LINES = 3;
/** A change all over a large file is not worth more: then only its beginning is compared. */
const DIFF_TIMEOUT_MS = 250;
const MAX_COMPARED_CHARS = 2 * 1024 * 1024;
/** More lines, and more characters, than are shown. */
const HEAD_LINES = 400;
const HEAD_CHARS = 64 * 1024;
const COMPARED_CHARS = 1 << 16;

export interface DiffedFile {
  readonly path: string;
  /** `null` for a file that was created. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * The change as a unified diff, cut at `maxChars` (default: 3,000) with a note; `""` when nothing changed.
 *
 * Only what lies between the first and the last difference is compared, so that a small edit of a large file is cheap.
 */
export async function unifiedDiff(change: DiffedFile, maxChars = MAX_DIFF_CHARS): Promise<string> {
  const { path, before } = change;
  const [old, after] = withLineFeeds(before ?? "", change.after);
  if (old === after) return "";
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff/lib/patch/create.js");
  const { start, oldEnd, newEnd } = changedPart(old, after);
  const from = before === null ? "/dev/null" : path;
  const compare = (left: string, right: string, timeout = Number.POSITIVE_INFINITY) =>
    structuredPatch(from, path, left, right, undefined, undefined, { context: CONTEXT_LINES, timeout });
  const [oldPart, newPart] = [old.slice(start, oldEnd), after.slice(start, newEnd)];
  const isSmall = oldPart.length + newPart.length <= MAX_COMPARED_CHARS;
  const whole = isSmall ? compare(oldPart, newPart, DIFF_TIMEOUT_MS) : undefined;
  const patch = whole ?? compare(headOf(oldPart), headOf(newPart))!;
  const skipped = countLines(old, start);
  for (const hunk of patch.hunks) {
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
  }
  const lines = formatPatch(patch, FILE_HEADERS_ONLY).replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return cut(lines, whole === undefined, maxChars);
}

/** Whether a diff was cut. */
export function isCutDiff(diff: string): boolean {
  return /\n\(diff cut: .*$/.test(diff);
}

/** Texts whose lines end with CR alone would be one line each. */
function withLineFeeds(...texts: [string, string]): [string, string] {
  if (texts.some((text) => text.includes("\n")) || !texts.some((text) => text.includes("\r"))) return texts;
  const [old, after] = texts;
  return [old.replaceAll("\r", "\n"), after.replaceAll("\r", "\n")];
}

function headOf(text: string): string {
  let end = 0;
  for (let lines = 0; lines < HEAD_LINES && end < text.length; lines++)
    end = text.indexOf("\n", end) + 1 || text.length;
  return text.slice(0, Math.min(end, HEAD_CHARS));
}

/** The smallest part around all differences, in whole lines with context. */
function changedPart(old: string, after: string): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(old.length, after.length);
  let prefix = 0;
  const isEqualAt = (at: number, length: number) => old.slice(at, at + length) === after.slice(at, at + length);
  while (prefix < shorter && isEqualAt(prefix, COMPARED_CHARS)) prefix += COMPARED_CHARS;
  while (prefix < shorter && old.charCodeAt(prefix) === after.charCodeAt(prefix)) prefix++;
  prefix = Math.min(prefix, shorter);

  const most = shorter - prefix;
  let suffix = 0;
  const tailOf = (text: string, length: number) =>
    text.slice(text.length - length, text.length - length + COMPARED_CHARS);
  while (
    suffix + COMPARED_CHARS <= most &&
    tailOf(old, suffix + COMPARED_CHARS) === tailOf(after, suffix + COMPARED_CHARS)
  ) {
    suffix += COMPARED_CHARS;
  }
  while (suffix < most && old.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;

  let start = prefix;
  for (let lines = 0; lines <= CONTEXT_LINES && start > 0; lines++) {
    // Before the first character `lastIndexOf` would look at the first all the same.
    start = start === 1 ? 0 : old.lastIndexOf("\n", start - 2) + 1;
  }
  let oldEnd = old.length - suffix;
  for (let lines = 0; lines <= CONTEXT_LINES && oldEnd < old.length; lines++) {
    oldEnd = old.indexOf("\n", oldEnd) + 1 || old.length;
  }
  return { start, oldEnd, newEnd: after.length - (old.length - oldEnd) };
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** `isHead`: there is more to the change than these lines. */
function cut(lines: readonly string[], isHead: boolean, maxChars: number): string {
  let length = 0;
  const fitting = lines.findIndex((line) => {
    length += line.length + 1;
    return length > maxChars;
  });
  if (fitting === -1 && !isHead) return lines.join("\n");
  const shown = fitting === -1 ? lines : lines.slice(0, fitting);
  const room = maxChars - shown.join("\n").length - 1;
  const partly = fitting !== -1 && fitting < 4 && room > 0 ? [`${firstCharacters(lines[fitting]!, room)}…`] : [];
  const rest = isHead ? "the rest of a large change" : `${lines.length - fitting} more lines`;
  return [...shown, ...partly, `(diff cut: ${rest})`].join("\n");
}

/** The beginning of a diff, cut at a line with a note. */
export function shortDiff(diff: string): string {
  const lines = diff.split("\n");
  let length = 0;
  const fitting = lines.findIndex((line, index) => {
    length += line.length + 1;
    return length > MAX_SHORT_CHARS || index >= MAX_SHORT_LINES;
  });
  if (fitting === -1) return diff;
  const rest = isCutDiff(diff) ? "the rest of a large change" : `${lines.length - fitting} more lines`;
  return [...lines.slice(0, fitting), `(diff cut: ${rest})`].join("\n");
}
