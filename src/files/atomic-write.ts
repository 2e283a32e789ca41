import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** A directory whose entries have paths. */
export interface EntryPaths {
  at(name: string): string;
}

/** The entries of a directory by its path. */
export function entryPaths(dir: string): EntryPaths {
  return { at: (name) => join(dir, name) };
}

/**
 * Replaces or creates `name` in one step: a temporary file beside it, synced to disk, takes its place. A concurrent
 * reader sees the old or the new content whole. A symbolic link of that name would be replaced, never followed.
 *
 * `existing` gives its mode and owner to the new file; `mode` wins over its mode. Resolves with the new file's status.
 *
 * @throws the system's `EACCES` for a file this user may not write: replacing it would need no more than a right on the
 * directory. With `mode` that is not checked.
 */
export async function writeAtomically(
  directory: EntryPaths,
  name: string,
  content: Uint8Array,
  existing?: Stats,
  mode?: number,
) {
  if (existing && mode === undefined) await access(directory.at(name), constants.W_OK);
  const temporary = directory.at(temporaryName());
  const handle = await open(temporary, "wx", existing ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (existing) await inherit(handle, existing);
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await handle.sync();
    await rename(temporary, directory.at(name));
    // Only now: renaming changes a file's status, too.
    return await handle.stat({ bigint: true });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Creates `name` whole, in one step, unless it exists. Resolves with whether it was created: of many who try at once,
 * one does.
 */
export async function createAtomically(directory: EntryPaths, name: string, content: Uint8Array): Promise<boolean> {
  const temporary = directory.at(temporaryName());
  const handle = await open(temporary, "wx", 0o666);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await link(temporary, directory.at(name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}

/** The files that a crash between two steps may leave in a directory. */
export function isTemporaryName(name: string): boolean {
  return /^\.loopwright-[0-9a-f]{16}\.tmp$/.test(name);
}

function temporaryName(): string {
  return `.loopwright-${randomBytes(8).toString("hex")}.tmp`;
}

async function inherit(handle: FileHandle, existing: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    // Only a privileged process may give files away; others keep what they wrote, as an editor would.
    await handle.chown(existing.uid, existing.gid).catch(() => undefined);
  }
  await handle.chmod(existing.mode & 0o7777);
}
