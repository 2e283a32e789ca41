// What stands behind a list of names that one command prints and another reads: names that would be read as something else, and links.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { compileName, nameMatches } from "./name-glob.js";
import { foldCase } from "./path-names.js";
import { isInside } from "./places.js";
import type { NameListing } from "./shell/analysis.js";

/** More files than this are not looked through. */
const MAX_FILES = 5_000;
const MAX_INDEX = 1_000_000;
/** Blanks and quotes end a name in a list of lines; the others make it an option, or more than one name. */
const SPLITS = /[\s"'\\]|\p{Cc}/u;
/** Wildcards, and those the shell takes for such when it is told to. */
const EXPANDS = /[*?[]|[+@!]\(/;
/** What bytes that are no text are read as: what lies behind such a name cannot be looked at. */
const NO_TEXT = "\uFFFD";
/** Git writes other names in quotes, with numbers for their bytes. */
const PLAIN_IN_GIT = /^[\x20-\x7e]*$/;

/**
 * The links among the files that a command lists below a folder, for the pattern of an effect. `null` when that cannot be told,
 * or when a name in the list may be read as an option or as several names.
 */
export function linksListed(pattern: string, listing: NameListing): readonly string[] | null {
  const { start, isWanted } = readPattern(pattern);
  return listing.from === "index" ? linksInIndex(start, listing, isWanted) : linksBelow(start, listing, isWanted);
}

/** Whether a listing may hold a file or folder that exists, or anything below it. */
export function mayList(place: string, pattern: string, listing: NameListing): boolean {
  const { start, isWanted } = readPattern(pattern);
  if (listing.from === "index") return isInIndex(place, start);
  if (isWanted(basename(place))) return true;
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return false;
  const folders = [place];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = entriesOf(at);
    if (entries === null) return true;
    for (const entry of entries) {
      if (++seen > MAX_FILES || isWanted(entry.name)) return true;
      if (entry.isDirectory()) folders.push(join(at, entry.name));
    }
  }
  return false;
}

/** Whether a listing goes through a folder that `isRuled`, as far as can be told. */
export function mayEnter(pattern: string, listing: NameListing, isRuled: (folder: string) => boolean): boolean {
  if (listing.from === "index") return true;
  const { start } = readPattern(pattern);
  const folders = [start];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder);
    if (entries === null) return true;
    for (const entry of entries) {
      if (++seen > MAX_FILES) return true;
      if (!entry.isDirectory() || isLeftOut(entry.name, folder === start, listing)) continue;
      const path = join(folder, entry.name);
      if (isRuled(path)) return true;
      folders.push(path);
    }
  }
  return false;
}

function isLeftOut(name: string, isAtStart: boolean, { skips }: NameListing): boolean {
  return skips.includes(name) || (isAtStart && skips.includes(`./${name}`));
}

function isInIndex(place: string, start: string): boolean {
  const root = rootOf(start);
  const names = root === undefined ? [] : namesInIndex(join(root, ".git/index"));
  if (root === undefined || names === null) return names === null;
  try {
    const within = foldCase(relative(realpathSync(root), realpathSync(place)));
    return names.some((name) => isInside(`/${foldCase(name)}`, `/${within}`));
  } catch {
    return true;
  }
}

function readPattern(pattern: string): { readonly start: string; readonly isWanted: (name: string) => boolean } {
  const at = pattern.indexOf("/**");
  const wanted = pattern.slice(at + "/**/".length);
  const glob = wanted === "" ? null : compileName(foldCase(wanted), { loosely: true });
  return { start: pattern.slice(0, at) || "/", isWanted: (name) => glob === null || nameMatches(glob, foldCase(name)) };
}

function linksBelow(
  start: string,
  listing: NameListing,
  isWanted: (name: string) => boolean,
): readonly string[] | null {
  const links: string[] = [];
  const folders = [start];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder);
    if (entries === null) return null;
    for (const entry of entries) {
      const { name } = entry;
      if (entry.isDirectory() && isLeftOut(name, folder === start, listing)) continue;
      if (++seen > MAX_FILES || isOdd(name, listing)) return null;
      const path = join(folder, name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isSymbolicLink() && isWanted(name)) links.push(path);
    }
  }
  return links;
}

function linksInIndex(
  start: string,
  listing: NameListing,
  isWanted: (name: string) => boolean,
): readonly string[] | null {
  const root = rootOf(start);
  if (root === undefined) return [];
  const names = namesInIndex(join(root, ".git/index"));
  if (names === null) return null;
  const links: string[] = [];
  const folders = new Map<string, boolean>();
  let seen = 0;
  for (const name of names) {
    const path = join(root, name);
    if (!isInside(path, start)) continue;
    if (++seen > MAX_FILES || name.split("/").some((each) => isOdd(each, listing))) return null;
    if (isWanted(name.slice(name.lastIndexOf("/") + 1)) && isBehindLink(path, root, folders)) links.push(path);
  }
  return links;
}

function isOdd(name: string, { nul, from, expands }: NameListing): boolean {
  if (name.startsWith("-") || name.includes(NO_TEXT)) return true;
  return (
    (!nul && SPLITS.test(name)) ||
    (!nul && from === "index" && !PLAIN_IN_GIT.test(name)) ||
    (expands === true && EXPANDS.test(name))
  );
}

/** The folder with git's own files in it, here or above. */
function rootOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (statSync(join(at, ".git"), { throwIfNoEntry: false })) return at;
    if (dirname(at) === at) return undefined;
  }
}

const [HEADER, FIXED, EXTENDED] = [12, 62, 0x40];

/** The names in git's index, versions 2 and 3 (gitformat-index(5)); `null` for others, and for what is no index. */
function namesInIndex(file: string): readonly string[] | null {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    // Without it git may go on to a folder above.
    if (size === undefined || size > MAX_INDEX) return null;
    const bytes = readFileSync(file);
    const version = bytes.readUInt32BE(4);
    if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 3) return null;
    const names: string[] = [];
    let at = HEADER;
    for (let left = bytes.readUInt32BE(8); left > 0; left--) {
      const from = at + FIXED + ((bytes[at + FIXED - 2]! & EXTENDED) === 0 ? 0 : 2);
      const end = bytes.indexOf(0, from);
      if (end === -1) return null;
      names.push(bytes.toString("utf8", from, end));
      at += Math.floor((end - at + 8) / 8) * 8;
    }
    // A shared or sparse index holds names elsewhere.
    return names.some((name) => name.endsWith("/")) || bytes.includes("link", at) ? null : names;
  } catch {
    return null;
  }
}

/** A link, or a file in a folder that became one after the file was added. */
function isBehindLink(path: string, root: string, folders: Map<string, boolean>): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const folder = dirname(path);
  if (folder === root) return false;
  const known = folders.get(folder) ?? isBehindLink(folder, root, folders);
  folders.set(folder, known);
  return known;
}

/** What lies in a folder, nothing when it is none; `null` when that cannot be told. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
  }
}
