// The patterns of file rules: gitignore syntax, anchored as Claude Code does.
//   //etc/**   from the file system's root      ~/notes/**   from the home folder
//   /src/**    from the workspace's root        ./src/**     the same        *.pem   at any depth below it
import { resolve, sep } from "node:path";
import ignore from "ignore";
import { malformed } from "./parse-rule.js";
import { patternsMeet } from "./wildcard.js";

/** The folders patterns start from; both absolute. */
export interface PatternFolders {
  readonly root: string;
  readonly home: string;
}

/** A compiled pattern. Paths are absolute and normal. */
export interface PathPattern {
  /** Letter by letter, for allow rules. */
  matches(path: string): boolean;
  /** Also in other letter cases and spellings a file system may take for the same, for rules that deny or ask. */
  matchesGenerously(path: string): boolean;
  /** Whether a path with the shell's wildcards could become one that matches. */
  meets(wildcardPath: string): boolean;
  /** Whether the pattern is about this very file or folder, rather than about whatever lies somewhere. */
  names(path: string): boolean;
  /** The folder or file above which the pattern cannot match; `null` when it may match at any depth. */
  readonly place: string | null;
}

const MAX_ALTERNATIVES = 64;
/** Zero-width and directional marks, which some file systems ignore. */
const IGNORED_CHARACTERS = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** @throws ConfigurationError for a pattern that could never match, naming `rule` */
export function compilePathPattern(rule: string, content: string, folders: PatternFolders): PathPattern {
  const { root } = folders;
  const { base, pattern } = anchor(rule, content, folders);
  const patterns = expandBraces(pattern.normalize("NFC"));
  if (patterns.length > MAX_ALTERNATIVES) throw malformed(rule, `it has more than ${MAX_ALTERNATIVES} alternatives`);
  const exact = ignore({ ignorecase: false }).add(patterns);
  // A rule about all that is in a folder denies the folder, too: listing it, or taking it whole.
  const wholes = patterns.flatMap((each) => /^(.*[^*/])\/\*\*$/.exec(each)?.[1] ?? []);
  const generous = ignore({ ignorecase: true }).add([...patterns, ...wholes.map((each) => `${each}/`)]);
  const segments = patterns.map(segmentsOf);
  const isWhole = patterns.some((each) => /^\/?\*\*(\/\*)*$/.test(each));

  const foldedBase = fold(base);

  return {
    matches(path) {
      const inside = within(base, path.normalize("NFC"));
      return inside === "" ? isWhole : inside !== null && exact.ignores(inside);
    },
    matchesGenerously(path) {
      return [within(base, path.normalize("NFC")), within(foldedBase, fold(path))].some((inside) => {
        if (inside === "") return isWhole;
        return inside !== null && (generous.ignores(inside) || generous.ignores(`${inside}/`));
      });
    },
    meets(wildcardPath) {
      const word = namesIn(wildcardPath.toLowerCase());
      const start = namesIn(base.toLowerCase());
      return segments.some((each) => {
        const whole = [...start, ...each.map((name) => name.toLowerCase())];
        return patternsMeet(whole, word) || patternsMeet([...whole, "**"], word);
      });
    },
    names(path) {
      const names = namesIn(within(root, path) ?? path);
      const hidden = names.filter((name) => name.startsWith("."));
      const meant = hidden.length > 0 ? hidden : names.slice(-1);
      return segments.some((each) => each.some((name) => meant.some((one) => spells(name, one))));
    },
    place: placeOf(base, patterns),
  };
}

/** One spelling for names that only letter case, invisible marks, or dots and blanks at the end tell apart. */
export function fold(path: string): string {
  const names = path.normalize("NFC").replace(IGNORED_CHARACTERS, "").toUpperCase().toLowerCase().split(sep);
  return names.map((name) => name.replace(/[. ]+$/, "") || name).join(sep);
}

function anchor(rule: string, content: string, { root, home }: PatternFolders): { base: string; pattern: string } {
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
  const open = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(pattern);
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

/** As a list of names; a pattern without a slash but at its end may stand at any depth. */
function segmentsOf(pattern: string): string[] {
  const names = namesIn(pattern, "/");
  return pattern.replace(/\/$/, "").includes("/") ? names : ["**", ...names];
}

function namesIn(path: string, separator: string = sep): string[] {
  return path.split(separator).filter((name) => name !== "");
}

/** Whether a name of a pattern says which one it means, as `.env*` does for `.env.local`, and `*` does not. */
function spells(pattern: string, name: string): boolean {
  const spelled = pattern.replace(/^\\/, "");
  if (spelled.replace(/[*?[\]\\.]/g, "").length < 2) return false;
  if (name.startsWith(".") && !spelled.startsWith(".")) return false;
  return patternsMeet([spelled], [name]);
}

/** A name that is empty or made of dots: such a path was not resolved. */
const UNRESOLVED = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Where a path is below a folder, with slashes; `null` when it is not. */
function within(folder: string, path: string): string | null {
  if (path === folder) return "";
  const start = folder.endsWith(sep) ? folder : folder + sep;
  if (!path.startsWith(start)) return null;
  const inside = path.slice(start.length).split(sep).join("/");
  return UNRESOLVED.test(inside) ? null : inside;
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
