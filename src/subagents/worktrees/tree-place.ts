// The place of work trees: on this disk, or on the machine of a workspace. Their records and patches are on this disk in any case.
import type { posix } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import type { Locked } from "../../files/wait-for-lock.js";

/** The end of a git command. */
export interface GitOutcome {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  /** Its standard input. */
  readonly input?: Uint8Array | undefined;
  /**
   * The directory at which the search for a repository stops. Default: the one above, so that a directory that has stopped
   * being a work tree is not taken for part of a repository around it.
   */
  readonly ceiling?: string | undefined;
  /** The file that takes the place of the repository's index. */
  readonly index?: string | undefined;
}

export interface TreePlace {
  /** The workspace that the machine is known by; none on this disk. */
  readonly machine?: string;
  /** For messages: empty on this disk. */
  readonly where: string;
  /** The directory of work trees, there. */
  readonly dir: string;
  readonly paths: typeof posix;
  /** Runs git; never rejects for its exit code. */
  git(dir: string, args: readonly string[], options?: GitOptions): Promise<GitOutcome>;
  exists(path: string): Promise<boolean>;
  makeDirectory(path: string): Promise<void>;
  /** Where there is such a file. */
  copy(from: string, to: string): Promise<void>;
  /** With all that is in it. */
  remove(path: string): Promise<void>;
  /** Removes a work tree of a repository, whatever is left of it. */
  removeTree(repository: string, path: string): Promise<void>;
  /** Does `work` while no other process changes the repository. */
  inTurn<T>(repository: string, work: () => Promise<T>): Promise<Locked<T>>;
  /** The directory as a workspace; none on this disk, where the host opens it. */
  open(dir: string): Promise<Workspace | undefined>;
}
