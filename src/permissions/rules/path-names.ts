// Paths as lists of names, in the spellings that rules compare. A decision compares each path with every rule, so the
// last ones are kept.

import { sep } from "node:path";
import { foldCase, isPlainName, trimName } from "../../paths/fold.js";
import { compileName, type NameGlob, nameMatches } from "../../paths/glob.js";
import { bracketsAsStar } from "./command-pattern.js";

export interface PathNames {
  /** Letter by letter. */
  readonly exact: readonly string[];
  /** In one letter case, without marks that cannot be seen. */
  readonly folded: readonly string[];
  /** The same without dots and spaces at the end of a name; the same list when there are not. */
  readonly trimmed: readonly string[];
  /** It is absolute, and no name of it is empty or made of dots. */
  readonly isResolved: boolean;
}

const MAX_KEPT = 1_000;
/** All that are kept, together. Unit: characters. */
const MAX_KEPT_LENGTH = 200_000;
const keptNames = keep<PathNames>();
const keptGlobs = keep<readonly NameGlob[]>();
const keptWords = keep<readonly NameGlob[]>();

/** The names of an absolute path. */
export function pathNames(path: string): PathNames {
  return kept(keptNames, path, () => {
    const exact = namesIn(path.normalize("NFC"));
    const cased = namesIn(foldCase(path));
    const trimmed = cased.map(trimName);
    const isSame = trimmed.every((name, index) => name === cased[index]);
    const names = path.split(sep).slice(1);
    const isResolved = path === sep || (names.length > 0 && names.every((name) => !/^\.{0,2}$/.test(name)));
    return { exact, folded: cased, trimmed: isSame ? cased : trimmed, isResolved };
  });
}

/** Many paths, taken apart, with all the names in them. */
export interface TakenPaths {
  readonly paths: readonly PathNames[];
  readonly names: ReadonlySet<string>;
  /** The same names in one text. */
  readonly text: string;
}

/** Takes absolute paths apart. */
export function takePaths(paths: readonly string[]): TakenPaths {
  const taken = paths.map(pathNames);
  const names = new Set(
    taken.flatMap(({ folded, trimmed }) => (folded === trimmed ? folded : [...folded, ...trimmed])),
  );
  return { paths: taken, names, text: [...names].join(sep) };
}

/** The names of an absolute path with wildcards of the shell, in one letter case. */
export function pathGlobs(path: string): readonly NameGlob[] {
  return kept(keptGlobs, path, () => globsOf(namesIn(foldCase(path))));
}

/** The names of a path that may be relative, in one letter case already, without `.` and `..`. */
export function wordGlobs(word: string): readonly NameGlob[] {
  return kept(keptWords, word, () => {
    const names: string[] = [];
    for (const name of word.split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return globsOf(names);
  });
}

/** One that is too deep may mean anything. */
function globsOf(names: readonly string[]): readonly NameGlob[] {
  const unlike = names.filter((name, at) => name !== "**" || names[at - 1] !== "**");
  return (unlike.length > MAX_DEPTH ? ["**"] : unlike).map((name) => compileName(name, { loosely: true }));
}

/** No path is deeper: `PATH_MAX` is 4,096. */
const MAX_DEPTH = 2_048;

/**
 * The names the shell or `find` may reach with wildcards, and perhaps more: letter case is ignored, and a letter that
 * is not plain may count as several characters, or as bytes.
 */
export function nameFinder(source: string): (name: string) => boolean {
  const folded = compileName(foldCase(source), { loosely: true });
  const stretched = compileName(bracketsAsStar(source.toLowerCase()).replace(/\?|[^\x20-\x7e]+/g, "*"));
  return (name) =>
    nameMatches(folded, foldCase(name)) || (!isPlainName(name) && nameMatches(stretched, name.toLowerCase()));
}

/** The names of a path, or of a pattern. */
export function namesIn(path: string, separator: string = sep): string[] {
  return path.split(separator).filter((name) => name !== "");
}

interface Kept<Value> {
  readonly all: Map<string, Value>;
  length: number;
}

function keep<Value>(): Kept<Value> {
  return { all: new Map(), length: 0 };
}

/** However long a path is, every rule asks for it in turn. */
function kept<Value>(known: Kept<Value>, path: string, make: () => Value): Value {
  const found = known.all.get(path);
  if (found !== undefined) return found;
  const made = make();
  if (known.all.size >= MAX_KEPT || known.length + path.length > MAX_KEPT_LENGTH) {
    known.all.clear();
    known.length = 0;
  }
  known.all.set(path, made);
  known.length += path.length;
  return made;
}
