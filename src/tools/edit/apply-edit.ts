import { EditError } from "../../contracts/errors.js";
import { type EditMatch, findMatches } from "./edit-match.js";
import { createLineReplacer, type Replacement } from "./edit-replace.js";
import { describeAmbiguity, describeMiss } from "./edit-report.js";
import { createEndingFitter, finalEnding, withLf } from "./line-endings.js";
import { lineNumbers } from "./text-lines.js";

export const BYTE_ORDER_MARK = "\ufeff";
/** Half of what the shortest-stringed engine can hold: a new text in many places grows beyond any measure. */
const MAX_CHARS = 1 << 28;

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Replaces every match instead of refusing when there are several. Default: `false`. */
  readonly replaceAll?: boolean;
}

export interface AppliedEdit {
  readonly after: string;
  /** 1 exact, 2 but for line endings, 3 but for blanks around the block, 4 but for indentation. */
  readonly level: 1 | 2 | 3 | 4;
  /** How many places were replaced. */
  readonly occurrences: number;
  /** The first line replaced, from 1. */
  readonly startLine: number;
}

/**
 * Replaces `oldText` by `newText` where it is found, forgiving about line endings, blanks around it and indentation, in
 * this order, and never about the text itself.
 *
 * At levels 3 and 4 whole lines match, canonical Unicode equivalents, typographic quotes and dashes and no-break spaces
 * count as equal, and the new text is indented as the file is. More than one match at a level is an error that lists
 * them all, and no later level is tried; matches that overlap count each. With `replaceAll` they are replaced from the
 * start on. New lines take the line endings of their place, and the file's final newline, or its absence, is kept,
 * unless the edit is about nothing else. A byte order mark `before` begins with is no part of its text, and is kept.
 * Linear in `before` and in the new text at every level.
 *
 * @throws EditError `EDIT_NOT_FOUND`, `EDIT_AMBIGUOUS`, `EDIT_NO_CHANGE`, `EDIT_INVALID`
 */
export function applyEdit(before: string, edit: Edit): AppliedEdit {
  assertStrings(edit);
  if (!before.startsWith(BYTE_ORDER_MARK)) return editText(before, edit);
  const oldText = withoutMark(edit.oldText);
  const newText = withoutMark(edit.newText);
  const applied = editText(withoutMark(before), { ...edit, oldText, newText });
  return { ...applied, after: BYTE_ORDER_MARK + applied.after };
}

