import { lineBreakOf } from "./text-lines.js";

const ANY_ENDING = /\r\n|\n|\r/g;

/** Every line ending as LF. */
export function withLf(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
}

/** The line ending the text ends with; `""` when it ends without. */
export function finalEnding(text: string): string {
  if (text.endsWith("\r\n")) return "\r\n";
  const last = text.at(-1);
  return last === "\n" || (last === "\r" && lineBreakOf(text) === "\r") ? last : "";
}

/**
 * Gives new text the line endings of the place it goes to, between `start` and `end` of `text`.
 *
 * Lines that begin or end both the old and the new text keep theirs; those between take the ones that were there, then
 * the last of them; without any there, those of the lines around. A text without line endings takes them as they come.
 * Places are asked for from the start of the text on. In whole lines a CR alone is not a line ending of a string with LF.
 */
export function createEndingFitter(
  text: string,
  { isWholeLines }: { readonly isWholeLines: boolean },
): (added: string, start: number, end: number) => string {
  const lineBreak = lineBreakOf(text);
  if (!text.includes(lineBreak)) return (added) => added;
  const addedEnding = lineBreak === "\r" ? ANY_ENDING : /\r\n|\n/g;
  const placeEnding = isWholeLines ? addedEnding : ANY_ENDING;
  const withEnding = createRememberedReplacer(addedEnding);
  const only = onlyEnding(text);
  if (only !== null) return (added) => withEnding(added, only);

  const nearbyEnding = createNearbyFinder(text, lineBreak);
  return (added, start, end) => {
    const place = text.slice(start, end);
    const endings = place.match(placeEnding);
    if (!endings) return keptApart(withEnding(added, nearbyEnding(end)), text, start, end);
    const addedLines = added.split(addedEnding);
    const endingOf = chooser(addedLines, place.split(placeEnding), endings);
    const fitted = addedLines.map((line, index) => {
      if (index === addedLines.length - 1) return line;
      const ending = endingOf(index);
      // A CR before an LF would become one line ending with it, and a line would be lost.
      return line.endsWith("\r") && ending === "\n" ? `${line}\r\n` : line + ending;
    });
    return keptApart(fitted.map(setApart).join(""), text, start, end);
  };
}

/** As above, where the LF begins the next line. */
function setApart(line: string, index: number, lines: readonly string[]): string {
  return line.startsWith("\n") && lines[index - 1]?.endsWith("\r") ? `\n${line}` : line;
}

function keptApart(fitted: string, text: string, start: number, end: number): string {
  if (fitted === "" && text[start - 1] === "\r" && text[end] === "\n") return "\r";
  const behind = fitted.endsWith("\r") && text[end] === "\n" ? `${fitted}\n` : fitted;
  return behind.startsWith("\n") && text[start - 1] === "\r" ? `\r${behind.slice(1)}` : behind;
}

/** Replacing everywhere asks for the same text with the same endings again and again. */
function createRememberedReplacer(ending: RegExp): (added: string, by: string) => string {
  const known = new Map<string, { readonly added: string; readonly fitted: string }>();
  return (added, by) => {
    const last = known.get(by);
    if (last?.added === added) return last.fitted;
    const fitted = added.replace(ending, by);
    known.set(by, { added, fitted });
    return fitted;
  };
}

/** The line ending all lines have; `null` when they differ, or there is not one. */
export function onlyEnding(text: string): string | null {
  if (!text.includes("\n")) return text.includes("\r") ? "\r" : null;
  if (!text.includes("\r")) return "\n";
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? null : "\r\n";
}

function chooser(added: string[], old: string[], endings: string[]): (index: number) => string {
  const first = endings[0]!;
  if (endings.every((ending) => ending === first)) return () => first;
  const shortest = Math.min(added.length, old.length);
  let before = 0;
  while (before < shortest - 1 && added[before] === old[before]) before++;
  let after = 0;
  while (after < shortest - before && added.at(-1 - after) === old.at(-1 - after)) after++;
  const lastBetween = Math.min(Math.max(old.length - after, before), endings.length) - 1;
  return (index) => {
    const fromEnd = added.length - 1 - index;
    if (index >= before && fromEnd < after) return endings[old.length - 1 - fromEnd]!;
    return endings[Math.max(0, Math.min(index, lastBetween))]!;
  };
}

/** The ending of the line that an offset lies in, or of the one before. Asked for ascending offsets, it is linear. */
function createNearbyFinder(text: string, lineBreak: "\n" | "\r"): (offset: number) => string {
  let last = -1;
  let next = text.indexOf(lineBreak);
  return (offset) => {
    while (next !== -1 && next < offset) {
      last = next;
      next = text.indexOf(lineBreak, next + 1);
    }
    const at = next === -1 ? last : next;
    return lineBreak === "\n" && text[at - 1] === "\r" ? "\r\n" : lineBreak;
  };
}
