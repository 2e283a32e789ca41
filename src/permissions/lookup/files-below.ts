// The files a search or a copy reads below a directory without naming them.
import { join } from "node:path";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { type DiskView, type NamesOnDisk, PRUNED } from "./disk-view.js";
import { filtersOf, followsLinks } from "./search-scope.js";

/** More names than this below one directory are not looked through. */
const MAX_NAMES = 20_000;
/** The files below a directory that a command reads with it; `null` when they are too many, or cannot be listed. */
export function filesBelow(start: string, command: AnalyzedCommand, disk: DiskView): NamesOnDisk | null {
  const found = { files: [] as string[], directories: [] as string[], links: [] as string[] };
  const { isLeftOut, isWanted } = filtersOf(command);
  const follows = followsLinks(command);
  const directories = [start];
  let seen = 0;
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const entries = disk.entriesOf(directory);
    if (entries === null) return null;
    for (const entry of entries) {
      if (++seen > MAX_NAMES) return null;
      const path = join(directory, entry.name);
      if (entry.kind === "directory") {
        if (!PRUNED.has(entry.name) && !isLeftOut(entry.name)) directories.push(path);
      } else if (entry.kind === "file" || follows) {
        if (isWanted(entry.name)) (entry.kind === "link" ? found.links : found.files).push(path);
      }
    }
  }
  return found;
}
