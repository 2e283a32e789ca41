// The files that say what git runs when somebody uses it: its hooks and configuration, and what says where they are. With them, the
// record of untrusted files, which the permission checker keeps there.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { UNTRUSTED_RECORD } from "../../paths/sensitive-paths.js";
import { walkBelow } from "../paths/walk-below.js";

/** Git's own files in one repository, with its submodules and work trees. */
interface GitsOwnFiles {
  /** Some may be missing, and may not be made. */
  readonly readOnly: string[];
  /** Missing files that git would follow. Nothing can stand there meanwhile, since git stops at an empty one. */
  readonly absent: string[];
}

/** The `.git` of each repository, submodule and work tree in some directories. Installed packages are left out. */
export async function repositoriesIn(directories: readonly string[]): Promise<string[]> {
  const isGits = (path: string) => basename(path).toLowerCase() === ".git";
  const found = directories.filter(isGits);
  for (const directory of directories) {
    await walkBelow(directory, (path) => {
      if (isGits(path)) found.push(path);
      return !isGits(path) && basename(path) !== "node_modules";
    });
  }
  return found;
}

/** @param git the `.git` of a repository; that of a submodule or work tree is a file. Without it there is nothing. */
export function gitsOwnFiles(git: string): GitsOwnFiles {
  const found: GitsOwnFiles = { readOnly: [], absent: [] };
  const about = statSync(git, { throwIfNoEntry: false });
  if (about?.isDirectory()) collect(git, found);
  else if (about) found.readOnly.push(git);
  return found;
}

/** A submodule's name may be a path: what is no repository may hold some. */
function collect(directory: string, found: GitsOwnFiles): void {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const isRepository = names.has("HEAD") || names.has("config");
    if (isRepository) {
      const isMain = !names.has("commondir");
      for (const name of ["hooks", "config", UNTRUSTED_RECORD, "config.worktree", "commondir"]) {
        const mayBeMissing = name === "commondir" || name === "config.worktree";
        if (names.has(name) || (isMain && !mayBeMissing)) found.readOnly.push(join(directory, name));
        else if (mayBeMissing) found.absent.push(join(directory, name));
      }
    }
    for (const entry of entries) {
      const mayHold = !isRepository || entry.name === "modules" || entry.name === "worktrees";
      if (mayHold && entry.isDirectory()) collect(join(directory, entry.name), found);
    }
  } catch {
    // Nothing in what cannot be looked at may be written.
    found.readOnly.push(directory);
  }
}
