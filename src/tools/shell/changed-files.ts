import pLimit from "p-limit";
import { isHarnessError } from "../../contracts/errors.js";
import type { ToolContext } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";

/** The files noted last. A command that changes others changes files nobody is working on. */
const MAX_LOOKED_AT = 500;
/** Enough to hide the waits, few enough to leave file handles to others. */
const LOOKED_AT_ONCE = 16;

/**
 * Reports, as `FileChanged`, which of the files this session has read or written are not as they were: each change once.
 *
 * For tools whose effects nobody sees, as commands have. Compares versions, so no file is read, and waits for file tools
 * that are at work on one, which report their changes themselves. Looks at the 500 files noted last. Never throws for a
 * file that cannot be looked at: that one counts as gone.
 */
export async function reportChangedFiles(workspace: Workspace, context: ToolContext): Promise<void> {
  const { notify, sessionId } = context;
  if (!notify) return;
  const paths = workspace.fileState.paths(sessionId).slice(0, MAX_LOOKED_AT);
  await pLimit(LOOKED_AT_ONCE).map(paths, async (filePath) => {
    const event = await findChange(workspace, sessionId, filePath);
    if (event) notify("FileChanged", { filePath, event });
  });
}

async function findChange({ files, fileState }: Workspace, sessionId: string, path: string) {
  try {
    return await files.withLock(path, "read", async () => {
      const { kind, version } = await files.stat(path);
      return fileState.see(sessionId, path, kind === "file" ? version : null);
    });
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    return fileState.see(sessionId, path, null);
  }
}
