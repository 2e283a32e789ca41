// What a search or a copy reads below a directory without naming it.
import { join } from "node:path";
import { nameFinder } from "../rules/path-names.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { entriesOf, type NamesOnDisk } from "./disk-view.js";

/** More names than this below one directory are not looked through. */
const MAX_NAMES = 20_000;
/** What was installed, and git's own files: large, and nobody keeps secrets of their own there. */
const PRUNED = new Set(["node_modules", ".git"]);
const FOLLOWS_LINKS = /^(?:-[a-zA-Z]*[RL][a-zA-Z]*|--dereference.*|--follow)$/;

/** The files below a directory that a command reads with it; `null` when they are too many, or cannot be listed. */
export function filesBelow(start: string, { words }: AnalyzedCommand): NamesOnDisk | null {
  const found = { files: [] as string[], folders: [] as string[], links: [] as string[] };
  const [isLeftOut, isWanted] = filtersOf(words);
  const followsLinks = words.some((word) => FOLLOWS_LINKS.test(word ?? ""));
  const folders = [start];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder);
    if (entries === null) return null;
    for (const entry of entries) {
      if (++seen > MAX_NAMES) return null;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!PRUNED.has(entry.name) && !isLeftOut(entry.name)) folders.push(path);
      } else if (entry.isSymbolicLink() ? followsLinks : true) {
        if (isWanted(entry.name)) (entry.isSymbolicLink() ? found.links : found.files).push(path);
      }
    }
  }
  return found;
}

/** `--exclude-dir`, `--exclude` and `--include` of `grep`. */
function filtersOf(words: AnalyzedCommand["words"]) {
  const values = (option: string) =>
    words.flatMap((word) => (word?.startsWith(`${option}=`) ? [nameFinder(word.slice(option.length + 1))] : []));
  const [folders, excluded, included] = [values("--exclude-dir"), values("--exclude"), values("--include")];
  return [
    (name: string) => folders.some((is) => is(name)),
    (name: string) => !excluded.some((is) => is(name)) && (included.length === 0 || included.some((is) => is(name))),
  ] as const;
}
