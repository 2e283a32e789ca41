import { type BigIntStats, fstatSync, type Stats } from "node:fs";
import { type FileHandle, readdir, rmdir, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { FileAccess, FileStat, OpenFile, PathAccess } from "../contracts/workspace.js";
import { writeAtomically } from "../files/atomic-write.js";
import { notADirectory, notAFile, notFound, readable, swapped } from "./file-errors.js";
import type { PathLocks } from "./path-locks.js";
import { openReal, PathSwapped, PinnedDirectory, statReal } from "./paths/opened-path.js";
import type { PathSandbox, SandboxedPath } from "./paths/path-sandbox.js";

/** A path that is exchanged again and again between check and use is an attack, not a rename. */
const MAX_ATTEMPTS = 3;

/** Files of this machine, through the sandbox. */
export function createFileAccess(sandbox: PathSandbox, locks: PathLocks): FileAccess {
  /** Checks the path and uses it; checks again when it turns out to have been exchanged in between. */
  async function use<T>(path: string, access: PathAccess, work: (checked: SandboxedPath) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(sandbox.resolve(path, access));
      } catch (error) {
        if (!(error instanceof PathSwapped)) throw readable(error, sandbox.nameOf(path));
        if (attempt === MAX_ATTEMPTS) throw swapped(sandbox.nameOf(path));
      }
    }
  }

  const open = (path: string) =>
    use(path, "read", async ({ path: real, stats }): Promise<OpenFile> => {
      if (stats?.isDirectory()) throw notAFile(sandbox.nameOf(path));
      const handle = await openReal(real);
      try {
        const opened = fstatSync(handle.fd, { bigint: true });
        if (!opened.isFile()) throw new PathSwapped(real);
        return openFile(handle, real, opened);
      } catch (error) {
        await handle.close();
        throw error;
      }
    });

  return {
    onDisk: true,
    resolve: async (path, access) => sandbox.resolve(path, access).path,
    stat: (path) => use(path, "read", async ({ path: real }) => fileStat(statReal(real))),
    open,
    async read(path) {
      const file = await open(path);
      try {
        return await readWhole(file);
      } catch (error) {
        throw readable(error, sandbox.nameOf(path));
      } finally {
        await file.close();
      }
    },
    write: (path, content, options) =>
      use(path, "write", async ({ path: real, stats }) => {
        if (stats?.isDirectory()) throw notAFile(sandbox.nameOf(path));
        const directory = await PinnedDirectory.open(dirname(real), { make: true });
        try {
          return fileStat(await writeAtomically(directory, basename(real), content, stats, options?.mode));
        } finally {
          await directory.close();
        }
      }),
    remove: (path) =>
      use(path, "write", async ({ path: real, stats }) => {
        if (!stats) throw notFound(sandbox.nameOf(path));
        const directory = await PinnedDirectory.open(dirname(real), { make: false });
        try {
          await (stats.isDirectory() ? rmdir : unlink)(directory.at(basename(real)));
        } finally {
          await directory.close();
        }
      }),
    makeDirectory: (path) =>
      use(path, "write", async ({ path: real, stats }) => {
        if (stats && !stats.isDirectory()) throw notADirectory(sandbox.nameOf(path));
        await (await PinnedDirectory.open(real, { make: true })).close();
      }),
    list: (path) =>
      use(path, "read", async ({ path: real, stats }) => {
        if (stats && !stats.isDirectory()) throw notADirectory(sandbox.nameOf(path));
        const directory = await PinnedDirectory.open(real, { make: false });
        try {
          const entries = await readdir(directory.at(""), { withFileTypes: true });
          return entries.map((entry) => ({
            name: entry.name,
            kind: entry.isSymbolicLink() ? ("symlink" as const) : kindOf(entry),
          }));
        } finally {
          await directory.close();
        }
      }),
    withLock: async (path, access, work) => locks.run(sandbox.resolve(path, access).path, access, work),
  };
}

function openFile(handle: FileHandle, path: string, stats: BigIntStats): OpenFile {
  return {
    path,
    stat: fileStat(stats),
    read: async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
    close: () => handle.close(),
  };
}

/** Until the end, not until the size it had: a file may grow, and some say 0. */
async function readWhole(file: OpenFile): Promise<Uint8Array> {
  let bytes = Buffer.allocUnsafe(file.stat.size + 1);
  let length = 0;
  for (;;) {
    const count = await file.read(bytes.subarray(length), length);
    length += count;
    if (count === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}

function fileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    mode: Number(stats.mode) & 0o7777,
    version: `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
  };
}

function kindOf(entry: Pick<Stats | BigIntStats, "isFile" | "isDirectory">): FileStat["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}
