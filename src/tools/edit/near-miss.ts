/*
 * The usual slips of an old text that is not in the file: what was written differently, and where it is without that.
 *
 * Each is found by undoing it and searching again, so that what is named is certain. None is undone in the file: what
 * the new text was meant to be does not follow from it.
 */
import { findMatches, toBlock } from "./edit-match.js";
import { withLf } from "./line-endings.js";
import { readNumbered } from "./line-numbers.js";
import { canonical } from "./line-text.js";
import { findInText } from "./sequence-search.js";
import { lineBreakOf, lineNumbers, type TextLines } from "./text-lines.js";
import { findVerbatim, type Region, regionAt } from "./verbatim-lines.js";

export interface NearMiss {
  readonly why: string;
  /** The lines of the old text to compare with. */
  readonly wanted: readonly string[];
  readonly region: Region;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&apos;": "'",
  "&nbsp;": "\u00a0",
  "&amp;": "&",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const SLIPS: readonly { readonly why: string; undo(old: string): string }[] = [
  {
    why: 'It has HTML entities, such as "&lt;", where the file has the characters, such as "<".',
    undo: (old) => old.replace(/&(?:lt|gt|quot|apos|nbsp|amp|#34|#39|#x27);/g, (entity) => ENTITIES[entity]!),
  },
  {
    why: 'The file has HTML entities, such as "&lt;", where old_text has the characters, such as "<".',
    undo: (old) => old.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  },
  {
    why: "Its backslashes are doubled: the file has one where old_text has two.",
    undo: (old) => old.replaceAll("\\\\", "\\"),
  },
  {
    why: "The file has two backslashes where old_text has one.",
    undo: (old) => old.replaceAll("\\", "\\\\"),
  },
  {
    why: 'It has escapes, such as "\\n" or "\\"", where the file has the characters themselves.',
    undo: (old) => old.replace(/\\([nrt"'`\\/])/g, (_, letter: string) => ESCAPES[letter] ?? letter),
  },
  {
    why: "It has the fence of a code block around it, which is not in the file.",
    undo: withoutFence,
  },
  {
    why: 'It has the marks of a diff: give the old lines without the "-" and without the "+" lines.',
    undo: withoutDiffMarks,
  },
];

/** The folds under which two texts are equal, each with the difference that then explains them. */
const FOLDS: readonly { readonly why: string; readonly fold: (text: string) => string }[] = [
  { why: "It differs only in letter case.", fold: (text) => text.replace(/\p{Lu}/gu, lowerCase) },
  { why: "It differs only in whitespace within lines.", fold: (text) => text.replace(/[^\S\n]+/g, "") },
  { why: "It differs only in whitespace and line breaks.", fold: (text) => text.replace(/\s+/g, "") },
  {
    why: "It differs only in letter case and whitespace.",
    fold: (text) => text.replace(/\s+/g, "").replace(/\p{Lu}/gu, lowerCase),
  },
];

/** The first slip that explains the miss; `null` when none does. */
export function findNearMiss(text: string, lines: TextLines, oldText: string): NearMiss | null {
  const wanted = toBlock(oldText).core;
  return findNumbered(text, lines, wanted) ?? findUndone(text, lines, oldText) ?? findFolded(text, lines, oldText);
}

function findNumbered(text: string, lines: TextLines, wanted: readonly string[]): NearMiss | null {
  const numbered = readNumbered(wanted);
  if (!numbered) return null;
  const found = findVerbatim(text, lines, numbered.bare);
  // A file whose lines are numbered themselves is searched as it is.
  if (!found || readNumbered(found.closest.lines)) return null;
  const why = "It has line numbers, which are not in the file: leave them out, in old_text and in new_text.";
  return { why, wanted: numbered.bare, region: found.closest };
}

function findUndone(text: string, lines: TextLines, oldText: string): NearMiss | null {
  for (const { why, undo } of SLIPS) {
    const undone = undo(oldText);
    if (undone === oldText || undone.trim() === "") continue;
    const match = findMatches(text, undone);
    if (!match) continue;
    const first = "hits" in match ? match.hits[0]! : lineNumbers(text, match.starts.slice(0, 1))[0]! - 1;
    const { core } = toBlock(undone);
    return { why, wanted: toBlock(oldText).core, region: regionAt(text, lines, first, Math.max(1, core.length)) };
  }
  return null;
}

/** Searches the text without what is folded away, and looks for the lines where the find began and ended. */
function findFolded(text: string, lines: TextLines, oldText: string): NearMiss | null {
  const spelled = canonical(text);
  const file = lineBreakOf(text) === "\r" ? spelled.replaceAll("\r", "\n") : spelled.replaceAll("\r\n", "\n");
  const old = withLf(canonical(oldText)).trim();
  for (const { why, fold } of FOLDS) {
    const wanted = fold(old);
    if (!/[\p{L}\p{N}]/u.test(wanted)) continue;
    const folded = fold(file);
    const [hit] = findInText(folded, wanted);
    if (hit === undefined) continue;
    const first = lineAt(file, fold, hit);
    const last = lineAt(file, fold, hit + wanted.length - 1);
    return { why, wanted: toBlock(oldText).core, region: regionAt(text, lines, first, last - first + 1) };
  }
  return null;
}

/** The line, from 0, whose folded form has character `at` of the folded text. */
function lineAt(text: string, fold: (text: string) => string, at: number): number {
  const keepsBreaks = fold("\n") === "\n";
  let passed = 0;
  for (const [index, line] of text.split("\n").entries()) {
    passed += fold(line).length + (keepsBreaks ? 1 : 0);
    if (passed > at) return index;
  }
  return 0;
}

function withoutFence(old: string): string {
  const { core } = toBlock(old);
  const isFence = (line: string | undefined) => /^\s*(?:```|~~~)/.test(line ?? "");
  return core.length > 2 && isFence(core[0]) && isFence(core.at(-1)) ? core.slice(1, -1).join("\n") : old;
}

/** The context and old lines of a unified diff. */
function withoutDiffMarks(old: string): string {
  const lines = old.split("\n").filter((line) => !/^(?:@@|\+\+\+ |--- )/.test(line));
  const isDiff = lines.every((line) => line === "" || /^[-+ ]/.test(line)) && lines.some((line) => /^[-+]/.test(line));
  if (!isDiff) return old;
  return lines
    .filter((line) => !line.startsWith("+"))
    .map((line) => line.slice(1))
    .join("\n");
}

/** A letter whose lower case is longer stays as it is, so that places keep their numbers. */
function lowerCase(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}
