// Matching with wildcards, without regular expressions: no pattern can make it slow.

/** Whether `text` is what `pieces` are with any text in between: a pattern split at its `*`. Linear. */
export function matchesPieces(pieces: readonly string[], text: string): boolean {
  const [first = "", ...others] = pieces;
  if (others.length === 0) return text === first;
  const last = others.pop()!;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** From the first opening bracket to the last closing one everything is possible. */
export function bracketsAsStar(text: string): string {
  const [start, end] = [text.indexOf("["), text.lastIndexOf("]")];
  return start === -1 || end < start ? text : `${text.slice(0, start)}*${text.slice(end + 1)}`;
}

/** Splits at every `*` that has no backslash before it, and takes those backslashes away. */
export function splitAtStars(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map((piece) => piece.replace(/\\([*\\])/g, "$1"));
}

/** Whether `text` matches a pattern with `*` for any text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesPieces(splitAtStars(pattern), text);
}
