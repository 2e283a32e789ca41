import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore from "ignore";
import { isInside } from "./places.js";

/** Says of absolute paths below `root` whether git ignores them: by the `.gitignore` of each folder on the way. */
export function createGitIgnore(root: string): (path: string) => boolean {
  return (path) => {
    if (path === root || !isInside(path, root)) return false;
    for (let folder = root; ; folder = join(folder, relative(folder, path).split(sep)[0]!)) {
      if (folder === path) return false;
      const patterns = patternsOf(folder);
      const inside = relative(folder, path).split(sep).join("/");
      if (patterns !== null && (ignoresFolder(patterns, inside) || ignoresFolder(patterns, `${inside}/`))) return true;
      if (dirname(path) === folder) return false;
    }
  };
}

function ignoresFolder(patterns: string, inside: string): boolean {
  return ignore().add(patterns).ignores(inside);
}

/** Read anew each time: it is asked for seldom, only when something is about to be removed. */
function patternsOf(folder: string): string | null {
  try {
    return readFileSync(join(folder, ".gitignore"), "utf8");
  } catch {
    return null;
  }
}
