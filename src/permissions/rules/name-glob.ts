// One name of a path with wildcards: `*` any text, `?` any character, `[a-z]` one of them, `\` before what is meant as it stands.
// No regular expressions: no name takes more time than its length times the pattern's.

/** A name taken apart; `tokens` is `null` when it has no wildcards, and `text` then stands without its backslashes. */
export interface NameGlob {
  readonly text: string;
  readonly tokens: readonly Token[] | null;
}

/** A character by its code, a set of them, or `null` for any text. */
type Token = number | CharacterSet | null;

interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const ANY_CHARACTER: CharacterSet = { isNegated: true, ranges: [] };
const NO_CHARACTER: CharacterSet = { isNegated: false, ranges: [] };
/** Names on no common file system are longer. */
const MAX_NAME = 255;

/** `loosely`: sets whose characters depend on letter case or language represent any character, otherwise for none. */
export function compileName(source: string, { loosely = false } = {}): NameGlob {
  const tokens: Token[] = [];
  let literal = "";
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    if (character === "*") {
      if (tokens.at(-1) !== null || tokens.length === 0) tokens.push(null);
    } else if (character === "?") tokens.push(ANY_CHARACTER);
    else if (character === "[" && setEnd(source, at) > 0) {
      const end = setEnd(source, at);
      tokens.push(compileSet(source.slice(at + 1, end), loosely));
      at = end;
    } else {
      const isEscape = character === "\\" && at + 1 < source.length;
      if (isEscape) at++;
      tokens.push(source.charCodeAt(at));
      literal += source[at];
    }
  }
  const isPlain = tokens.length === literal.length && tokens.every((token) => typeof token === "number");
  return isPlain ? { text: literal, tokens: null } : { text: source, tokens };
}

/** A name of a path, in which nothing is a wildcard. */
export function plainName(text: string): NameGlob {
  return { text, tokens: null };
}

/** The longest text that every name the glob matches must hold. */
export function longestText({ text, tokens }: NameGlob): string {
  if (tokens === null) return text;
  const pieces = tokens.map((token) => (typeof token === "number" ? String.fromCharCode(token) : "\n")).join("");
  return pieces.split("\n").reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Where the set that begins at a bracket ends; 0 when it does not. */
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
  const codes = [...body.slice(isNegated ? 1 : 0).matchAll(/\\?([\s\S])(?:-\\?([^\\]))?/g)];
  const ranges = codes.map(([, first, last = first]) => [first!.charCodeAt(0), last!.charCodeAt(0)] as const);
  return { isNegated, ranges };
}

/** Whether a name is what the pattern says. */
export function nameMatches({ text, tokens }: NameGlob, name: string): boolean {
  if (tokens === null) return text === name;
  let [at, index, anyAt, resumeAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const token = tokens[index];
    if (token === null) {
      anyAt = index++;
      resumeAt = at;
    } else if (token !== undefined && fits(token, name.charCodeAt(at))) {
      index++;
      at++;
    } else if (anyAt >= 0) {
      index = anyAt + 1;
      at = ++resumeAt;
    } else return false;
  }
  while (tokens[index] === null) index++;
  return index === tokens.length;
}

function fits(token: Exclude<Token, null>, code: number): boolean {
  if (typeof token === "number") return token === code;
  return token.ranges.some(([first, last]) => code >= first && code <= last) !== token.isNegated;
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
  if (leastLength(a) > MAX_NAME || leastLength(b) > MAX_NAME) return false;
  return sequencesMeet(a, b, (token) => token === null, tokensMeet);
}

function leastLength(tokens: readonly Token[]): number {
  return tokens.reduce<number>((sum, token) => (token === null ? sum : sum + 1), 0);
}

function tokensMeet(a: Token, b: Token): boolean {
  return typeof a !== "number" || typeof b !== "number" || a === b;
}

/** Whether two sequences with items that represent any number of others can be the same. Quadratic in their lengths. */
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
