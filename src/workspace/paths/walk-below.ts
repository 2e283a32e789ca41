import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Goes through everything below a directory, and into the directories for which `visit` says so; links are not followed.
 *
 * @returns the directories that cannot be listed
 */
export async function walkBelow(
  directory: string,
  visit: (path: string, isDirectory: boolean) => boolean,
): Promise<string[]> {
  const unlisted: string[] = [];
  const left = [directory];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(({ code }: NodeJS.ErrnoException) => {
      if (code !== "ENOENT" && code !== "ENOTDIR") unlisted.push(at!);
      return [];
    });
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (visit(path, entry.isDirectory()) && entry.isDirectory()) left.push(path);
    }
  }
  return unlisted;
}
