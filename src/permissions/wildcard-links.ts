import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileName, nameMatches } from "./name-glob.js";

/** How much may still be compared for one command line: the characters of a name times those of a wildcard. */
export interface WildcardBudget {
  left: number;
}

export const WILDCARD_BUDGET = 500_000;
/** Reading a folder costs as much as so many comparisons. */
const FOLDER_COST = 500;

/**
 * The symbolic links that the shell would meet when it expands the wildcards of an absolute path: what lies behind one may
 * be anywhere. `null` when the budget, which it takes from, does not reach.
 */
export function linksBehindWildcards(path: string, budget: WildcardBudget): readonly string[] | null {
  const names = path.split("/").filter((name) => name !== "");
  const links: string[] = [];
  const visit = (folder: string, at: number): boolean => {
    const name = names[at];
    if (name === undefined) return true;
    // What is before the first wildcard was followed when its own place was found.
    if (!names.slice(0, at + 1).some(isWild)) return visit(join(folder, name), at + 1);
    budget.left -= FOLDER_COST;
    if (budget.left < 0) return false;
    const wanted = compileName(name, { loosely: true });
    for (const entry of entriesOf(folder)) {
      budget.left -= (name.length + 1) * (entry.name.length + 1);
      if (budget.left < 0) return false;
      if (!nameMatches(wanted, entry.name)) continue;
      const found = join(folder, entry.name);
      if (entry.isSymbolicLink()) {
        if (at + 1 === names.length || mayBeFolder(found)) links.push(join(found, ...names.slice(at + 1)));
      } else if (entry.isDirectory() && !visit(found, at + 1)) return false;
    }
    return true;
  };
  return visit("/", 0) ? links : null;
}

function isWild(name: string): boolean {
  return /[*?[]/.test(name);
}

/** Nothing lies behind a link to a file. */
function mayBeFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return true;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
