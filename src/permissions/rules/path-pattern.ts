// The patterns of file rules: gitignore syntax, anchored as Claude Code does.
//   //etc/**   from the file system's root      ~/notes/**   from the home directory
//   /src/**    from the workspace's root        ./src/**     the same        *.pem   at any depth below it

import { resolve, sep } from "node:path";
import { foldCase, trimName } from "../../paths/fold.js";
import {
  compileName,
  longestText,
  type NameGlob,
  nameMatches,
  namesMeet,
  plainName,
  sequencesMeet,
} from "../../paths/glob.js";
import { malformed } from "../../rules/parse-rule.js";
import { onceForEach } from "../once-for-each.js";
import { namesIn, type PathNames, pathGlobs, pathNames, type TakenPaths } from "./path-names.js";

/** The directories path rules start from; both absolute. */
export interface RuleDirectories {
  readonly root: string;
  readonly home: string;
}

/** A compiled pattern. Paths are absolute and normal. */
export interface PathPattern {
  /** Letter by letter, for allow rules. */
  matches(path: string): boolean;
  /** Also in other letter cases and spellings a file system may take for the same, for rules that deny or ask. */
  matchesGenerously(path: string): boolean;
  /** The same for paths that were taken apart before. */
  matchesAny(paths: TakenPaths): boolean;
  /** Quick: whether a path in one letter case holds the texts that one which matches holds. */
  mayMean(folded: string): boolean;
  /** Whether a path with the shell's wildcards could become one that matches. */
  meets(wildcardPath: string): boolean;
  /** It could, and a name of it says as much: `.e*` for `.env`, `*.pem` for `*.pem`; not `*`. */
  isSpelt(wildcardPath: string): boolean;
  /** Whether the pattern is about this very file or directory, rather than about whatever lies somewhere. */
  names(path: string): boolean;
  /** The directory or file above which the pattern cannot match; `null` when it may match at any depth. */
  readonly place: string | null;
  /** The directory that it takes all of, at any depth: `/tmp` for `//tmp/**`. */
  readonly whole: string | null;
  /** The names of each alternative, from the directory it starts from, for strings in which paths are only guessed. */
  readonly generousNames: readonly (readonly NameGlob[])[];
  /** Distinguishes patterns. */
  readonly key: string;
}

const MAX_ALTERNATIVES = 64;

