import { dirname, join, resolve } from "node:path";
import { type DiskView, textOf } from "./disk-view.js";

/** What git keeps of a working tree. */
export interface GitIndex {
  /** From the repository's root, in the order of git. */
  readonly names: readonly string[];
  readonly hasSubmodules: boolean;
}

const MAX_SIZE = 1_000_000;
const [HEADER, FIXED, EXTENDED] = [12, 62, 0x40];
/** The mode of an entry, after its times and its place on the disk. */
const MODE = 24;
const SUBMODULE = 0o160000;

/** The directory with git's own files in it, here or above. */
export function repositoryOf(directory: string, disk: DiskView): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (disk.kindOf(join(at, ".git")) !== null) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * A directory, here or above, that git may take for a repository without a working tree, settings and all, though it holds no
 * `.git`. `isMade`: what a path may be made there.
 */
export function lookalikeOf(directory: string, isMade: (path: string) => boolean, disk: DiskView): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const head = join(at, "HEAD");
    if ((isMade(head) || isThere(head, disk)) && !isThere(join(at, ".git"), disk)) return at;
    if (dirname(at) === at) return undefined;
  }
}

function isThere(path: string, disk: DiskView): boolean {
  return disk.kindOf(path) !== null || disk.isLink(path);
}

/** The index of a repository, versions 2 and 3 (gitformat-index(5)); `null` for others, and for what is not an index. */
export function readIndex(repository: string, disk: DiskView): GitIndex | null {
  const file = join(repository, ".git/index");
  // Without it git may go on to a directory above.
  const content = disk.contentOf(file, MAX_SIZE);
  if (content === null) return null;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    const version = bytes.readUInt32BE(4);
    if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 3) return null;
    const names: string[] = [];
    let hasSubmodules = false;
    let at = HEADER;
    for (let left = bytes.readUInt32BE(8); left > 0; left--) {
      const from = at + FIXED + ((bytes[at + FIXED - 2]! & EXTENDED) === 0 ? 0 : 2);
      const end = bytes.indexOf(0, from);
      if (end === -1) return null;
      hasSubmodules ||= bytes.readUInt32BE(at + MODE) === SUBMODULE;
      names.push(bytes.toString("utf8", from, end));
      at += Math.floor((end - at + 8) / 8) * 8;
    }
    // A shared or sparse index holds names elsewhere.
    if (names.some((name) => name.endsWith("/")) || bytes.includes("link", at)) return null;
    return { names, hasSubmodules };
  } catch {
    return null;
  }
}

/** Settings by which git runs a program while it only reads. */
const RUNS =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|hookspath|worktree|alternaterefscommand|gitproxy)|pager\..*|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|gpg\..*program|interactive\.difffilter|include.*|log\.showsignature)$/;
const HARMLESS_VALUES = /^(?:true|false|yes|no|on|off|0|1|cat|)$/i;
const MAX_SETTINGS = 100_000;

/** The first setting of a repository's own that names a program git would run; `null` when there is not one. */
export function programInSettings(directory: string, disk: DiskView): string | null {
  const root = repositoryOf(directory, disk);
  if (root === undefined) return null;
  if (disk.kindOf(join(root, ".git")) === "unknown") return "that cannot be read here";
  for (const directory of gitDirectories(join(root, ".git"), disk)) {
    for (const file of ["config", "config.worktree"]) {
      const found = settingsIn(join(directory, file), disk).find(
        ([name, value]) => RUNS.test(name) && !(HARMLESS_VALUES.test(value) && !/^include/.test(name)),
      );
      if (found) return found[0];
    }
  }
  return null;
}

/** `.git`, or where a file of that name leads, with the directory it shares. */
function gitDirectories(path: string, disk: DiskView): readonly string[] {
  const leads = /^gitdir: (.*)$/m.exec(textOfFile(path, disk))?.[1];
  const own = leads === undefined ? path : resolve(dirname(path), leads);
  const common = textOfFile(join(own, "commondir"), disk).trim();
  return common === "" ? [own] : [own, resolve(own, common)];
}

/** Names, in lower case but for what is quoted, with their values; lines that go on count as one each. */
function settingsIn(file: string, disk: DiskView): readonly (readonly [name: string, value: string])[] {
  let section = "";
  return textOfFile(file, disk)
    .split("\n")
    .flatMap((line) => {
      const [, name, sub, rest] = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\](.*)$/.exec(line) ?? [];
      if (name !== undefined) section = `${name.toLowerCase()}.${sub === undefined ? "" : `${sub}.`}`;
      const [, key, value = ""] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest ?? line) ?? [];
      return key === undefined ? [] : [[section + key.toLowerCase(), value.trim()] as const];
    });
}

function textOfFile(path: string, disk: DiskView): string {
  if (disk.kindOf(path) !== "file") return "";
  return textOf(disk, path, MAX_SETTINGS) ?? "[include]\npath=not-known";
}
