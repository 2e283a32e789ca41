import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isInside } from "../../paths/inside.js";

/**
 * Says of absolute paths below `root` whether git ignores them: by the `.gitignore` of each directory on the way. Each is read
 * once, so make a new one for each decision.
 */
export function createGitIgnore(root: string): (path: string) => boolean {
  const known = new Map<string, Ignore | "none" | "no folder">();
  const patternsOf = (folder: string) => {
    const found = known.get(folder) ?? readPatterns(folder);
    known.set(folder, found);
    return found;
  };
  return (path) => {
    if (path === root || !isInside(path, root)) return false;
    const names = relative(root, path).split(sep);
    let folder = root;
    for (const [index, name] of names.entries()) {
      const patterns = patternsOf(folder);
      if (patterns === "no folder") return false;
      const inside = names.slice(index).join("/");
      if (patterns !== "none" && (patterns.ignores(inside) || patterns.ignores(`${inside}/`))) return true;
      folder = join(folder, name);
    }
    return false;
  };
}

function readPatterns(folder: string): Ignore | "none" | "no folder" {
  try {
    return ignore().add(readFileSync(join(folder, ".gitignore"), "utf8"));
  } catch {
    return existsSync(folder) ? "none" : "no folder";
  }
}
