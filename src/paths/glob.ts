// Wildcards in names: `*` any string, `?` any character, `[a-z]` one of a set, `\` before a character that means itself; and
// in paths `**` for any number of names. A star never gives back what an earlier one took, so no pattern takes longer than
// its length times that of the name, where a regular expression made from a glob may take for ever.

/** A name taken apart; `tokens` is `null` when it has no wildcards, and `text` is then without its backslashes. */
export interface NameGlob {
  readonly text: string;
  readonly tokens: readonly Token[] | null;
}

/** A character by its code point, a set of them, or `null` for any string. */
type Token = number | CharacterSet | null;

interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const ANY_CHARACTER: CharacterSet = { isNegated: true, ranges: [] };
const NO_CHARACTER: CharacterSet = { isNegated: false, ranges: [] };
/** Names on no common file system are longer. */
const MAX_NAME = 255;

/** `loosely`: sets whose characters depend on letter case or language match any character, otherwise none. */
export function compileName(source: string, { loosely = false } = {}): NameGlob {
  const tokens: Token[] = [];
  let literal = "";
  for (let at = 0; at < source.length; ) {
    const character = source[at]!;
    const end = character === "[" ? setEnd(source, at) : 0;
    if (character === "*") {
      if (tokens.at(-1) !== null || tokens.length === 0) tokens.push(null);
      at++;
    } else if (character === "?") {
      tokens.push(ANY_CHARACTER);
      at++;
    } else if (end > 0) {
      tokens.push(compileSet(source.slice(at + 1, end), loosely));
      at = end + 1;
    } else {
      if (character === "\\" && at + 1 < source.length) at++;
      const code = source.codePointAt(at)!;
      tokens.push(code);
      literal += String.fromCodePoint(code);
      at += widthOf(code);
    }
  }
  const isPlain = tokens.every((token) => typeof token === "number");
  return isPlain ? { text: literal, tokens: null } : { text: source, tokens };
}

/** A name of a path, in which nothing is a wildcard. */
export function plainName(text: string): NameGlob {
  return { text, tokens: null };
}

/** The longest string that every name the glob matches must hold. */
export function longestText(glob: NameGlob): string {
  const { text, tokens } = glob;
  if (tokens === null) return text;
  const known = longest.get(glob);
  if (known !== undefined) return known;
  const pieces = tokens.map((token) => (typeof token === "number" ? String.fromCodePoint(token) : "\n")).join("");
  const found = pieces.split("\n").reduce((most, piece) => (piece.length > most.length ? piece : most), "");
  longest.set(glob, found);
  return found;
}

const longest = new WeakMap<NameGlob, string>();

/** A test for paths. `glob` has no alternatives; `**` as a whole name matches any number of directories. */
export function createPathTest(glob: string): (path: string) => boolean {
  const names = glob.split("/").map((name) => (name === "**" ? null : compileName(name)));
  const ending = literalEnding(names.at(-1) ?? null);
  // Most paths of a tree end differently.
  return (path) => path.endsWith(ending) && matchesPath(names, path.split("/"));
}

function literalEnding(name: NameGlob | null): string {
  if (name === null || name.tokens === null) return name?.text ?? "";
  const firstLiteral = name.tokens.findLastIndex((token) => typeof token !== "number") + 1;
  return String.fromCodePoint(...(name.tokens.slice(firstLiteral) as number[]));
}

/** A name is `null` where any number of directories may be; at least one name has to follow them. */
function matchesPath(names: readonly (NameGlob | null)[], path: readonly string[]): boolean {
  let [at, next, starAt, resumeAt] = [0, 0, -1, 0];
  while (at < path.length) {
    const name = names[next];
    if (name === null) {
      starAt = next++;
      resumeAt = at;
    } else if (name !== undefined && nameMatches(name, path[at]!)) {
      next++;
      at++;
    } else if (starAt >= 0) {
      next = starAt + 1;
      at = ++resumeAt;
    } else return false;
  }
  return next === names.length;
}

