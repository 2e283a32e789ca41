import { dirname, join } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import type { KeptContents } from "./checkpoint-content.js";
import type { PathState } from "./checkpoint-record.js";

/** The name of a file that a workspace writes before it takes another's place. */
const TEMPORARY = /^\.loopwright-[0-9a-f]{16}\.tmp$/;

/**
 * Removes the temporary files that a crash left beside the files of a plan.
 *
 * One is removed if it holds a part of what the plan was to write there, which is kept: so nothing is lost with it.
 */
export async function sweepTemporaries(
  { files }: Workspace,
  contents: KeptContents,
  steps: readonly { readonly path: string; readonly from: PathState; readonly to: PathState }[],
): Promise<void> {
  if (!files.remove) return;
  for (const directory of new Set(steps.map(({ path }) => dirname(path)))) {
    const names = await listed(files, directory);
    const left = names.filter((name) => TEMPORARY.test(name));
    if (left.length === 0) continue;
    const here = steps.filter(({ path }) => dirname(path) === directory);
    const written = (await Promise.all(here.flatMap(({ from, to }) => [from, to]).map(contentOf))).filter(Boolean);
    for (const name of left) {
      const path = join(directory, name);
      const part = await files.read(path).catch(() => null);
      if (part && written.some((whole) => Buffer.from(part).equals(whole!.subarray(0, part.length)))) {
        await files.remove(path).catch(ignoreOwn);
      }
    }
  }

  function contentOf(state: PathState): Promise<Uint8Array | null> | null {
    return state === null || state === "directory" ? null : contents.find(state.digest);
  }
}

async function listed(files: Workspace["files"], directory: string): Promise<string[]> {
  try {
    return (await files.list(directory)).filter(({ kind }) => kind === "file").map(({ name }) => name);
  } catch (error) {
    ignoreOwn(error);
    return [];
  }
}

/** A file that is gone, or out of reach, needs no sweeping. */
function ignoreOwn(error: unknown): void {
  if (!isHarnessError(error)) throw error;
}
