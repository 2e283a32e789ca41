import type { ManyFiles, Walk } from "../../contracts/many-files.js";
import type { FileStat } from "../../contracts/workspace.js";

/** A name in a directory. */
export interface DriverEntry {
  readonly name: string;
  readonly kind: FileStat["kind"] | "symlink";
}

/**
 * Files that are kept somewhere: on another machine, in memory, in a store of objects. `createWorkspaceOver` makes a workspace
 * of them, and has all the rules: a driver only does what it is asked to.
 *
 * Every path is absolute, with `/` between its names. All but `walk` get real paths, which the sandbox has granted. What
 * fails throws an error with the `code` that Node's file system has for it, or a message that begins with it: `ENOENT`, `ENOTDIR`,
 * `EISDIR`, `ENOTEMPTY`, `EACCES`; or `ESTALE` for a path that is not real any more, which is then followed again.
 */
export interface FileDriver {
  /**
   * The verbs prove that a path is real as they use it, and throw `ESTALE` when it is not. A path without `..` is then used before it
   * was followed, which saves a round trip. Default: each path is followed first.
   */
  readonly proves?: true | undefined;
  /** Saves a driver that `proves` the round trips of searches and permission decisions. Default: they ask file by file. */
  readonly many?: ManyFiles | undefined;
  /** Follows a path as the kernel does, also where it does not exist: `..` leaves the directory that a link led to. */
  walk(path: string): Promise<Walk>;
  stat(path: string): Promise<FileStat>;
  /** At most `length` bytes of a file from `position` on, and its status as they were read. The bytes are the caller's own. */
  read(
    path: string,
    position: number,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly stat: FileStat }>;
  /** Replaces or creates a file in one step, with this mode or the one it has; makes missing parents. */
  write(path: string, content: Uint8Array, mode: number | undefined): Promise<FileStat>;
  /** Removes a file, or a directory when nothing is in it. */
  remove(path: string): Promise<void>;
  /** Makes a directory and its missing parents. */
  makeDirectory(path: string): Promise<void>;
  /** The entries of a directory, links not followed. */
  list(path: string): Promise<readonly DriverEntry[]>;
}
