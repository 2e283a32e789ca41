/*
 * Matches names against `*`, `?` and `[a-z]`, and paths against `**`, by remembering the last star only: a star never has
 * to give back what an earlier one took. So no pattern takes longer than its length times that of the path, where a
 * regular expression made from a glob may take for ever.
 */

const STAR = "star";
const ANY = "any";

interface CharacterSet {
  readonly isNegated: boolean;
  /** First and last code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** A code point, a set of them, any one, or any number of any. */
type Token = number | CharacterSet | typeof ANY | typeof STAR;

/** What one name of a path has to be; `null` stands for any number of folders. */
type Name = readonly Token[] | null;

/** A test for paths. `glob` has no alternatives; a backslash takes the next character as it is. */
export function createWildcardTest(glob: string): (path: string) => boolean {
  const names = glob.split("/").map((name): Name => (name === "**" ? null : tokensOf(name)));
  const ending = literalEnding(names.at(-1) ?? null);
  // Most paths of a tree end otherwise.
  return (path) => path.endsWith(ending) && matchesPath(names, path.split("/"));
}

function tokensOf(name: string): Token[] {
  const tokens: Token[] = [];
  for (const [text] of name.matchAll(/\\.|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\*+|./gsu)) {
    if (text.startsWith("*")) tokens.push(STAR);
    else if (text === "?") tokens.push(ANY);
    else if (text.length > 1 && text.startsWith("[")) tokens.push(setOf(text.slice(1, -1)));
    else tokens.push((text.length > 1 && text.startsWith("\\") ? text.slice(1) : text).codePointAt(0)!);
  }
  return tokens;
}

function setOf(members: string): CharacterSet {
  const isNegated = /^[!^]/.test(members);
  const ranges: [number, number][] = [];
  for (const [, first, last] of members.slice(isNegated ? 1 : 0).matchAll(/(\\.|.)(?:-(\\.|.))?/gsu)) {
    const from = first!.replace(/^\\(?=.)/s, "").codePointAt(0)!;
    ranges.push([from, last?.replace(/^\\(?=.)/s, "").codePointAt(0) ?? from]);
  }
  return { isNegated, ranges };
}

function literalEnding(name: Name): string {
  const firstLiteral = name ? name.findLastIndex((token) => typeof token !== "number") + 1 : 0;
  return String.fromCodePoint(...((name?.slice(firstLiteral) ?? []) as number[]));
}

function matchesPath(names: readonly Name[], path: readonly string[]): boolean {
  let next = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < path.length) {
    const name = names[next];
    if (name === null) {
      star = next++;
      starAt = at;
    } else if (name !== undefined && matchesName(name, path[at]!)) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  return next === names.length;
}

function matchesName(tokens: readonly Token[], name: string): boolean {
  let next = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const token = tokens[next];
    const code = name.codePointAt(at)!;
    if (token === STAR) {
      star = next++;
      starAt = at;
    } else if (token !== undefined && matchesOne(token, code)) {
      next++;
      at += widthOf(code);
    } else if (star >= 0) {
      next = star + 1;
      starAt += widthOf(name.codePointAt(starAt)!);
      at = starAt;
    } else {
      return false;
    }
  }
  while (tokens[next] === STAR) next++;
  return next === tokens.length;
}

function matchesOne(token: Exclude<Token, typeof STAR>, code: number): boolean {
  if (typeof token === "number") return token === code;
  if (token === ANY) return true;
  return token.ranges.some(([first, last]) => code >= first && code <= last) !== token.isNegated;
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
