import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isInside } from "../../paths/inside.js";
import { type DiskView, textOf, upwards } from "./disk-view.js";
import { steeringSetting } from "./repository-settings.js";

/** Git's index of a working tree. */
interface GitIndex {
  /** From the repository's root, in the order of git. */
  readonly names: readonly string[];
  /** The directories that are repositories themselves. */
  readonly submodules: readonly string[];
  /** The ids of the contents that were asked for, by name. */
  readonly ids: ReadonlyMap<string, string>;
}

const MAX_PARSED_INDEX = 16_000_000;
const [HEADER, FIXED, EXTENDED] = [12, 62, 0x40];
/** The mode of an entry, after its times and its place on the disk; and the id of its content. */
const [MODE, ID, ID_BYTES] = [24, 40, 20];
const SUBMODULE = 0o160000;
const SUBMODULE_BYTES = Buffer.from([0, 0, SUBMODULE >> 8, SUBMODULE & 0xff]);

/** The directory with git's own files in it, here or above. */
export function repositoryOf(directory: string, disk: DiskView): string | undefined {
  return upwards(directory).find((at) => disk.kindOf(join(at, ".git")) !== null);
}

/**
 * The output of `git rev-parse --show-toplevel` there; `undefined` when it may print anything else.
 */
export function topLevelOf(directory: string, disk: DiskView): string | undefined {
  const root = repositoryOf(directory, disk);
  if (root === undefined || directory.split("/").includes(".git")) return undefined;
  const [own, shared = own] = gitDirectories(join(root, ".git"), disk);
  // Else git goes on to a directory above.
  const isWhole =
    /^(?:ref: refs\/\S+|[\da-f]{40,64})\s*$/.test(textOfFile(join(own, "HEAD"), disk)) &&
    [join(shared, "objects"), join(shared, "refs")].every((path) => disk.kindOf(path) === "directory");
  const isPlain = isWhole && programInSettings(directory, disk) === null;
  return isPlain && lookalikeOf(directory, () => false, disk) === undefined
    ? (disk.realPathOf(root) ?? undefined)
    : undefined;
}

/**
 * A directory, here or above, that git may take for a repository without a working tree, settings and all, though it
 * holds no `.git`. `isMade`: what a path may be made there.
 */
export function lookalikeOf(directory: string, isMade: (path: string) => boolean, disk: DiskView): string | undefined {
  return upwards(directory).find((at) => {
    const head = join(at, "HEAD");
    return (isMade(head) || isThere(head, disk)) && !isThere(join(at, ".git"), disk);
  });
}

function isThere(path: string, disk: DiskView): boolean {
  return disk.kindOf(path) !== null || disk.isLink(path);
}

/** The index of a repository, versions 2 to 4 (gitformat-index(5)); `null` for others, and for what is not an index. */
export function readIndex(repository: string, disk: DiskView, withId = (_name: string) => false): GitIndex | null {
  // Without it git may go on to a directory above.
  const content = disk.contentOf(indexFileOf(repository, disk), MAX_PARSED_INDEX);
  return content === null ? null : indexOf(content, withId);
}

/** The names git tracks, from the repository's root; `null` when that cannot be known. Empty without an index. */
export function trackedIn(repository: string, disk: DiskView): readonly string[] | null {
  if (disk.kindOf(indexFileOf(repository, disk)) === null) return [];
  return readIndex(repository, disk)?.names ?? null;
}

/** The directory with git's own files for the working tree of a repository. */
export function gitDirectoryOf(repository: string, disk: DiskView): string {
  return gitDirectories(join(repository, ".git"), disk)[0];
}

/** The directory that all work trees of a repository share. */
export function sharedDirectoryOf(repository: string, disk: DiskView): string {
  const [own, shared = own] = gitDirectories(join(repository, ".git"), disk);
  return shared;
}

function indexFileOf(repository: string, disk: DiskView): string {
  return join(gitDirectoryOf(repository, disk), "index");
}

