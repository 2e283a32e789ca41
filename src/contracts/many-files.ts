/** The kind of the file at the end of a path, links followed. */
type Kind = "file" | "directory" | "other";

/** The target of a path as it was followed. `trouble` says why it could not be followed to its end. */
export interface Walk {
  /** The real path, or as far as it was followed. What does not exist is appended as written. */
  readonly path: string;
  /** The kind of what is there; `null` when nothing is. */
  readonly kind: Kind | null;
  /** Every symbolic link passed through, by its own real path. */
  readonly links: readonly string[];
  readonly trouble?: "loop" | "not-a-directory" | "too-long" | "unreadable";
}

/** A question about a path, which is followed. */
export interface LookQuestion {
  readonly path: string;
  /** The size and the last change of what is there. */
  readonly stat?: boolean;
  /** The names in it, when it is a directory. */
  readonly names?: boolean;
  /** The content of a file of at most so many bytes. */
  readonly maxBytes?: number;
}

/** The answer to a `LookQuestion`: what was not asked for, or could not be found out, is left out. */
export interface Look extends Walk {
  /** Unit: bytes. */
  readonly size?: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs?: number;
  readonly names?: readonly { readonly name: string; readonly kind: Kind | "symlink" }[];
  readonly bytes?: Uint8Array;
}

/** A file, link or directory below a directory. */
export interface TreeFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: Kind | "symlink";
  /** Unit: bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** Everything below some directories. */
export interface FileTree {
  /** The directories that could be listed. */
  readonly directories: readonly string[];
  /** In no order. Links are not followed, and directories with a name that was to be left out are not entered. */
  readonly files: readonly TreeFile[];
  /** Every `.gitignore` of at most 1 MB that was met or lies above, and `.git/info/exclude` above, by its path. */
  readonly ignoreFiles: ReadonlyMap<string, string>;
  /** The directories themselves and those above that hold a `.git`. */
  readonly repositories: readonly string[];
}

/**
 * Questions about many files at once, each one round trip to where they are. The sandbox is not asked: who shows what they answer
 * checks the paths. Paths are absolute and, but for `look`, real.
 */
export interface ManyFiles {
  /** `null` when that is too much for one answer. Names in `leaveOut` are listed and not entered. */
  tree(directories: readonly string[], leaveOut: readonly string[]): Promise<FileTree | null>;
  /** The whole content of files that have `maxBytes` together; those that cannot be read, or grew beyond it, are left out. */
  readMany(paths: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * The paths that a ripgrep there prints with these options, NUL behind each, when it runs in the directory; `null` when there is
   * none, or it failed.
   */
  narrow(directory: string, options: readonly string[]): Promise<readonly string[] | null>;
  look(questions: readonly LookQuestion[]): Promise<readonly Look[]>;
}
