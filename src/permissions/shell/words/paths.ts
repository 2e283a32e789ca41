import { posix } from "node:path";
import type { EffectPath } from "../analysis.js";
import type { Directories, ShellWord } from "./shell-word.js";

/** Paths that bash itself serves without a file behind them. */
const STREAMS = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Other names of the current directory and of the root. */
const PROCESS_PLACE = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(cwd|root)(\/.*)?$/;
/** The parent of these depends on the process. */
const DEVICE_PARENT = /^\/+(?:dev|proc)\/.*\/\.\.(?:\/|$)/s;
const PARENT = /(?:^|\/)\.\.(?:\/|$)/;
/** A wildcard after a leading dot fits the parent directory too, unless it asks for another character, or for more. */
const FITS_PARENT = /(?:^|\/)\.[*?[]/;
const NEEDS_MORE = /(?:^|\/)\.(?:\[[!^]\.\]|\?\?)/g;

/** There is no file behind it. */
export function isStream(path: string | null): boolean {
  return path !== null && STREAMS.test(path);
}

/** A name that a program takes for its own input. */
export function isStandardInput(file: string): boolean {
  return file === "-" || /^\/+(?:dev\/[./]*(?:stdin|fd\/+\d+)|proc\/.*\/fd\/+\d+)$/.test(file);
}

/** One path for each directory it may be relative to, and what else it may be as far as the script shows. */
export function effectPaths(word: ShellWord, directories: Directories): readonly EffectPath[] {
  if (word.known === null && word.complete) {
    const each = word.guesses.map((guess) => choicePaths(guess, directories));
    if (each.length > 0 && each.every((paths) => paths.length > 0)) return each.flat();
  }
  const pattern = word.pattern && /[*?[]/.test(word.known ?? "");
  if (word.known === null || (pattern && fitsParent(word.known, word.raw))) {
    const guesses = word.known === null ? word.guesses : [word.known.replace(/\.[*?[].*$/s, "..")];
    return [
      { path: null },
      ...guesses.flatMap((guess) => choicePaths(guess, directories)).map((place) => ({ ...place, isPossible: true })),
      ...(word.known === null ? [] : placed(word.known, directories)).map((place) => ({
        ...place,
        pattern: true,
        isPossible: true,
      })),
    ];
  }
  const places = placed(word.known, directories);
  if (places.length === 0) return [{ path: null }];
  return pattern ? places.map((place) => ({ ...place, pattern })) : places;
}

/** The shell itself lists directories for a wildcard; only those that may lie outside need a look. */
const LEADS_ELSEWHERE = /^\/|(?:^|\/)\.\.(?:\/|$)/;

/** The paths in which the shell looks for names: for the wildcards of a word, or of a variable in it that has no quotes. */
export function pathsElsewhere(word: ShellWord, directories: Directories): readonly EffectPath[] {
  if (word.pattern && word.known !== null)
    return LEADS_ELSEWHERE.test(word.known) ? effectPaths(word, directories) : [];
  const texts = word.splits || word.complete ? word.guesses.flatMap((guess) => guess.split(/\s+/)) : [];
  const wild = texts.filter((text) => /[*?[]/.test(text) && LEADS_ELSEWHERE.test(text));
  return wild.flatMap((guess) => placed(guess, directories)).map((place) => ({ ...place, pattern: true }));
}

/** Quotes inside a bracket change what it says, and cannot be seen in the text. */
function fitsParent(text: string, raw: string): boolean {
  return FITS_PARENT.test(/["'\\$`]/.test(raw) ? text : text.replace(NEEDS_MORE, "/"));
}

/** The paths of one value a variable can have; none when it is not known where it leads. */
function choicePaths(value: string, directories: Directories): readonly EffectPath[] {
  const pattern = /[*?[]/.test(value);
  if (pattern && FITS_PARENT.test(value)) return [];
  return pattern ? placed(value, directories).map((place) => ({ ...place, pattern })) : placed(value, directories);
}

type PlacedPath = Pick<EffectPath, "path" | "asWritten">;

/** The absolute paths a string names. */
export function placed(text: string, directories: Directories): readonly PlacedPath[] {
  if (text === "") return [];
  if (!text.startsWith("/")) return (directories ?? []).map((directory) => placeOf(`${directory}/${text}`));
  if (DEVICE_PARENT.test(text)) return [];
  const place = placeOf(text);
  const [, process, rest = ""] = PROCESS_PLACE.exec(place.path) ?? [];
  if (process === undefined) return [place];
  return [
    place,
    ...(process === "root" ? [placeOf(`/${rest}`)] : (directories ?? []).map((directory) => placeOf(directory + rest))),
  ];
}

function placeOf(text: string): PlacedPath & { readonly path: string } {
  const path = normal(text);
  return PARENT.test(text) || /.\/\.?$/.test(text) ? { path, asWritten: text } : { path };
}

/** The path is the directory, or lies below it. */
export function containsPath(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

function normal(path: string): string {
  // Two slashes at the start are one on every system this runs on.
  const text = posix.normalize(path).replace(/^\/+/, "/");
  return text.length > 1 ? text.replace(/\/$/, "") : text;
}

/** The paths that the names in a list may be; `null` when the word is no list, or its start is not known. */
export function listedPaths(word: ShellWord, directories: Directories): readonly EffectPath[] | null {
  if (!word.listed || directories === null || directories.length === 0) return null;
  const { patterns, at = directories, ...listing } = word.listed;
  // Names that are reported in one directory are other files in another.
  if (
    at === null ||
    at.length !== directories.length ||
    at.some((directory, index) => directory !== directories[index])
  )
    return null;
  return patterns.flatMap((pattern) =>
    placed(pattern, directories).map((place) => ({ ...place, pattern: true, listing })),
  );
}
