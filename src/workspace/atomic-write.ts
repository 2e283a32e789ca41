import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, open, rename, rm } from "node:fs/promises";
import type { PinnedFolder } from "./opened-path.js";

/**
 * Replaces or creates `name` in one step: a temporary file beside it, synced to disk, takes its place. Whoever reads
 * meanwhile sees the old or the new content whole. A symbolic link of that name would be replaced, never followed.
 *
 * `existing` gives its mode and owner to the new file; `mode` wins over its mode. Answers the new file's status.
 *
 * @throws the system's `EACCES` for a file this user may not write: replacing it would take no more than a right on the
 * folder. Whoever gives a `mode` knows better.
 */
export async function writeAtomically(
  folder: PinnedFolder,
  name: string,
  content: Uint8Array,
  existing?: Stats,
  mode?: number,
) {
  if (existing && mode === undefined) await access(folder.at(name), constants.W_OK);
  const temporary = folder.at(`.loopwright-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", existing ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (existing) await inherit(handle, existing);
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await handle.sync();
    await rename(temporary, folder.at(name));
    // Only now: renaming changes a file's status, too.
    return await handle.stat({ bigint: true });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function inherit(handle: FileHandle, existing: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    // Only a privileged process may give files away; others keep what they wrote, as an editor would.
    await handle.chown(existing.uid, existing.gid).catch(() => undefined);
  }
  await handle.chmod(existing.mode & 0o7777);
}
