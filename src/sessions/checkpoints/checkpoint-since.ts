import { join } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { FileAccess } from "../../contracts/workspace.js";

/** Directories that tools of their own keep: what is in them is not the user's work. */
const NOT_LOOKED_INTO = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);
/** Files and directories that are looked at, breadth first: a rewind may take a second, not minutes. */
const MAX_LOOKED_AT = 20_000;
const AT_ONCE = 32;

/**
 * Files under `root` that were written after a moment, in the order of their paths. Links are not followed; what cannot
 * be read is passed over.
 *
 * `since`: milliseconds since the epoch.
 */
export async function filesChangedSince(files: FileAccess, root: string, since: number): Promise<string[]> {
  const changed: string[] = [];
  const directories = [root];
  let looked = 0;
  for (
    let directory = directories.shift();
    directory !== undefined && looked < MAX_LOOKED_AT;
    directory = directories.shift()
  ) {
    const here = directory;
    const entries = (await files.list(here).catch(none)).slice(0, MAX_LOOKED_AT - looked);
    looked += entries.length;
    for (const { name, kind } of entries) {
      if (kind === "directory" && !NOT_LOOKED_INTO.has(name)) directories.push(join(here, name));
    }
    const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => join(here, name));
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const some = names.slice(at, at + AT_ONCE);
      const times = await Promise.all(some.map((path) => files.stat(path).catch(nothing)));
      changed.push(...some.filter((_, index) => Math.floor(times[index]?.mtimeMs ?? 0) > since));
    }
  }
  return changed.sort();
}

function none(error: unknown): [] {
  if (!isHarnessError(error)) throw error;
  return [];
}

function nothing(error: unknown): null {
  if (!isHarnessError(error)) throw error;
  return null;
}
