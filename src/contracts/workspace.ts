/** A kept output that was too large for the transcript. */
export interface ArtifactRef {
  /** Content digest; the same content has the same id. */
  readonly id: string;
  /** What `read_file` takes to read it page by page. */
  readonly path: string;
  readonly bytes: number;
  readonly mediaType: string;
}

/** Keeps large outputs outside the transcript, content-addressed. */
export interface ArtifactStore {
  put(
    content: string | Uint8Array,
    about: { readonly sessionId: string; readonly mediaType?: string },
  ): Promise<ArtifactRef>;
  get(id: string): Promise<Uint8Array>;
  /** Removes what only this session kept. */
  endSession?(sessionId: string): Promise<void>;
}

export type PathAccess = "read" | "write";

/** What a path names, without following a last symbolic link's target out of the sandbox. */
export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  /** POSIX permission bits; 0 where there are none. */
  readonly mode: number;
}

/** Files as tools may use them: every path is checked by the sandbox, every write is atomic. */
export interface FileAccess {
  /** The real absolute path. @throws SandboxError `PATH_OUTSIDE`, `PATH_PROTECTED`, `PATH_INVALID` */
  resolve(path: string, access: PathAccess): Promise<string>;
  stat(path: string): Promise<FileStat>;
  read(path: string): Promise<Uint8Array>;
  /** Reads at most `length` bytes from `offset`. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Replaces or creates a file in one step; keeps its mode; makes missing parents. */
  write(path: string, content: Uint8Array): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  list(path: string): Promise<readonly { readonly name: string; readonly kind: FileStat["kind"] | "symlink" }[]>;
  /** Runs `work` while nobody else writes (or, for `write`, uses) the file. */
  withLock<T>(path: string, access: PathAccess, work: () => Promise<T>): Promise<T>;
}

export interface CommandRequest {
  readonly command: string;
  /** Absolute. Default: the workspace root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with both streams' text, in order, as it arrives. */
  onOutput?(chunk: Uint8Array): void;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Where the shell stood when it ended; `null` when it could not be read. */
  readonly cwd: string | null;
  readonly durationMs: number;
}

/** Runs shell commands: locally, in an OS sandbox, or elsewhere. Nothing a command started outlives it. */
export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandOutcome>;
}

/** What tools know of the files of a session, so that nothing is overwritten unseen. */
export interface FileState {
  /** Notes the content digest of a file as read or written in a session. */
  note(sessionId: string, path: string, digest: string): void;
  /** The digest last noted, if any. */
  get(sessionId: string, path: string): string | undefined;
  endSession(sessionId: string): void;
}

/** What a tool may use of the machine. Exchange it to run the same tools locally, locked in, or remotely. */
export interface Workspace {
  readonly root: string;
  readonly files: FileAccess;
  readonly fileState: FileState;
  readonly shell: CommandRunner;
  readonly artifacts?: ArtifactStore;
  /** The same as `files.resolve`. */
  resolve(path: string, access: PathAccess): Promise<string>;
  /** Whether a path inside the sandbox is one that others execute or trust, and so needs a human's yes to write. */
  needsApproval(path: string, access: PathAccess): string | null;
  /** Ends background commands and removes temporary files. */
  close(): Promise<void>;
}

/** Records what files were before a tool changed them. */
export interface ChangeJournal {
  /** Called before the first change of a file in a turn. `before` is `null` for a file that did not exist. */
  before(change: {
    readonly sessionId: string;
    readonly turn: number;
    readonly path: string;
    readonly before: Uint8Array | null;
    readonly mode: number;
  }): Promise<void>;
}
