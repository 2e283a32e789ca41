import type { FileAccess, Workspace } from "../../../contracts/workspace.js";
import { DiskSource } from "./disk-source.js";
import { FilesSource } from "./files-source.js";
import type { SkipRules } from "./skip-rules.js";

/** As a disk reports it. */
export interface DirectoryEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The facts about a directory that ignore rules need. */
export interface DirectoryFacts {
  has(name: string): boolean;
  /** The text of a file that holds ignore rules, by its path below the directory; `null` when there is not one. */
  text(path: string): string | null;
}

export interface Directory extends DirectoryFacts {
  /** By name. */
  readonly entries: Iterable<DirectoryEntry>;
}

/** A step of work that has no answer yet: the consumer may pause at `null`, and waits for a promise before it goes on. */
export type Pending = null | Promise<unknown>;

/** The place of a search: this machine's disk, or files that only their `FileAccess` can reach. */
export interface SearchSource {
  /** The ignore rules that count in `base`; names in `asked` are never skipped. */
  rules(base: string, asked: ReadonlySet<string>): Promise<SkipRules>;
  /** The entries of a directory; none in one that cannot be read. */
  readDirectory(directory: string): Generator<Pending, Directory>;
  /** The facts for ignore rules about a directory that was listed. */
  factsOf(directory: string, listed: Listed): Promise<DirectoryFacts>;
  /** The last change of a file; `undefined` for what is not a file, or may not be looked at. Unit: milliseconds. */
  fileTime(path: string): FileTime | Promise<FileTime>;
}

export type FileTime = number | undefined;

export type Listed = Awaited<ReturnType<FileAccess["list"]>>;

/** The disk itself where the files of a workspace are on it, which is many times as fast. */
export function searchSource({ files, root }: Workspace): SearchSource {
  return files.onDisk ? new DiskSource(root) : new FilesSource(files, root);
}
