import { lineBreakOf } from "./text-lines.js";

const ANY_ENDING = /\r\n|\n|\r/g;

/** Every line ending as LF. */
export function withLf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
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
 */
export function createEndingFitter(text: string): (added: string, start: number, end: number) => string {
  const lineBreak = lineBreakOf(text);
  if (!text.includes(lineBreak)) return (added) => added;
  const addedEnding = lineBreak === "\r" ? ANY_ENDING : /\r\n|\n/g;
  const only = onlyEnding(text, lineBreak);
  if (only !== null) return remembered((added) => added.replace(addedEnding, only));

  return (added, start, end) => {
    const addedLines = added.split(addedEnding);
    const place = text.slice(start, end);
    const endings = place.match(ANY_ENDING) ?? [];
    const nearby = () => nearbyEnding(text, lineBreak, start, end);
    const endingOf = chooser(addedLines, place.split(ANY_ENDING), endings, nearby);
    return addedLines.map((line, index) => (index < addedLines.length - 1 ? line + endingOf(index) : line)).join("");
  };
}

/** Replacing everywhere asks for the same text again and again. */
function remembered(convert: (added: string) => string): (added: string) => string {
  let last: { readonly added: string; readonly fitted: string } | undefined;
  return (added) => {
    if (last?.added !== added) last = { added, fitted: convert(added) };
    return last.fitted;
  };
}

/** The line ending all lines have; `null` when they differ. */
function onlyEnding(text: string, lineBreak: "\n" | "\r"): string | null {
  if (lineBreak === "\r" || !text.includes("\r")) return lineBreak;
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? null : "\r\n";
}

function chooser(added: string[], old: string[], endings: string[], nearby: () => string): (index: number) => string {
  const first = endings[0] ?? nearby();
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

function nearbyEnding(text: string, lineBreak: "\n" | "\r", start: number, end: number): string {
  const next = text.indexOf(lineBreak, end);
  const at = next === -1 ? text.lastIndexOf(lineBreak, start - 1) : next;
  return lineBreak === "\n" && text[at - 1] === "\r" ? "\r\n" : lineBreak;
}
