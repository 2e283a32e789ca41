import { dirname } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";

/** A folder and its parents as far as they do not exist, outermost first: what making the folder makes. */
export async function missingFolders({ files, root }: Workspace, folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let path = folder; path !== root && path !== dirname(path); path = dirname(path)) {
    try {
      await files.stat(path);
      break;
    } catch (error) {
      if (!isHarnessError(error, "PATH_NOT_FOUND")) throw error;
      missing.unshift(path);
    }
  }
  return missing;
}