/** The end of the set that begins at a bracket; 0 when it does not. */
function setEnd(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === "!" || source[at] === "^") at++;
  if (source[at] === "]") at++;
  for (; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "]") return at;
  }
  return 0;
}

function compileSet(body: string, loosely: boolean): CharacterSet {
  const isNegated = /^[!^]/.test(body);
  if (/\[[:.=]/.test(body)) return loosely ? ANY_CHARACTER : NO_CHARACTER;
  if (isNegated && loosely) return ANY_CHARACTER;
  const codes = [...body.slice(isNegated ? 1 : 0).matchAll(/\\?(.)(?:-\\?([^\\]))?/gsu)];
  const ranges = codes.map(([, first, last = first]) => [first!.codePointAt(0)!, last!.codePointAt(0)!] as const);
  if (loosely && ranges.some(dependsOnCase)) return ANY_CHARACTER;
  return { isNegated, ranges };
}

/** In one letter case the ends of `[Z-f]` change places, and `[A-z]` loses what stands between the two cases, as `_`. */
function dependsOnCase([first, last]: readonly [first: number, last: number]): boolean {
  return first > last || (first !== last && (isLetter(first) || isLetter(last)));
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

/** Whether a name is what the pattern says. */
export function nameMatches({ text, tokens }: NameGlob, name: string): boolean {
  if (tokens === null) return text === name;
  let [at, index, anyAt, resumeAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const token = tokens[index];
    const code = name.codePointAt(at)!;
    if (token === null) {
      anyAt = index++;
      resumeAt = at;
    } else if (token !== undefined && fits(token, code)) {
      index++;
      at += widthOf(code);
    } else if (anyAt >= 0) {
      index = anyAt + 1;
      resumeAt += widthOf(name.codePointAt(resumeAt)!);
      at = resumeAt;
    } else return false;
  }
  while (tokens[index] === null) index++;
  return index === tokens.length;
}

function fits(token: Exclude<Token, null>, code: number): boolean {
  if (typeof token === "number") return token === code;
  return token.ranges.some(([first, last]) => code >= first && code <= last) !== token.isNegated;
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

/**
 * Whether some name could be what a rule says and what a word of the shell expands to. Says yes rather than no. The shell
 * expands a leading wildcard to no hidden name.
 */
export function namesMeet(rule: NameGlob, word: NameGlob): boolean {
  if (word.tokens === null) return nameMatches(rule, word.text);
  if (rule.text.startsWith(".") && typeof word.tokens[0] !== "number") return false;
  if (rule.tokens === null) return nameMatches(word, rule.text);
  const [a, b] = [rule.tokens, word.tokens];
  if (!endsMeet(a, b) || leastLength(a) > MAX_NAME || leastLength(b) > MAX_NAME) return false;
  return sequencesMeet(a, b, (token) => token === null, tokensMeet);
}

/** Whether what stands before the first star of either, and behind the last, may be the same. Most that do not meet differ there. */
function endsMeet(a: readonly Token[], b: readonly Token[]): boolean {
  const most = Math.min(a.length, b.length);
  for (const from of [0, -1]) {
    for (let at = 0; at < most; at++) {
      const [x, y] = from === 0 ? [a[at]!, b[at]!] : [a.at(-1 - at)!, b.at(-1 - at)!];
      if (x === null || y === null) break;
      if (!tokensMeet(x, y)) return false;
    }
  }
  return true;
}

function leastLength(tokens: readonly Token[]): number {
  return tokens.reduce<number>((sum, token) => (token === null ? sum : sum + 1), 0);
}

function tokensMeet(a: Token, b: Token): boolean {
  if (a === null || b === null) return true;
  if (typeof b === "number") return fits(a, b);
  return typeof a !== "number" || fits(b, a);
}

/** Whether two sequences with items that match any number of others can be the same. Quadratic in their lengths. */
export function sequencesMeet<T>(
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
