import type { Look } from "../../../contracts/many-files.js";
import type { FileAccess } from "../../../contracts/workspace.js";
import type { DirectoryFacts, SkipRules } from "./skip-rules.js";

/** As a disk reports it. */
export interface DirectoryEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
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
  /** Reads many files at once. Not needed: they are read one by one. */
  readonly bulk?: BulkReader;
}

/** Reads files that are elsewhere, many in one round trip. */
export interface BulkReader {
  /** The size of a file that can be read with others. Unit: bytes. */
  sizeOf(path: string): number | undefined;
  /** The entries of a directory, where they are known. */
  list(directory: string): Listed | undefined;
  /** The kind and size of what a link in a listed directory leads to; also of a file there. */
  statOf(path: string): Promise<Pick<Look, "kind" | "size"> | undefined>;
  /** The contents that could be read, of files that have `maxBytes` together. */
  read(paths: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The files below a directory that ripgrep finds there with these options; `null` when it cannot say. */
  narrow(directory: string, options: readonly string[]): Promise<readonly string[] | null>;
}

export type FileTime = number | undefined;

export type Listed = Awaited<ReturnType<FileAccess["list"]>>;
