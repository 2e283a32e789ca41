// The files behind a list of names that one command prints and another reads; names that would be misread, and links.
import { basename, dirname, join } from "node:path";
import { isInside } from "../../paths/inside.js";
import { nameFinder } from "../rules/path-names.js";
import type { NameListing } from "../shell/analysis.js";
import type { DiskView, NamesOnDisk } from "./disk-view.js";
import { readIndex, repositoryOf } from "./repository.js";
import { namesBehindWildcards, WILDCARD_BUDGET } from "./wildcard-names.js";

/** More files than this are not looked through. */
const MAX_FILES = 5_000;
/** Blanks and quotes end a name in a list of lines; the others make it an option, or more than one name. */
const SPLITS = /[\s"'\\]|\p{Cc}/u;
/** To `awk` and `env` it is not a file. */
const SETS_VARIABLE = /^[A-Za-z_]\w*=/;
/** Wildcards, and those the shell takes for such when asked to. */
const EXPANDS = /[*?[]|[+@!]\(/;
/** The character that bytes that are not text are read as: the file behind such a name cannot be looked at. */
const NO_TEXT = "\uFFFD";
/** Git writes other names in quotes, with numbers for their bytes. */
const PLAIN_IN_GIT = /^[\x20-\x7e]*$/;

/**
 * The names a command lists, for an effect's pattern, and perhaps more. `null` when that cannot be known, or when a
 * name in the list may be read as an option or as several names.
 */
export function listedFiles(pattern: string, listing: NameListing, disk: DiskView): NamesOnDisk | null {
  switch (listing.from) {
    case "index":
      return inIndex(pattern, listing, disk);
    case "shell":
      return behindWildcards(pattern, listing, disk);
    case "disk":
      return below(pattern, listing, disk);
  }
}

function readPattern(pattern: string): { readonly start: string; readonly isWanted: (name: string) => boolean } {
  const at = pattern.indexOf("/**");
  const wanted = pattern.slice(at + "/**/".length);
  return { start: pattern.slice(0, at) || "/", isWanted: wanted === "" ? () => true : nameFinder(wanted) };
}

function below(pattern: string, listing: NameListing, disk: DiskView): NamesOnDisk | null {
  const { start, isWanted } = readPattern(pattern);
  const found = { files: [] as string[], directories: [] as string[], links: [] as string[] };
  const directories = [{ directory: start, depth: 1 }];
  // It may be written as a dot.
  if (!listing.filesOnly && (isWanted(basename(start)) || isWanted("."))) found.directories.push(start);
  let seen = 0;
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    const { directory, depth } = at;
    const entries = disk.entriesOf(directory);
    if (entries === null) return null;
    for (const entry of entries) {
      const { name } = entry;
      if (entry.kind === "directory" && isLeftOut(name, directory === start, listing)) continue;
      if (++seen > MAX_FILES || isOdd(name, listing)) return null;
      const path = join(directory, name);
      if (entry.kind === "directory" && depth < (listing.depth ?? Infinity))
        directories.push({ directory: path, depth: depth + 1 });
      if (isWanted(name) && !(listing.directoriesOnly && entry.kind !== "directory"))
        (entry.kind === "link" ? found.links : entry.kind === "directory" ? found.directories : found.files).push(path);
    }
  }
  return found;
}

function isLeftOut(name: string, isAtStart: boolean, { skips }: NameListing): boolean {
  return skips.includes(name) || (isAtStart && skips.includes(`./${name}`));
}

function inIndex(pattern: string, listing: NameListing, disk: DiskView): NamesOnDisk | null {
  const { start, isWanted } = readPattern(pattern);
  const found = { files: [] as string[], directories: [] as string[], links: [] as string[] };
  const root = repositoryOf(start, disk);
  if (root === undefined) return listing.fromRoot ? null : found;
  const index = readIndex(root, disk);
  if (index === null || (listing.fromRoot && (root !== start || index.submodules.length > 0))) return null;
  const behindLinks = new Map<string, boolean>();
  let seen = 0;
  for (const name of index.names) {
    const path = join(root, name);
    if (!isInside(path, start)) continue;
    if (++seen > MAX_FILES || name.split("/").some((each) => isOdd(each, listing))) return null;
    if (!isWanted(basename(name))) continue;
    const isLink = isBehindLink(path, root, behindLinks, disk);
    (isLink ? found.links : disk.kindOf(path) === "directory" ? found.directories : found.files).push(path);
  }
  return found;
}

/** A directory that is not only named has its content listed, by names that start elsewhere. */
function behindWildcards(pattern: string, listing: NameListing, disk: DiskView): NamesOnDisk | null {
  const found = namesBehindWildcards(pattern, { left: WILDCARD_BUDGET }, false, disk);
  if (found === null) return null;
  const all = [...found.files, ...found.directories, ...found.links];
  if (all.length > MAX_FILES || all.some((path) => isOdd(basename(path), listing))) return null;
  const opens =
    !listing.namesOnly &&
    (found.directories.length > 0 ||
      found.links.some((path) => disk.kindOf(path) !== "file" && disk.kindOf(path) !== null));
  return opens ? null : found;
}

function isOdd(name: string, { nul, from, expands }: NameListing): boolean {
  if (name.startsWith("-") || name.includes(NO_TEXT) || SETS_VARIABLE.test(name)) return true;
  return (
    (!nul && SPLITS.test(name)) ||
    (!nul && from === "index" && !PLAIN_IN_GIT.test(name)) ||
    (expands === true && EXPANDS.test(name))
  );
}

/** A link, or a file in a directory that became one after the file was added. */
function isBehindLink(path: string, root: string, directories: Map<string, boolean>, disk: DiskView): boolean {
  if (disk.isLink(path)) return true;
  const directory = dirname(path);
  if (directory === root) return false;
  const known = directories.get(directory) ?? isBehindLink(directory, root, directories, disk);
  directories.set(directory, known);
  return known;
}
