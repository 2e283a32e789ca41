import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a word with wildcards, or a list of names, represents when a line is decided. Absolute paths, by their text. */
export interface NamesOnDisk {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Symbolic links, and what would be looked for behind them: that may lie anywhere. */
  readonly links: readonly string[];
}

/** The directories before the first wildcard. */
export function fixedPart(path: string): string {
  const wild = path.search(/[*?[{]/);
  if (wild < 0) return path;
  return path.slice(0, path.lastIndexOf("/", wild)) || "/";
}

/** What lies in a directory, nothing when it is not one; `null` when that cannot be known. */
export function entriesOf(directory: string): Dirent[] | null {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
  }
}

/** The real path of the deepest ancestor that exists, and the rest as written. */
export function realPathOf(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...rest);
    } catch {
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  }
}

/** Something is there: a file, a directory, or what a link leads to. */
export function isOnDisk(path: string): boolean {
  return existsSync(path);
}

/** A file is there, or a link to one. */
export function isFileOnDisk(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A directory is there, or a link to one. */
export function isDirectoryOnDisk(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
