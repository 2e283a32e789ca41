import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { descriptorName, descriptorPath, HAS_DESCRIPTORS, NO_FOLLOW, PATH_ONLY } from "./descriptor-path.js";
import { walkPath } from "./path-walk.js";

/** So that a pipe put in the place of a file cannot hold up the opening. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** A path was exchanged between the check and the opening. Checking again says what it is now. */
export class PathSwapped extends Error {}

/** Opens a checked real path for reading and makes sure that it is what was opened. @throws PathSwapped */
export async function openReal(path: string): Promise<FileHandle> {
  return verified(await openOrSwapped(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT), path);
}

/**
 * The status of what a checked real path names, and of nothing else. Synchronous: it takes microseconds.
 *
 * @throws PathSwapped
 */
export function statReal(path: string): BigIntStats {
  if (!HAS_DESCRIPTORS) {
    const stats = lstatSync(path, { bigint: true });
    if (stats.isSymbolicLink() || walkPath(path).path !== path) throw new PathSwapped(path);
    return stats;
  }
  const descriptor = openSync(path, PATH_ONLY | NO_FOLLOW);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const isPath = descriptorPath(descriptor) === path;
    if (stats.isSymbolicLink() || !isPath) throw new PathSwapped(path);
    return stats;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A directory held by its descriptor: what is made or renamed in it lands there, wherever its path leads by then.
 *
 * Where the system has no `/proc/self/fd`, the path is used as it is.
 */
export class PinnedDirectory {
  readonly #handle: FileHandle | undefined;
  readonly #path: string;

  private constructor(handle: FileHandle | undefined, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens a checked real directory. With `make`, it and its parents are made when missing. @throws PathSwapped */
  static async open(path: string, options: { readonly make: boolean }): Promise<PinnedDirectory> {
    // Windows cannot open directories.
    if (process.platform === "win32") {
      if (options.make) await mkdir(path, { recursive: true });
      return new PinnedDirectory(undefined, path);
    }
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW;
    try {
      return new PinnedDirectory(await verified(await openOrSwapped(path, flags), path), path);
    } catch (error) {
      if (!options.make || (error as NodeJS.ErrnoException).code !== "ENOENT" || path === dirname(path)) throw error;
    }
    const parent = await PinnedDirectory.open(dirname(path), options);
    try {
      await mkdir(parent.at(basename(path))).catch(ignoreExisting);
      return new PinnedDirectory(await verified(await openOrSwapped(parent.at(basename(path)), flags), path), path);
    } finally {
      await parent.close();
    }
  }

  /** The path of an entry, good until `close`. `""` is the directory itself. */
  at(name: string): string {
    return join(this.#handle && HAS_DESCRIPTORS ? descriptorName(this.#handle.fd) : this.#path, name);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function openOrSwapped(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link where none was (ELOOP), or no directory where one was (ENOTDIR).
    if (code === "ELOOP" || code === "ENOTDIR" || code === "ENXIO") throw new PathSwapped(code);
    throw error;
  }
}

async function verified(handle: FileHandle, path: string): Promise<FileHandle> {
  try {
    if (!(await isOpened(handle, path))) throw new PathSwapped(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function isOpened(handle: FileHandle, path: string): Promise<boolean> {
  // The kernel answers from memory; a thread to wait in would cost many times as much.
  if (HAS_DESCRIPTORS) return descriptorPath(handle.fd) === path;
  if (walkPath(path).path !== path) return false;
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), lstat(path, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
