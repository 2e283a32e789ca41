/** First and last code point. */
export type Range = readonly [number, number];

const LAST = 0x10ffff;

export const NEWLINE: Range = [10, 10];
export const LINE_BREAKS: readonly Range[] = [NEWLINE, [13, 13]];

/** The characters of `\d`, `\w`, `\s` and the POSIX names. ASCII but for spaces, so that no engine's Unicode tables matter. */
export const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: ranges("09"),
  w: ranges("09AZ__az"),
  s: ranges("\t\r  \u0085\u0085\u00a0\u00a0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000"),
  alpha: ranges("AZaz"),
  digit: ranges("09"),
  alnum: ranges("09AZaz"),
  upper: ranges("AZ"),
  lower: ranges("az"),
  xdigit: ranges("09AFaf"),
  word: ranges("09AZ__az"),
  blank: ranges("\t\t  "),
  space: ranges("\t\r  "),
  punct: ranges("!/:@[`{~"),
};

/** Letters outside ASCII that equal `s` and `k` when case is ignored, and so must not be in `\W`. */
const FOLDED_TO_ASCII = ranges("\u017f\u017f\u212a\u212a");

/** The characters of `\D`, `\W` and `\S`. */
export function complement(of: readonly Range[]): readonly Range[] {
  return subtract([[0, LAST]], [...of, ...FOLDED_TO_ASCII]);
}

/** The ranges without those of `holes`. */
export function subtract(from: readonly Range[], holes: readonly Range[]): readonly Range[] {
  return holes.reduce<readonly Range[]>(
    (left, [first, last]) =>
      left.flatMap(([start, end]): Range[] => {
        if (last < start || first > end) return [[start, end]];
        const before: Range[] = first > start ? [[start, first - 1]] : [];
        const after: Range[] = last < end ? [[last + 1, end]] : [];
        return [...before, ...after];
      }),
    from,
  );
}

/** As both engines spell them inside brackets. */
export function spell(members: readonly Range[]): string {
  return members
    .map(([first, last]) => (first === last ? codePoint(first) : `${codePoint(first)}-${codePoint(last)}`))
    .join("");
}

export function codePoint(value: number): string {
  const character = String.fromCodePoint(value);
  return /[0-9A-Za-z]/.test(character) ? character : `\\u{${value.toString(16)}}`;
}

function ranges(pairs: string): readonly Range[] {
  const points = [...pairs].map((character) => character.codePointAt(0)!);
  return points.flatMap((first, i): Range[] => (i % 2 === 0 ? [[first, points[i + 1]!]] : []));
}
