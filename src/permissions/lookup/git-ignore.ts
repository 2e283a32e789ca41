import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isInside } from "../../paths/inside.js";
import { type DiskView, textOf } from "./disk-view.js";

/**
 * Says of absolute paths below `root` whether git ignores them: by the `.gitignore` of each directory on the way. Each
 * is read once, so make a new one for each decision.
 */
export function createGitIgnore(root: string, disk: DiskView): (path: string) => boolean {
  const known = new Map<string, Ignore | "none" | "no directory">();
  const patternsOf = (directory: string) => {
    const found = known.get(directory) ?? readPatterns(directory, disk);
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

const MAX_BYTES = 1_000_000;

function readPatterns(directory: string, disk: DiskView): Ignore | "none" | "no directory" {
  const text = textOf(disk, join(directory, ".gitignore"), MAX_BYTES);
  if (text !== null) return ignore().add(text);
  return disk.kindOf(directory) === null ? "no directory" : "none";
}
