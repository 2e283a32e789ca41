// Cutting strings without halving a character: a cut never falls between the two halves of a surrogate pair.

/** `index`, at most the string's length, and one less where it would fall inside a character. */
export function characterBorder(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return isInsidePair(text, index) ? index - 1 : Math.max(0, index);
}

/** The characters between two indexes; one that lies across an index goes to what follows it. */
export function sliceCharacters(text: string, from: number, to = text.length): string {
  return text.slice(characterBorder(text, from), characterBorder(text, to));
}

/** The beginning of a string: `maxChars` UTF-16 units or one less. */
export function firstCharacters(text: string, maxChars: number): string {
  return text.slice(0, characterBorder(text, maxChars));
}

/** The end of a string: `maxChars` UTF-16 units or one less. */
export function lastCharacters(text: string, maxChars: number): string {
  const start = Math.max(0, text.length - maxChars);
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

/** The string, or its beginning with an ellipsis: never more than `maxChars` UTF-16 units. */
export function clip(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${firstCharacters(text, maxChars - 1)}…`;
}

/** A piece of a string that was cut at any index, without the half of a character at either end. */
export function wholeCharacters(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function isInsidePair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index), 0xdc00, 0xdfff);
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

const MAX_QUOTED_CHARS = 200;

/** The beginning of a text, in double quotes. */
export function shortQuote(text: string): string {
  return JSON.stringify(clip(text, MAX_QUOTED_CHARS));
}
