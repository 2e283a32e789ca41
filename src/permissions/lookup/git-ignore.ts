import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isInside } from "../../paths/inside.js";

/**
 * Says of absolute paths below `root` whether git ignores them: by the `.gitignore` of each directory on the way. Each is read
 * once, so make a new one for each decision.
 */
export function createGitIgnore(root: string): (path: string) => boolean {
  const known = new Map<string, Ignore | "none" | "no directory">();
  const patternsOf = (directory: string) => {
    const found = known.get(directory) ?? readPatterns(directory);
    known.set(directory, found);
    return found;
  };
  return (path) => {
    if (path === root || !isInside(path, root)) return false;
    const names = relative(root, path).split(sep);
    let directory = root;
    for (const [index, name] of names.entries()) {
      const patterns = patternsOf(directory);
      if (patterns === "no directory") return false;
      const inside = names.slice(index).join("/");
      if (patterns !== "none" && (patterns.ignores(inside) || patterns.ignores(`${inside}/`))) return true;
      directory = join(directory, name);
    }
    return false;
  };
}

function readPatterns(directory: string): Ignore | "none" | "no directory" {
  try {
    return ignore().add(readFileSync(join(directory, ".gitignore"), "utf8"));
  } catch {
    return existsSync(directory) ? "none" : "no directory";
  }
}
