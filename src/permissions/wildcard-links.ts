import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { patternsMeet } from "./wildcard.js";

const MAX_ENTRIES = 20_000;

/**
 * The symbolic links that the shell would meet when it expands the wildcards of an absolute path: what lies behind one may
 * be anywhere. Looks at most at 20,000 names; `null` when there are more.
 */
export function linksBehindWildcards(path: string): readonly string[] | null {
  const names = path.split("/").filter((name) => name !== "");
  const links: string[] = [];
  let seen = 0;
  const visit = (folder: string, at: number): boolean => {
    const name = names[at];
    if (name === undefined) return true;
    // What is before the first wildcard was followed when its own place was found.
    if (!names.slice(0, at + 1).some(isWild)) return visit(join(folder, name), at + 1);
    for (const entry of entriesOf(folder)) {
      if (++seen > MAX_ENTRIES) return false;
      if (!patternsMeet([name], [entry.name])) continue;
      const found = join(folder, entry.name);
      if (entry.isSymbolicLink()) links.push(join(found, ...names.slice(at + 1)));
      else if (entry.isDirectory() && !visit(found, at + 1)) return false;
    }
    return true;
  };
  return visit("/", 0) ? links : null;
}

function isWild(name: string): boolean {
  return /[*?[]/.test(name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
