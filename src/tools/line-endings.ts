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
  const hasBreaks = text.includes(lineBreak);
  const isPlain = lineBreak === "\n" && !text.includes("\r");

  return (added, start, end) => {
    if (!hasBreaks || !/[\r\n]/.test(added)) return added;
    if (isPlain) return added.replaceAll("\r\n", "\n");
    const addedLines = added.split(lineBreak === "\r" ? /\r\n|\n|\r/ : /\r\n|\n/);
    const place = text.slice(start, end);
    const endings = place.match(ANY_ENDING) ?? [];
    const endingOf = chooser(addedLines, place.split(ANY_ENDING), endings, () => nearbyEnding(text, lineBreak, start, end));
    return addedLines.map((line, index) => (index < addedLines.length - 1 ? line + endingOf(index) : line)).join("");
  };
}

function chooser(added: string[], old: string[], endings: string[], nearby: () => string): (index: number) => string {
  const first = endings[0] ?? nearby();
  if (endings.every((ending) => ending === first)) return () => first;
  const shortest = Math.min(added.length, old.length) - 1;
  let before = 0;
  while (before < shortest && added[before] === old[before]) before++;
  let after = 0;
  while (after < shortest - before && added.at(-1 - after) === old.at(-1 - after)) after++;
  return (index) => {
    if (index < before) return endings[index]!;
    const fromEnd = added.length - 1 - index;
    const kept = fromEnd <= after ? endings.length - fromEnd : Math.min(index, endings.length - 1 - after);
    return endings[Math.max(0, Math.min(kept, endings.length - 1))]!;
  };
}

function nearbyEnding(text: string, lineBreak: "\n" | "\r", start: number, end: number): string {
  const next = text.indexOf(lineBreak, end);
  const at = next === -1 ? text.lastIndexOf(lineBreak, start - 1) : next;
  return lineBreak === "\n" && text[at - 1] === "\r" ? "\r\n" : lineBreak;
}