/** @throws ConfigurationError for a pattern that could never match, naming `rule` */
export function compilePathPattern(rule: string, content: string, directories: RuleDirectories): PathPattern {
  const { root } = directories;
  const { base, pattern } = anchor(rule, content, directories);
  const patterns = expandBraces(pattern.normalize("NFC"));
  if (patterns.length > MAX_ALTERNATIVES) throw malformed(rule, `it has more than ${MAX_ALTERNATIVES} alternatives`);
  const exact = patterns.map((each) => compile(each, compileName));
  const generous = patterns.map(compileGenerously);
  const texts = generous.map(({ names }) =>
    names.filter((name) => !isAnyNames(name)).map((name) => (name.tokens === null ? name.text : longestText(name))),
  );
  const place = placeOf(base, patterns);
  const isWhole = patterns.some((each) => /^\/?\*\*(\/\*)*$/.test(each));
  const start = namesIn(base.normalize("NFC"));
  const foldedStart = namesIn(foldCase(base));
  const trimmedStart = foldedStart.map(trimName);
  const meeting = generous.map(({ names }) => [...foldedStart.map(plainName), ...names, ANY_NAMES]);

  const matchesNames = ({ folded, trimmed, isResolved }: PathNames): boolean => {
    if (!isResolved || !startsWith(trimmed, trimmedStart)) return false;
    if (trimmed.length === start.length) return isWhole;
    const matches = (name: NameGlob, at: number) =>
      nameMatches(name, trimmed[at]!) || (trimmed !== folded && nameMatches(name, folded[at]!));
    return generous.some((each) => takesNames(each, trimmed.length, start.length, matches));
  };

  return {
    matches(path) {
      const { exact: names, isResolved } = pathNames(path);
      if (!isResolved || !startsWith(names, start)) return false;
      if (names.length === start.length) return isWhole;
      const matches = (name: NameGlob, at: number) => nameMatches(name, names[at]!);
      return exact.some((each) => takesNames(each, names.length, start.length, matches));
    },
    matchesGenerously: (path) => matchesNames(pathNames(path)),
    matchesAny({ paths, names, text }) {
      const isThere = (name: NameGlob) =>
        name.tokens === null ? names.has(name.text) : text.includes(longestText(name));
      return generous.some((each) => each.names.every(isThere)) && paths.some(matchesNames);
    },
    mayMean: (folded) => texts.some((each) => each.every((text) => folded.includes(text))),
    meets(wildcardPath) {
      const word = pathGlobs(wildcardPath);
      return meeting.some((rule) => globsMeet(rule, word));
    },
    isSpelt(wildcardPath) {
      const word = pathGlobs(wildcardPath);
      // A file at any depth is looked for by its last name alone.
      const isWalk = word.some(isAnyNames);
      const spelling = (isWalk ? word.slice(-1) : word.slice(start.length)).filter((name) => !isBare(name));
      return generous.some(({ names }, index) => {
        const target = names.findLast((name) => !isBare(name));
        if (!target || !spelling.some((name) => isSpeltBy(target, name))) return false;
        return globsMeet(isWalk ? meeting[index]!.slice(0, -1) : meeting[index]!, word);
      });
    },
    names(path) {
      const names = namesIn(within(root, path) ?? path);
      const hidden = names.filter((name) => name.startsWith("."));
      const meant = hidden.length > 0 ? hidden : names.slice(-1);
      return exact.some((each) => each.names.some((name) => meant.some((one) => spells(name, one))));
    },
    place,
    whole: patterns.length === 1 && /^[^*?[]*\/\*\*$/.test(patterns[0]!) ? place : null,
    generousNames: generous.map(({ names }) => names),
    key: `${base} ${pattern}`,
  };
}

/** A pattern of gitignore as a list of names, of which `ANY_NAMES` represents any number. */
export interface NamesPattern {
  readonly names: readonly NameGlob[];
  /** It matches directories alone, by whatever lies in them. */
  readonly isDirectory: boolean;
}

/** Any number of names, also none. */
export const ANY_NAMES: NameGlob = compileName("**");

function compile(pattern: string, compiled: (name: string) => NameGlob): NamesPattern {
  // A blank at the end counts when there is a backslash before it.
  const text = pattern.replace(/(?<![\\ ]) +$/, "");
  const names = namesIn(text, "/").map((name) => (name === "**" ? ANY_NAMES : compiled(name)));
  const isAnywhere = !text.replace(/\/$/, "").includes("/");
  return { names: isAnywhere ? [ANY_NAMES, ...names] : names, isDirectory: text.endsWith("/") };
}

/** A rule about a directory, or about all that is in it, denies listing it or taking it whole, too. */
function compileGenerously(pattern: string): NamesPattern {
  const compiled = (name: string) =>
    compileName(/[*?[]/.test(name) ? foldCase(name) : trimName(foldCase(name)), LOOSELY);
  const each = { ...compile(pattern, compiled), isDirectory: false };
  const isAllInside = /[^*/]\/\*\*$/.test(pattern);
  return isAllInside ? { ...each, names: each.names.slice(0, -1) } : each;
}

const LOOSELY = { loosely: true };

/** Whether a pattern matches the names of a path between two positions, or a directory on the way to the last. */
export function takesNames(
  { names: pattern, isDirectory }: NamesPattern,
  end: number,
  from: number,
  matches: (name: NameGlob, at: number) => boolean,
): boolean {
  let [at, index, anyAt, resumeAt] = [from, 0, -1, from];
  for (;;) {
    const name = pattern[index];
    if (name === undefined) return !isDirectory || at < end;
    if (name === ANY_NAMES) {
      if (index === pattern.length - 1) return end - at > (isDirectory ? 1 : 0);
      anyAt = index++;
      resumeAt = at;
    } else if (at < end && matches(name, at)) {
      index++;
      at++;
    } else if (anyAt >= 0 && resumeAt < end) {
      index = anyAt + 1;
      at = ++resumeAt;
    } else return false;
  }
}

function globsMeet(rule: readonly NameGlob[], word: readonly NameGlob[]): boolean {
  let same = 0;
  for (; same < rule.length && same < word.length; same++) {
    if (isAnyNames(rule[same]!) || isAnyNames(word[same]!)) break;
    if (!namesMeet(rule[same]!, word[same]!)) return false;
  }
  return sequencesMeet(rule.slice(same), word.slice(same), isAnyNames, namesMeet);
}

function isAnyNames({ text }: NameGlob): boolean {
  return text === "**";
}

/** Nothing but wildcards. */
const isBare = onceForEach(({ text }: NameGlob) => /^\.?(?:[*?]|\[[^\]]*\])*$/.test(text));

const withoutStars = onceForEach(({ text }: NameGlob) => compileName(text.replaceAll("*", ""), LOOSELY));

/** A name with wildcards does not spell a rule's open part by leaving it open, too. */
function isSpeltBy(rule: NameGlob, name: NameGlob): boolean {
  if (rule.tokens === null || name.tokens === null) return namesMeet(rule, name);
  return namesMeet(rule, withoutStars(name));
}

function startsWith(names: readonly string[], start: readonly string[]): boolean {
  return names.length >= start.length && start.every((name, index) => name === names[index]);
}

function anchor(rule: string, content: string, { root, home }: RuleDirectories): { base: string; pattern: string } {
  if (content.startsWith("!")) throw malformed(rule, 'a pattern that begins with "!" matches nothing by itself');
  if (/(^|[^\\])(\\\\)*\\$/.test(content)) throw malformed(rule, "it ends in a backslash");
  if (content.startsWith("//")) return from("/", content.slice(1));
  if (content === "~" || content.startsWith("~/")) return from(home, content.slice(1));
  let base = root;
  let rest = content.replace(/^(\.\/+)+/, "/");
  if (rest === ".") rest = "/";
  for (; rest === ".." || rest.startsWith("../"); rest = rest.slice(2).replace(/^\//, "")) base = resolve(base, "..");
  if (base !== root) rest = `/${rest}`;
  if (rest.split("/").includes("..")) throw malformed(rule, '".." may only stand at its beginning');
  return from(base, rest.startsWith("#") ? `\\${rest}` : rest);
}

function from(base: string, rest: string): { base: string; pattern: string } {
  const pattern = rest.replace(/\/{2,}/g, "/");
  return { base, pattern: pattern === "" || pattern === "/" ? "/**" : pattern };
}

/** gitignore has no `{a,b}`; a rule that has one would match nothing without a word. */
function expandBraces(pattern: string): string[] {
  const open = /(?<!\\)\{([^{},]*,[^{}]*)\}/.exec(pattern);
  if (!open) return [pattern];
  const [whole, inner] = [open[0], open[1]!];
  const before = pattern.slice(0, open.index);
  const after = pattern.slice(open.index + whole.length);
  const found: string[] = [];
  for (const each of inner.split(",")) {
    if (found.length > MAX_ALTERNATIVES) break;
    found.push(...expandBraces(before + each + after));
  }
  return found;
}

/** Whether a name of a pattern says which one it means, as `.env*` does for `.env.local`, and `*` does not. */
function spells(pattern: NameGlob, name: string): boolean {
  if (pattern.text.replace(/[*?[\]\\.]/g, "").length < 2) return false;
  return (!name.startsWith(".") || pattern.text.startsWith(".")) && nameMatches(pattern, name);
}

/** The path relative to a directory; `null` when it is not below it. */
function within(directory: string, path: string): string | null {
  if (path === directory) return "";
  const start = directory.endsWith(sep) ? directory : directory + sep;
  return path.startsWith(start) ? path.slice(start.length) : null;
}

function placeOf(base: string, patterns: readonly string[]): string | null {
  if (patterns.length !== 1) return null;
  const pattern = patterns[0]!;
  if (!pattern.replace(/\/$/, "").includes("/")) return null;
  const names: string[] = [];
  for (const name of namesIn(pattern, "/")) {
    if (/[*?[]/.test(name)) break;
    names.push(name.replace(/\\(.)/g, "$1"));
  }
  return resolve(base, ...names);
}
