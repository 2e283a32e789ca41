import { EditError, isHarnessError, ToolError } from "../contracts/errors.js";
import type { ToolContext } from "../contracts/tool.js";
import type { FileStat, Workspace } from "../contracts/workspace.js";
import { fileDigest } from "./file-digest.js";

export interface ExistingFile {
  readonly content: Uint8Array;
  readonly stat: FileStat;
}

export interface ChangeRequest<T extends { readonly content: Uint8Array }> {
  readonly path: string;
  /** Whether a file that exists has to have been read in this session. */
  readonly mustBeRead: boolean;
  /** Makes the new content from the old; `null` when there is no file. Throws to leave everything as it is. */
  change(existing: ExistingFile | null): T;
}

/**
 * Changes one file under its lock: reads it, makes sure that nobody changed it behind this session's back, tells the
 * journal and writes it in one step. Answers what `change` made.
 *
 * @throws EditError `EDIT_STALE` when others changed the file since this session read it
 */
export async function changeFile<T extends { readonly content: Uint8Array }>(
  workspace: Workspace,
  context: ToolContext,
  { path, mustBeRead, change }: ChangeRequest<T>,
): Promise<T> {
  const { files, fileState, journal } = workspace;
  const { sessionId, turn, signal } = context;
  // The lock and everything under it are about one real file, also when a link on the way is changed meanwhile.
  const real = await files.resolve(path, "write");
  return files.withLock(real, "write", async () => {
    signal.throwIfAborted();
    const existing = await readExisting(workspace, real);
    const known = fileState.get(sessionId, real);
    if (existing && known === undefined && mustBeRead) {
      throw stale(path, "exists, and this session has not read it");
    }
    if (existing && known !== undefined && known !== fileDigest(existing.content, existing.stat)) {
      throw stale(path, "was changed by others since this session read it");
    }
    if (!existing && /[\\/]\.?$/.test(path)) throw namesFolder(path);
    const changed = change(existing);
    await journal?.before({
      sessionId,
      turn,
      path: real,
      before: existing?.content ?? null,
      mode: existing?.stat.mode ?? 0,
    });
    signal.throwIfAborted();
    const stat = await files.write(real, changed.content);
    fileState.note(sessionId, real, fileDigest(changed.content, stat));
    return changed;
  });
}

async function readExisting({ files }: Workspace, path: string): Promise<ExistingFile | null> {
  try {
    const stat = await files.stat(path);
    return { content: await files.read(path), stat };
  } catch (error) {
    if (isHarnessError(error, "PATH_NOT_FOUND")) return null;
    throw error;
  }
}

function namesFolder(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `"${path}" is the name of a folder, for it ends in a slash. Give the path of a file.`,
    details: { path },
  });
}

function stale(path: string, why: string): EditError {
  return new EditError("EDIT_STALE", {
    message: `"${path}" ${why}. Read it with read_file, then try again.`,
    details: { path },
  });
}
