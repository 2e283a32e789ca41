import { basename, dirname, relative } from "node:path";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { nearestNames } from "../../text/nearest-names.js";

/** Says that nothing is at `real`, and which names near it are most like the one asked for. */
export async function missingPath(workspace: Workspace, path: string, real: string): Promise<ToolError> {
  const { folder, name } = await deepestFolder(workspace, real);
  const names = folder === null ? [] : await namesIn(workspace, folder);
  const nearest = nearestNames(name, names).map((each) => `"${relative(workspace.root, `${folder}/${each}`)}"`);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : " Look for it with glob.";
  return new ToolError("PATH_NOT_FOUND", { message: `There is no file "${path}".${hint}`, details: { path } });
}

/** None for a folder this user may not list: then there is just no hint. */
async function namesIn(workspace: Workspace, folder: string): Promise<string[]> {
  try {
    const names = (await workspace.files.list(folder)).map((entry) => entry.name);
    // One that is not UTF-8 cannot be asked for.
    return names.filter((name) => !name.includes("\ufffd"));
  } catch (error) {
    if (isHarnessError(error)) return [];
    throw error;
  }
}

/** The deepest folder on the way that exists, and the first name that does not. */
async function deepestFolder(workspace: Workspace, real: string): Promise<{ folder: string | null; name: string }> {
  for (let at = real; at !== dirname(at); at = dirname(at)) {
    try {
      const folder = dirname(at);
      if ((await workspace.files.stat(folder)).kind === "directory") return { folder, name: basename(at) };
    } catch (error) {
      // Missing: look one higher. Refused: that is outside, and nothing is said about it.
      if (!isHarnessError(error, "PATH_NOT_FOUND")) break;
    }
  }
  return { folder: null, name: basename(real) };
}