function indexOf(content: Uint8Array, withId?: (name: string) => boolean): GitIndex | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    const version = bytes.readUInt32BE(4);
    if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return null;
    const names: string[] = [];
    const submodules: string[] = [];
    const ids = new Map<string, string>();
    let at = HEADER;
    let before: Buffer = Buffer.alloc(0);
    for (let left = bytes.readUInt32BE(8); left > 0; left--) {
      const fixed = at + FIXED + ((bytes[at + FIXED - 2]! & EXTENDED) === 0 ? 0 : 2);
      const [dropped, from] = version === 4 ? offsetAt(bytes, fixed) : [0, fixed];
      const end = bytes.indexOf(0, from);
      if (end === -1 || dropped > before.length) return null;
      const rest = bytes.subarray(from, end);
      // In version 4 a name begins as the one before it, but for so many bytes at its end.
      before = version === 4 ? Buffer.concat([before.subarray(0, before.length - dropped), rest]) : rest;
      const name = before.toString("utf8");
      if (bytes.readUInt32BE(at + MODE) === SUBMODULE) submodules.push(name);
      names.push(name);
      if (withId?.(name)) ids.set(name, bytes.toString("hex", at + ID, at + ID + ID_BYTES));
      at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
    }
    // A shared or sparse index holds names elsewhere.
    if (names.some((name) => name.endsWith("/")) || hasExtension(bytes, at, "link")) return null;
    return { names, submodules, ids };
  } catch {
    return null;
  }
}

/** Extensions follow the entries, each with its name and its length. */
function hasExtension(bytes: Buffer, start: number, name: string): boolean {
  for (let at = start; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) === name) return true;
  }
  return false;
}

/** A number in bytes of seven bits, as git writes offsets (gitformat-pack(5)), and where it ends. */
function offsetAt(bytes: Buffer, start: number): readonly [number, number] {
  let at = start;
  let value = bytes[at]! & 0x7f;
  while ((bytes[at++]! & 0x80) !== 0) value = (value + 1) * 0x80 + (bytes[at]! & 0x7f);
  return [value, at];
}

const MAX_SETTINGS = 100_000;
const UNREADABLE = "that cannot be read here";
/** The one that runs while git only looks at what has changed (githooks(5)). */
const HOOK = "post-index-change";
/** The most repositories inside each other that are looked at. */
const MAX_REPOSITORIES = 50;
const MAX_INDEX = 50_000_000;

/**
 * The part of a repository or submodule that may make git run a program or fetch something although it only reads: a
 * setting that is not known to be data, or a hook; `null` when nothing does. `makesFiles`: the line does, before git
 * looks. `changes`: git may do more than read, so that any hook counts, and settings for that.
 */
export function programInSettings(
  directory: string,
  disk: DiskView,
  makesFiles = false,
  changes = false,
): string | null {
  const root = repositoryOf(directory, disk);
  return root === undefined ? null : programIn(root, disk, { left: MAX_REPOSITORIES, makesFiles, changes });
}

const REFS = ["refs", "refs/heads", "refs/tags", "refs/remotes"];
const MAX_PACKED = 20_000_000;
/** A line of packed names, or what `HEAD` leads to. */
const LIKE_OPTION = /(?:^|[ \n])refs\/(?:(?:heads|tags|remotes)\/)?(-[^\s^]*)/;

/**
 * A branch or tag whose name looks like an option, so that a program may take it for one; `null` when there is not one.
 * Git refuses to make such, but not to fetch them.
 */
export function refLikeOption(directory: string, disk: DiskView): string | null {
  const root = repositoryOf(directory, disk);
  if (root === undefined) return null;
  if (disk.kindOf(join(root, ".git")) === "unknown") return UNREADABLE;
  for (const own of new Set(gitDirectories(join(root, ".git"), disk))) {
    if (own === undefined) continue;
    if (isThere(join(own, "reftable"), disk)) return UNREADABLE;
    for (const refs of REFS) {
      const entries = disk.entriesOf(join(own, refs));
      if (entries === null) return UNREADABLE;
      const found = entries.find(({ name }) => name.startsWith("-"));
      if (found) return found.name;
    }
    for (const file of ["HEAD", "packed-refs"]) {
      const kind = disk.kindOf(join(own, file));
      if (kind === null) continue;
      const text = textOf(disk, join(own, file), MAX_PACKED);
      if (text === null) return UNREADABLE;
      const found = LIKE_OPTION.exec(text)?.[1];
      if (found !== undefined) return found;
    }
  }
  return null;
}

