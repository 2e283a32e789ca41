import { basename, dirname, relative, sep } from "node:path";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { nearestNames } from "../../text/nearest-names.js";
import { quoteName } from "../../text/quote-name.js";
import { assertPlainPath } from "./path-notation.js";

/** Says that nothing is at `real`, and which names near it are most like the one asked for. */
export async function missingPath(workspace: Workspace, path: string, real: string): Promise<ToolError> {
  await assertPlainPath(workspace, path);
  const { directory, missing } = await deepestDirectory(workspace, real);
  const [first = real] = missing;
  const names = directory === null ? [] : await namesIn(workspace, directory);
  const nearest = nearestNames(basename(first), names).map((name) =>
    quoteName(relative(workspace.root, `${directory}/${name}`)),
  );
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : " Look for it with glob.";
  return new ToolError("PATH_NOT_FOUND", {
    message: `There is no file ${quoteName(path)}.${hint}`,
    details: { path },
  });
}

/** A directory and its parents as far as they do not exist, outermost first: what creating the directory creates. */
export async function missingDirectories(workspace: Workspace, directory: string): Promise<readonly string[]> {
  return (await deepestDirectory(workspace, directory)).missing;
}

interface Depth {
  /** The deepest directory that exists; `null` when what is there may not be looked at. */
  readonly directory: string | null;
  /** The path and its parents that do not exist, outermost first. */
  readonly missing: readonly string[];
}

/**
 * The existing part of a path. Where a parent is missing everything below it is, so the place is found by steps that double
 * and then halve: a path of a thousand missing directories takes one lookup, any other at most twenty.
 */
async function deepestDirectory({ files, root }: Workspace, path: string): Promise<Depth> {
  const chain: string[] = [];
  for (let at = path; at !== root && at !== dirname(at); at = dirname(at)) chain.push(at);
  chain.push(root);
  chain.reverse();

  let [there, gone] = [0, chain.length];
  let directory: string | null = path.startsWith(`${root}${sep}`) ? root : null;
  for (let step = 1; gone - there > 1; step *= 2) {
    const middle = Math.min(there + step, (there + gone) >> 1);
    try {
      const { kind } = await files.stat(chain[middle]!);
      directory = kind === "directory" ? chain[middle]! : dirname(chain[middle]!);
      there = middle;
    } catch (error) {
      if (isHarnessError(error, "PATH_NOT_FOUND")) gone = middle;
      else {
        // Outside the roots, which is above what may be looked at: nothing is said about it.
        if (!isHarnessError(error)) throw error;
        directory = null;
        there = middle;
      }
    }
  }
  return { directory, missing: chain.slice(gone) };
}

/** Nothing for a directory this user may not list: then there is just no hint. */
async function namesIn(workspace: Workspace, directory: string): Promise<string[]> {
  try {
    const names = (await workspace.files.list(directory)).map((entry) => entry.name);
    // One that is not UTF-8 cannot be asked for.
    return names.filter((name) => !name.includes("\ufffd"));
  } catch (error) {
    if (isHarnessError(error)) return [];
    throw error;
  }
}
