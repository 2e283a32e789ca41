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

/** Splits at every `*` that has no backslash before it, and takes those backslashes away. */
export function splitAtStars(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map((piece) => piece.replace(/\\([*\\])/g, "$1"));
}

/** Whether `text` matches a pattern with `*` for any text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesPieces(splitAtStars(pattern), text);
}

/**
 * Whether some path could match a rule's pattern and a wildcard word of the shell, each a list of names with `*`, `?` and
 * `[…]`, and `**` for any number of names. Says yes rather than no: a bracket stands for any character.
 */
export function patternsMeet(rule: readonly string[], word: readonly string[]): boolean {
  return meet(rule, word, (name) => name === "**", namesMeet);
}

function namesMeet(rule: string, word: string): boolean {
  // The shell expands a leading wildcard to no hidden name.
  if (rule.startsWith(".") && /^[*?[]/.test(word)) return false;
  return meet(
    characters(rule),
    characters(word),
    (character) => character === "*",
    (x, y) => x === y || x === "?" || y === "?",
  );
}

function characters(name: string): string[] {
  return [...name.replace(/\[[^\]]*\]/g, "?")];
}

/** Whether two sequences with items that stand for any number of others can be the same. Quadratic in their lengths. */
function meet<T>(
  a: readonly T[],
  b: readonly T[],
  isAny: (item: T) => boolean,
  isSame: (x: T, y: T) => boolean,
): boolean {
  // reach[j]: what is left of `a` from i on can meet what is left of `b` from j on.
  let reach: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) row[j] = true;
      else if (i < a.length && isAny(a[i]!)) row[j] = reach[j]! || (j < b.length && row[j + 1]!);
      else if (j < b.length && isAny(b[j]!)) row[j] = row[j + 1]! || (i < a.length && reach[j]!);
      else row[j] = i < a.length && j < b.length && isSame(a[i]!, b[j]!) && reach[j + 1]!;
    }
    reach = row;
  }
  return reach[0]!;
}