function programIn(
  root: string,
  disk: DiskView,
  budget: { left: number; readonly makesFiles: boolean; readonly changes: boolean },
): string | null {
  const { makesFiles, changes } = budget;
  if (disk.kindOf(join(root, ".git")) === "unknown" || budget.left-- === 0) return UNREADABLE;
  const [own, shared = own] = gitDirectories(join(root, ".git"), disk);
  for (const directory of new Set([own, shared])) {
    if (isThere(join(directory, "hooks", HOOK), disk)) return `hooks/${HOOK}`;
    const hooks = changes ? (disk.entriesOf(join(directory, "hooks")) ?? [{ name: UNREADABLE }]) : [];
    const hook = hooks.find(({ name }) => !name.endsWith(".sample"));
    if (hook) return `hooks/${hook.name}`;
    for (const file of ["config", "config.worktree"]) {
      const places = {
        "core.worktree": (path: string) => resolve(directory, path) === root,
        // A line that makes files may make the hook.
        "core.hookspath": (path: string) =>
          !makesFiles && !changes && PLAIN_PATH.test(path) && !isThere(resolve(root, path, HOOK), disk),
        "blame.ignorerevsfile": (path: string) =>
          !makesFiles && PLAIN_PATH.test(path) && isRevisions(textOfFile(resolve(root, path), disk)),
      };
      const found = steeringSetting(textOfFile(join(directory, file), disk), places, changes);
      if (found !== undefined) return found;
    }
  }
  const submodules = submodulesOf(join(own, "index"), disk);
  if (submodules === null) return UNREADABLE;
  for (const name of submodules) {
    const inside = join(root, name);
    const found = disk.kindOf(join(inside, ".git")) === null ? null : programIn(inside, disk, budget);
    if (found) return found;
  }
  return null;
}

const PLAIN_PATH = /^[\w./-]+$/;

/** Of a file that holds anything else, git shows a line. */
function isRevisions(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(?:[\da-f]{40}\s*)?(?:#.*)?$/is.test(line));
}

/** By their paths; `null` when that cannot be known. Git reads in them when it compares files. */
function submodulesOf(index: string, disk: DiskView): readonly string[] | null {
  if (disk.kindOf(index) !== "file") return [];
  const content = disk.contentOf(index, MAX_INDEX);
  if (content === null) return null;
  // To look for their mode is much quicker than to take the index apart.
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!bytes.includes(SUBMODULE_BYTES) && !bytes.includes("link\0\0")) return [];
  return indexOf(content)?.submodules ?? null;
}

/** `.git`, or where a file of that name leads, with the directory it shares. */
function gitDirectories(path: string, disk: DiskView): readonly [string, string?] {
  const leads = /^gitdir: (.*)$/m.exec(textOfFile(path, disk))?.[1];
  const own = leads === undefined ? path : resolve(dirname(path), leads);
  const common = textOfFile(join(own, "commondir"), disk).trim();
  return common === "" ? [own] : [own, resolve(own, common)];
}

function textOfFile(path: string, disk: DiskView): string {
  const kind = disk.kindOf(path);
  if (kind === null || kind === "directory") return "";
  return textOf(disk, path, MAX_SETTINGS) ?? "[include]\npath=not-known";
}

/**
 * Says of absolute paths below `root` whether git ignores them: by the `.gitignore` of each directory on the way. Each
 * is read once, so make a new one for each decision.
 */
export function createGitIgnore(root: string, disk: DiskView): (path: string) => boolean {
  const known = new Map<string, Ignore | "none" | "no directory">();
  const patternsOf = (directory: string) => {
    const found = known.get(directory) ?? readPatterns(directory, disk);
    known.set(directory, found);
    return found;
  };
  return (path) => {
    if (path === root || !isInside(path, root)) return false;
    const names = relative(root, path).split(sep);
    let directory = root;
    for (const [index, name] of names.entries()) {
      const patterns = patternsOf(directory);
      if (patterns === "no directory") return false;
      const inside = names.slice(index).join("/");
      if (patterns !== "none" && (patterns.ignores(inside) || patterns.ignores(`${inside}/`))) return true;
      directory = join(directory, name);
    }
    return false;
  };
}

const MAX_BYTES = 1_000_000;

function readPatterns(directory: string, disk: DiskView): Ignore | "none" | "no directory" {
  const text = textOf(disk, join(directory, ".gitignore"), MAX_BYTES);
  if (text !== null) return ignore().add(text);
  return disk.kindOf(directory) === null ? "no directory" : "none";
}
