import { join } from "node:path";
import { bracketsAsStar } from "../rules/command-pattern.js";
import { nameFinder } from "../rules/path-names.js";
import type { DiskView, NamesOnDisk } from "./disk-view.js";

/** The comparisons left for one command line: the characters of a name times those of a wildcard. */
export interface WildcardBudget {
  left: number;
}

export const WILDCARD_BUDGET = 500_000;
/** Reading a directory costs as much as so many comparisons. */
const DIRECTORY_COST = 1_000;

/**
 * The names the shell would make of an absolute path's wildcards, and perhaps more: letter case is ignored, and where
 * a bracket or backslash may have been quoted, any text is. `null` when the budget, which it takes from, does not
 * reach, or a directory cannot be read.
 * @param isDeep `**` represents directories at any depth
 */
export function namesBehindWildcards(
  path: string,
  budget: WildcardBudget,
  isDeep: boolean,
  disk: DiskView,
): NamesOnDisk | null {
  const names = path.split("/").filter((name) => name !== "");
  const firstWild = names.findIndex((name) => /[*?[]/.test(name));
  const files = new Set<string>();
  const directories = new Set<string>();
  const links = new Set<string>();

  const visit = (directory: string, at: number): boolean => {
    const name = names[at]!;
    const isDeepHere = isDeep && name === "**";
    const isLast = at + 1 === names.length;
    if (isDeepHere && !isLast && !visit(directory, at + 1)) return false;
    budget.left -= DIRECTORY_COST;
    const entries = budget.left < 0 ? null : disk.entriesOf(directory);
    if (entries === null) return false;
    const isWanted = nameFinder(loosened(name));
    // Only a dot that is written out represents the one a hidden name begins with.
    const takesHidden = name.startsWith(".");
    for (const entry of entries) {
      budget.left -= (name.length + 1) * (entry.name.length + 1);
      if (budget.left < 0) return false;
      if ((entry.name.startsWith(".") && !takesHidden) || !isWanted(entry.name)) continue;
      const found = join(directory, entry.name);
      if (entry.kind === "link") {
        if (isLast || disk.kindOf(found) !== "file") links.add(join(found, ...names.slice(at + 1)));
      } else if (isLast) (entry.kind === "directory" ? directories : files).add(found);
      if (entry.kind === "directory" && (isDeepHere || !isLast) && !visit(found, isDeepHere ? at : at + 1))
        return false;
    }
    return true;
  };

  // The part before the first wildcard is followed when its own place is found.
  const start = `/${names.slice(0, Math.max(firstWild, 0)).join("/")}`;
  const isWhole = firstWild === -1 || visit(start, firstWild);
  return isWhole ? { files: [...files], directories: [...directories], links: [...links] } : null;
}

/** Its brackets and backslashes may be wildcards, or represent themselves. */
function loosened(name: string): string {
  return bracketsAsStar(name).replace(/\\[\s\S]?/g, "*");
}
