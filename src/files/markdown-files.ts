import { join } from "node:path";
import { byName } from "../text/by-name.js";
import type { ProjectDirectory } from "./project-files.js";

const MAX_DEPTH = 5;

/** The Markdown files of a directory and those below, in order of their names, so that the same files always mean the same. */
export async function markdownFilesIn(
  { path: dir, files }: ProjectDirectory,
  ending = ".md",
  depth = 0,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of [...(await files.list(dir))].sort(byName)) {
    const path = join(dir, name);
    if (kind === "directory" && depth < MAX_DEPTH && !name.startsWith(".")) {
      found.push(...(await markdownFilesIn({ path, files }, ending, depth + 1)));
    } else if (kind !== "directory" && name.toLowerCase().endsWith(ending)) {
      found.push(path);
    }
  }
  return found;
}
