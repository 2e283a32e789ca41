import { type Dirent, readdirSync } from "node:fs";

/** What a word with wildcards, or a list of names, stands for when a line is decided. Absolute paths, by their text. */
export interface NamesOnDisk {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Symbolic links, and what would be looked for behind them: that may lie anywhere. */
  readonly links: readonly string[];
}

/** The folders before the first wildcard. */
export function fixedPart(path: string): string {
  const wild = path.search(/[*?[{]/);
  if (wild < 0) return path;
  return path.slice(0, path.lastIndexOf("/", wild)) || "/";
}

/** What lies in a folder, nothing when it is none; `null` when that cannot be told. */
export function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
  }
}
