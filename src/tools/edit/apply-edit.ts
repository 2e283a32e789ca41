import { EditError } from "../../contracts/errors.js";
import { type EditMatch, findMatches } from "./edit-match.js";
import { createLineReplacer, type Replacement } from "./edit-replace.js";
import { describeAmbiguity, describeMiss, describeUnevenness } from "./edit-report.js";
import { createEndingFitter, finalEnding, withLf } from "./line-endings.js";
import { readNumbered, withoutNumbers } from "./line-numbers.js";
import { findPlaceholder } from "./placeholder.js";
import { lineNumbers } from "./text-lines.js";

export const BYTE_ORDER_MARK = "\ufeff";
/** Half of what any engine can hold in a string: a new text in many places may grow beyond that. */
const MAX_CHARS = 1 << 28;

/** A replacement in a text. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Replaces every match instead of refusing when there are several. Default: `false`. */
  readonly replaceAll?: boolean | undefined;
}

/** The result of an edit. */
export interface AppliedEdit {
  readonly after: string;
  /** 1 exact, 2 except for line endings, 3 except for whitespace around the block, 4 except for indentation. */
  readonly level: 1 | 2 | 3 | 4;
  /** The number of places replaced. */
  readonly occurrences: number;
  /** The first line replaced, from 1. */
  readonly startLine: number;
}

/**
 * Replaces `oldText` by `newText` where it is found, forgiving about line endings, whitespace around it and indentation,
 * in this order, and never about the text itself.
 *
 * At levels 3 and 4 whole lines match; canonical Unicode equivalents, typographic quotes and dashes, full-width
 * punctuation and no-break spaces count as equal. Lines that both texts have keep the bytes of `before`, the others are
 * indented as `before` is, and where that is not certain the edit is refused. More than one match at a level is an error
 * that lists them, and no later level is tried; matches that overlap count each, and so do blocks that differ in line
 * endings alone. With `replaceAll` they are replaced from the start on. New lines take the line endings of their place,
 * and the final newline of `before`, or its absence, is kept, unless the edit is about nothing else. A byte order mark
 * that `before` begins with is not part of its text, and is kept. Line numbers that were copied along with every line of
 * `oldText` are left out. An empty `oldText` fills an empty `before`. Linear in `before` and in the new text at every
 * level.
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
  assertEdit(before, edit);
  if (edit.oldText === "") return { after: edit.newText, level: 1, occurrences: 1, startLine: 1 };
  const found = findMatches(before, edit.oldText);
  if (found) return applyMatch(before, found, edit);
  const bare = withoutLineNumbers(before, edit);
  if (bare) return applyMatch(before, bare.match, bare.edit);
  throw new EditError("EDIT_NOT_FOUND", describeMiss(before, edit.oldText));
}

function applyMatch(before: string, match: EditMatch, edit: Edit): AppliedEdit {
  const offsets = offsetsOf(match);
  if (offsets.length > 1 && !edit.replaceAll) {
    throw new EditError("EDIT_AMBIGUOUS", describeAmbiguity(before, offsets, match.level));
  }

  const replacements = replacementsOf(before, match, edit);
  const after = replaced(before, replacements, match.level, edit);
  if (after === before) {
    throw new EditError("EDIT_NO_CHANGE", {
      message:
        "The edit changes nothing: old_text and new_text differ only in what is kept as it is in the file, such as indentation, line endings or the spelling of quotes. To change those, give the whole lines exactly as they are in the file.",
    });
  }
  const [startLine = 1] = lineNumbers(before, offsets.slice(0, 1));
  return { after, level: match.level, occurrences: replacements.length, startLine };
}

/**
 * The match of a string that was copied with the line numbers of a listing, without them; `null` when there is not one.
 *
 * The numbers of a listing may be out of date. One line alone with another mark than read_file writes may also be text, so
 * its number has to be right.
 */
function withoutLineNumbers(before: string, edit: Edit): { match: EditMatch; edit: Edit } | null {
  const isEnded = /[\r\n]$/.test(edit.oldText);
  const numbered = readNumbered(withoutFinalEndings(edit.oldText).split(/\r\n|\n|\r/));
  if (!numbered) return null;
  const bare = withoutNumbers(edit.newText, numbered.mark);
  if (bare === null) return null;
  // Numbered lines are whole lines, whether or not their last one is ended in both texts.
  const newText = isEnded && bare !== "" && !/[\r\n]$/.test(bare) ? `${bare}\n` : bare;
  const oldText = numbered.bare.join("\n") + (isEnded ? "\n" : "");
  const match = oldText.trim() === "" ? null : findMatches(before, oldText);
  if (!match) return null;
  const isListing = numbered.bare.length > 1 || numbered.mark === "\t" || numbered.mark === "→";
  if (!isListing && lineNumbers(before, offsetsOf(match).slice(0, 1))[0] !== numbered.first) return null;
  return { match, edit: { ...edit, oldText, newText } };
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function assertStrings({ oldText, newText }: Edit): void {
  if (typeof oldText === "string" && typeof newText === "string") return;
  throw new EditError("EDIT_INVALID", { message: "old_text and new_text have to be strings." });
}

function assertEdit(before: string, { oldText, newText }: Edit): void {
  if (/\p{Surrogate}/u.test(oldText) || /\p{Surrogate}/u.test(newText)) {
    throw new EditError("EDIT_INVALID", {
      message: "old_text or new_text has half a character (a lone surrogate). Give whole characters.",
    });
  }
  if (oldText === "" && before !== "") {
    throw new EditError("EDIT_INVALID", {
      message:
        "old_text is empty, so there is no place to edit. Give the text to replace; to insert text, give the lines beside it as old_text and those lines with the inserted text as new_text.",
    });
  }
  if (oldText === newText) {
    throw new EditError("EDIT_NO_CHANGE", {
      message: "old_text and new_text are the same, so there is nothing to change. Give the changed text as new_text.",
    });
  }
  const placeholder = findPlaceholder(oldText, newText);
  if (placeholder !== null) {
    throw new EditError("EDIT_INVALID", {
      message: `new_text has the line ${JSON.stringify(placeholder)}, which would be written to the file in place of the code it represents. Write that code out, or leave it out of old_text and new_text and edit only the lines that change.`,
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
    if (!replacement) throw new EditError("EDIT_NOT_FOUND", describeUnevenness(before, oldText, hit));
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
    message: `The edit would make the file about ${length} characters long; the most is ${MAX_CHARS}. Replace fewer places at a time.`,
  });
}

/** An edit that replaces one line ending by another means it; in text around line endings the file's own are kept. */
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
