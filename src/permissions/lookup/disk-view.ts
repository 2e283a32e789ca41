// The view that decisions have of files. Nothing else in this module knows whether they are on this machine's disk.

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { Workspace } from "../../contracts/workspace.js";
import { homeDirectories } from "../../paths/home-directories.js";
import { isInside } from "../../paths/inside.js";
import { isPrivateKeyFile } from "../../paths/private-key.js";

/** The names behind a word with wildcards, or a list, when a line is decided. Absolute paths, by their text. */
export interface NamesOnDisk {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Symbolic links, and what would be looked for behind them: that may lie anywhere. */
  readonly links: readonly string[];
}

/** A name in a directory. */
export interface DiskEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

/** A look at files as they are when a line is decided. Paths are absolute. Never throws. */
export interface DiskView {
  /** The entries of a directory, empty when it is not one; `null` when that cannot be known. */
  entriesOf(directory: string): readonly DiskEntry[] | null;
  /** With links followed, also of what does not exist yet; `null` when that cannot be known. */
  realPathOf(path: string): string | null;
  /** The kind of entry there, with links followed; `null` when nothing is. One that cannot be known is `unknown`. */
  kindOf(path: string): "file" | "directory" | "unknown" | null;
  /** The path itself is a link. */
  isLink(path: string): boolean;
  /** The bytes of a file of at most this size; `null` when it is not there, or cannot be known. */
  contentOf(path: string, maxBytes: number): Uint8Array | null;
  /** The file is a private key, by its ending and its first bytes. */
  holdsKey(path: string): boolean;
  /** The home directories there, whose secrets nobody gets at. */
  readonly homes: readonly string[];
}

/** Nothing is known: whatever would need to look asks. */
export const UNKNOWN_DISK: DiskView = {
  entriesOf: () => null,
  realPathOf: () => null,
  kindOf: () => "unknown",
  isLink: () => false,
  contentOf: () => null,
  holdsKey: () => false,
  homes: [],
};

/** Installed packages, and git's own files: large, and nobody keeps secrets of their own there. */
export const PRUNED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** A directory, and all above it. */
export function upwards(directory: string): readonly string[] {
  const all = [directory];
  for (let at = dirname(directory); at !== all.at(-1); at = dirname(at)) all.push(at);
  return all;
}

/** The directories before the first wildcard. */
export function fixedPart(path: string): string {
  const wild = path.search(/[*?[{]/);
  if (wild < 0) return path;
  return path.slice(0, path.lastIndexOf("/", wild)) || "/";
}

/** The text of a file; `null` when it is not there, too large, or not known. */
export function textOf(disk: DiskView, path: string, maxBytes: number): string | null {
  const bytes = disk.contentOf(path, maxBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** This machine's disk: the only place in this module that reads it. */
export const LOCAL_DISK: DiskView = {
  entriesOf(directory) {
    try {
      return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "directory" : "file",
      }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
    }
  },
  realPathOf(path) {
    // The real path of the deepest ancestor that exists, and the rest as written.
    const rest: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      try {
        // To ask first costs a tenth of an error: a path may have a thousand names that are not there.
        if (statSync(at, { throwIfNoEntry: false })) return join(realpathSync.native(at), ...rest);
      } catch {}
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  },
  kindOf(path) {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? null : stat.isDirectory() ? "directory" : "file";
    } catch {
      // A path this process may not look at is closed to others, too.
      return null;
    }
  },
  isLink(path) {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    } catch {
      return false;
    }
  },
  contentOf(path, maxBytes) {
    try {
      const stat = statSync(path);
      return stat.isFile() && stat.size <= maxBytes ? readFileSync(path) : null;
    } catch {
      return null;
    }
  },
  holdsKey: (path) => isPrivateKeyFile(path, false),
  get homes() {
    return homeDirectories();
  },
};

// ── another tree of the same files, as a sub-agent has one: judged by the names of the workspace, and by what lies there ──

/** The workspace that a tool works in: a sub-agent's may be another tree of the same files. */
export function treeOf(tool: PermissionRequest["tool"]): Workspace | undefined {
  const there = Object(typeof tool !== "string" && tool.worksIn) as Partial<Workspace>;
  return there.root !== undefined && there.files && there.fileState ? (there as Workspace) : undefined;
}

/** The same place in another tree; what lies elsewhere stays where it is. */
export function moved(path: string, from: string, to: string): string {
  return from !== to && isInside(path, from) ? join(to, relative(from, path)) : path;
}

/** The view of a tree `there`, by the names that its files have `here`. Git's own directory is the one that both share. */
export function treeView(disk: DiskView, here: string, there: string): DiskView {
  if (here === there) return disk;
  const git = join(here, ".git");
  const place = (path: string) => (path !== git && isInside(path, git) ? path : moved(path, here, there));
  return {
    entriesOf: (path) => disk.entriesOf(place(path)),
    realPathOf(path) {
      const at = place(path);
      const real = disk.realPathOf(at);
      return real === null || at === path ? real : moved(real, disk.realPathOf(there) ?? there, here);
    },
    kindOf: (path) => disk.kindOf(place(path)),
    isLink: (path) => disk.isLink(place(path)),
    contentOf: (path, maxBytes) => disk.contentOf(place(path), maxBytes),
    holdsKey: (path) => disk.holdsKey(place(path)),
    homes: disk.homes,
  };
}
