import { dirname } from "node:path";
import { EditError, isHarnessError, ToolError } from "../../contracts/errors.js";
import type { ToolContext } from "../../contracts/tool.js";
import type { FileStat, OpenFile, UnseenPlace, Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";
import { assertDecided } from "./decided-path.js";
import { fileDigest } from "./file-digest.js";
import { countLines, fileNote } from "./file-note.js";
import { forCall } from "./file-tool.js";
import { missingDirectories } from "./missing-path.js";
import { noteWritten, type OwnChange, ownChangeOf } from "./own-changes.js";
import { assertPlainPath } from "./path-notation.js";
import { callInSession } from "./session-call.js";

/** Larger files do not fit into memory several times over, as comparing and editing need. Unit: bytes. */
const MAX_CHANGED_BYTES = 128 * 1024 * 1024;

/** The seen part of a file that was not read since it was changed. */
const NOTHING_SEEN = { from: 1, to: 0, isLast: false, cut: [] } as const;

export interface ExistingFile {
  readonly content: Uint8Array;
  readonly stat: FileStat;
}

export interface ChangeRequest<T extends { readonly content: Uint8Array }> {
  readonly path: string;
  /** Whether a file that exists has to have been read in this session, all of it. All of it is known afterwards, too. */
  readonly isReplaced: boolean;
  /**
   * Makes the new content from the old; `null` when there is no file. `own` is what hooks and commands of this session
   * have made of it since the session knew it. Throws to leave everything as it is.
   */
  change(existing: ExistingFile | null, own: OwnChange | null): T;
}

/**
 * Changes one file under its lock: reads it, makes sure that nobody changed it behind this session's back, informs the
 * journal and writes it in one step. Answers what `change` made, and fires `FileChanged`.
 *
 * A file that hooks or commands of this session have changed may be edited, and is not replaced before it is read again.
 *
 * @throws EditError `EDIT_STALE` when others changed the file since this session read it, or while it was being changed
 * @throws ToolError `FILE_UNSUPPORTED` for a file over 128 MiB, which is not read
 */
export async function changeFile<T extends { readonly content: Uint8Array }>(
  workspace: Workspace,
  context: ToolContext,
  { path, isReplaced, change }: ChangeRequest<T>,
): Promise<T> {
  const { fileState, journal } = workspace;
  const there = forCall(workspace);
  const { files } = there;
  const { sessionId, turn, signal, notify } = context;
  // The lock and everything under it are about one real file, also when a link on the way is changed meanwhile.
  const real = await files.resolve(path, "write");
  await assertDecided(there, { path, access: "write", real }, context);
  const { changed, event } = await files.withLock(real, "write", async () => {
    signal.throwIfAborted();
    const existing = await readExisting(there, path, real);
    const known = fileState.get(sessionId, real);
    if (existing && known === undefined && isReplaced) {
      throw stale(path, "exists, and this session has not read it");
    }
    const isChanged = existing && known !== undefined && known !== fileDigest(existing.content, existing.stat);
    const own = isChanged ? ownChangeOf(workspace, sessionId, real, existing.stat.version) : null;
    if (isChanged && own && isReplaced) {
      throw stale(path, `was changed by a ${own.by} of this session since it was read`);
    }
    if (isChanged && !own) throw stale(path, "was changed by others since this session read it");
    const unseen = existing && isReplaced ? fileState.unseen?.(sessionId, real) : null;
    if (unseen) throw readInPart(path, unseen);
    if (!existing) await assertPlainPath(workspace, path);
    if (!existing && /[\\/]\.?$/.test(path)) throw namesDirectory(path);
    const changed = change(existing, own);
    await journal?.before({
      sessionId,
      turn,
      ...callInSession(context),
      path: real,
      before: existing?.content ?? null,
      mode: existing?.stat.mode ?? 0,
      mtimeMs: existing?.stat.mtimeMs,
      after: changed.content,
      directories: existing ? [] : await missingDirectories(there, dirname(real)),
    });
    signal.throwIfAborted();
    if ((await findVersion(there, real)) !== existing?.stat.version) {
      throw stale(path, "was changed by others at this moment");
    }
    const stat = await files.write(real, changed.content);
    const seen = isReplaced || !existing ? "all" : own ? NOTHING_SEEN : "as before";
    fileState.note(
      sessionId,
      real,
      fileDigest(changed.content, stat),
      stat.version,
      seen,
      fileNote("write", countLines(changed.content), context),
    );
    const { version } = stat;
    noteWritten(workspace, context.toolCallId, { sessionId, path: real, version, content: changed.content });
    return { changed, event: existing ? ("change" as const) : ("add" as const) };
  });
  notify?.("FileChanged", { filePath: real, event });
  return changed;
}

async function readExisting({ files }: Workspace, path: string, real: string): Promise<ExistingFile | null> {
  let file: OpenFile;
  try {
    file = await files.open(real);
  } catch (error) {
    if (isHarnessError(error, "PATH_NOT_FOUND")) return null;
    throw error;
  }
  try {
    if (file.stat.size > MAX_CHANGED_BYTES) throw tooLarge(path, file.stat.size);
    return { content: await readAll(file), stat: file.stat };
  } finally {
    await file.close();
  }
}

/** As many bytes as it had when it was opened: what is appended later is a change by others. */
async function readAll(file: OpenFile): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(file.stat.size);
  let length = 0;
  for (let count = -1; length < bytes.length && count !== 0; length += count) {
    count = await file.read(bytes.subarray(length), length);
  }
  return bytes.subarray(0, length);
}

async function findVersion({ files }: Workspace, real: string): Promise<string | undefined> {
  try {
    return (await files.stat(real)).version;
  } catch (error) {
    if (isHarnessError(error, "PATH_NOT_FOUND")) return undefined;
    throw error;
  }
}

function readInPart(path: string, { line, column }: UnseenPlace): EditError {
  const from = column > 1 ? `line ${line}, column ${column}` : `line ${line}`;
  const next = column > 1 ? `offset=${line}, column=${column}` : `offset=${line}`;
  return new EditError("EDIT_STALE", {
    message: `${quoteName(path)} was read only in part, and write_file would replace all of it. What begins at ${from} was not read. Change parts of it with edit_file, or go on reading with ${next}.`,
    details: { path, line, column },
  });
}

function tooLarge(path: string, bytes: number): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} has ${bytes} bytes, too many to change here (${MAX_CHANGED_BYTES}). Use a command such as sed.`,
    details: { path, bytes },
  });
}

function namesDirectory(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is the name of a directory, because it ends in a slash. Give the path of a file.`,
    details: { path },
  });
}

function stale(path: string, why: string): EditError {
  return new EditError("EDIT_STALE", {
    message: `${quoteName(path)} ${why}. Read it with read_file, then try again.`,
    details: { path },
  });
}