function editText(before: string, edit: Edit): AppliedEdit {
  const { oldText, newText, replaceAll = false } = edit;
  assertEdit(oldText, newText);
  const match = findMatches(before, oldText);
  if (!match) throw new EditError("EDIT_NOT_FOUND", describeMiss(before, oldText));
  const offsets = offsetsOf(match);
  if (offsets.length > 1 && !replaceAll) {
    throw new EditError("EDIT_AMBIGUOUS", describeAmbiguity(before, offsets, match.level));
  }

  const replacements = replacementsOf(before, match, edit);
  const after = replaced(before, replacements, match.level, edit);
  if (after === before) {
    throw new EditError("EDIT_NO_CHANGE", {
      message:
        "The edit changes nothing: old_text and new_text differ only in what is kept as the file has it, indentation or line endings.",
    });
  }
  const [startLine = 1] = lineNumbers(before, offsets.slice(0, 1));
  return { after, level: match.level, occurrences: replacements.length, startLine };
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function assertStrings({ oldText, newText }: Edit): void {
  if (typeof oldText === "string" && typeof newText === "string") return;
  throw new EditError("EDIT_INVALID", { message: "old_text and new_text have to be strings." });
}

function assertEdit(oldText: string, newText: string): void {
  if (/\p{Surrogate}/u.test(oldText) || /\p{Surrogate}/u.test(newText)) {
    throw new EditError("EDIT_INVALID", {
      message: "old_text or new_text has half a character (a lone surrogate). Give whole characters.",
    });
  }
  if (oldText === "") {
    throw new EditError("EDIT_INVALID", {
      message:
        "old_text is empty, so there is no place to edit. Give the text to replace; to fill an empty file, use write_file.",
    });
  }
  if (oldText === newText) {
    throw new EditError("EDIT_NO_CHANGE", {
      message: "old_text and new_text are the same. Give new_text as the text is to be.",
    });
  }
}

function offsetsOf(match: EditMatch): readonly number[] {
  return "hits" in match ? match.hits.map((hit) => match.lines.starts[hit]!) : match.starts;
}

/** From the start of the file on, without those that overlap an earlier one. */
function replacementsOf(before: string, match: EditMatch, { oldText, newText }: Edit): Replacement[] {
  const chosen: Replacement[] = [];
  let free = 0;
  if (!("hits" in match)) {
    for (const [index, start] of match.starts.entries()) {
      if (start < free) continue;
      free = match.ends[index]!;
      chosen.push(withWholeEnding(before, { start, end: free, added: newText }));
    }
    return chosen;
  }
  const replacementAt = createLineReplacer(before, match, newText);
  let freeLine = 0;
  for (const hit of match.hits) {
    if (hit < freeLine) continue;
    freeLine = hit + match.block.core.length;
    const replacement = replacementAt(hit);
    if (!replacement) throw new EditError("EDIT_NOT_FOUND", describeMiss(before, oldText, { unevenLine: hit }));
    const { start, end, added } = replacement;
    // Blank lines between two matches go with the first.
    chosen.push({ start: Math.max(free, start), end, added });
    free = end;
  }
  return chosen;
}

/** A hit that ends with the CR of a CRLF leaves that line ending as it is: half of it must not stay behind. */
function withWholeEnding(before: string, { start, end, added }: Replacement): Replacement {
  const splits = before[end] === "\n" && before[end - 1] === "\r" && /[^\r\n]/.test(before.slice(start, end));
  return splits ? { start, end: end - 1, added: added.replace(/\r$/, "") } : { start, end, added };
}

function replaced(before: string, replacements: readonly Replacement[], level: number, edit: Edit): string {
  assertLength(before, replacements);
  const adapt = level === 1 && isAboutEndings(edit) ? asGiven : createEndingFitter(before, { isWholeLines: level > 2 });
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, added } of replacements) {
    parts.push(before.slice(done, start), adapt(added, start, end));
    done = end;
  }
  const isAboutFinalEnding = withoutFinalEndings(edit.oldText) === withoutFinalEndings(edit.newText);
  if (done < before.length || isAboutFinalEnding) return parts.join("") + before.slice(done);
  return withFinalEndingOf(before, parts.slice(0, -1).join(""), parts.at(-1) ?? "");
}

function assertLength(before: string, replacements: readonly Replacement[]): void {
  const length = replacements.reduce((sum, { added }) => sum + added.length, before.length);
  if (length <= MAX_CHARS) return;
  throw new EditError("EDIT_INVALID", {
    message: `The edit would make the text about ${length} characters long, too long to hold (${MAX_CHARS}).`,
  });
}

/** Who replaces one line ending by another means it; in text around it, the file's own is kept. */
function isAboutEndings({ oldText, newText }: Edit): boolean {
  return /^[\r\n]+$/.test(oldText) && withLf(oldText) === withLf(newText);
}

function asGiven(added: string): string {
  return added;
}

/** The last replacement reaches the end of the file, which has to end with a newline if and only if it did. */
function withFinalEndingOf(before: string, kept: string, added: string): string {
  const ending = finalEnding(before);
  if (ending === "") return kept + withoutFinalEndings(added);
  const after = kept + added;
  return after === "" || finalEnding(after) !== "" ? after : after + ending;
}

/** Not by an expression for the end of the text: it would look through every run of line endings again and again. */
function withoutFinalEndings(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
