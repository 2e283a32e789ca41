import pLimit from "p-limit";
import { isHarnessError } from "../../contracts/errors.js";
import type { ToolContext } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { isForeign, noteChanged, noteForeign, ownChangeOf } from "../files/own-changes.js";

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
export async function reportChangedFiles(
  workspace: Workspace,
  context: ToolContext,
  asKnown?: ReadonlySet<string>,
): Promise<void> {
  const { notify, sessionId } = context;
  await eachNoted(workspace, sessionId, async (filePath) => {
    const { event, version } = await findChange(workspace, sessionId, filePath);
    if (event) notify?.("FileChanged", { filePath, event });
    if (event === "change" && version !== null && asKnown?.has(filePath)) {
      noteChanged(workspace, sessionId, filePath, { by: "command", before: null, version });
    }
  });
}

/** The files that are as the session knows them, or as its own hooks and commands have left them, before a command runs. */
export async function filesAsKnown(workspace: Workspace, context: ToolContext): Promise<ReadonlySet<string>> {
  const { notify, sessionId } = context;
  const { fileState } = workspace;
  const asKnown = new Set<string>();
  await eachNoted(workspace, sessionId, async (filePath) => {
    const { event, version } = await findChange(workspace, sessionId, filePath);
    const isOwn = version !== null && ownChangeOf(workspace, sessionId, filePath, version) !== null;
    if (event) notify?.("FileChanged", { filePath, event });
    const digest = fileState.get(sessionId, filePath);
    if (event && !isOwn) noteForeign(workspace, sessionId, filePath, digest);
    else if (isOwn || !isForeign(workspace, sessionId, filePath, digest)) asKnown.add(filePath);
  });
  return asKnown;
}

async function eachNoted(workspace: Workspace, sessionId: string, look: (path: string) => Promise<void>) {
  const paths = workspace.fileState.paths(sessionId).slice(0, MAX_LOOKED_AT);
  await pLimit(LOOKED_AT_ONCE).map(paths, look);
}

async function findChange({ files, fileState }: Workspace, sessionId: string, path: string) {
  try {
    return await files.withLock(path, "read", async () => {
      const stat = await files.stat(path);
      const version = stat.kind === "file" ? stat.version : null;
      return { event: fileState.see(sessionId, path, version), version };
    });
  } catch (error) {
    if (!isHarnessError(error)) throw error;
    return { event: fileState.see(sessionId, path, null), version: null };
  }
}
