import type { ManyFiles } from "./many-files.js";
import type { Containment, WorkspaceCommand, WorkspaceProgram } from "./workspace-machine.js";

/** A kept output that was too large for the transcript. */
export interface ArtifactRef {
  /** Content digest; the same content has the same id. */
  readonly id: string;
  /** The path that `read_file` takes to read it page by page. */
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
  /**
   * The same for content that comes bit by bit and may be larger than memory: reads on only as fast as it keeps. When
   * `content` throws, nothing is kept and the error is passed on. Not needed: without it, callers collect what fits.
   */
  putStream?(
    content: AsyncIterable<Uint8Array>,
    about: { readonly sessionId: string; readonly mediaType?: string },
  ): Promise<ArtifactRef>;
  get(id: string): Promise<Uint8Array>;
  /** Removes what no other session keeps, and the session's own directory. */
  endSession?(sessionId: string): Promise<void>;
  /**
   * The absolute path of a directory of this machine that is the session's own, the same each time. Whoever uses it makes it, with
   * mode 0700. Not needed: without it sessions have no directory for temporary files.
   */
  directoryOf?(sessionId: string): string;
  /** The directory of this machine that holds the artifacts: with it, tools on another machine read them by their paths, too. */
  readonly directory?: string;
}

/** The access for which a path is checked. */
export type PathAccess = "read" | "write";

/** The target of a path once its symbolic links are followed. */
export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  /** Unit: bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  /** POSIX permission bits; 0 where there are not. */
  readonly mode: number;
  /** Differs whenever the file was replaced or written since; says nothing beyond that. */
  readonly version: string;
}

/** A file opened for reading; what it reads stays the same file whatever happens to the path meanwhile. */
export interface OpenFile {
  /** The real absolute path. */
  readonly path: string;
  readonly stat: FileStat;
  /** Fills `target` from byte `position` on; answers how many bytes there were, 0 at the end. */
  read(target: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * Files as tools may use them: every path is checked by the sandbox, every write is atomic.
 *
 * @throws SandboxError `PATH_OUTSIDE`, `PATH_PROTECTED`, `PATH_INVALID` for a path the sandbox refuses
 * @throws ToolError `PATH_NOT_FOUND` when nothing is there, `FILE_UNSUPPORTED` when it is of another kind
 */
export interface FileAccess {
  /** The files are those of this machine's disk, at the same paths, where searches read them. Left out by what keeps files elsewhere. */
  readonly onDisk?: true;
  /** Only in what `forCall` of a workspace answers. */
  readonly many?: ManyFiles;
  /** The real absolute path, also of what does not exist yet. */
  resolve(path: string, access: PathAccess): Promise<string>;
  stat(path: string): Promise<FileStat>;
  open(path: string): Promise<OpenFile>;
  /** The whole content. */
  read(path: string): Promise<Uint8Array>;
  /** Replaces or creates a file in one step; keeps its mode, unless it is reported another; makes missing parents. */
  write(path: string, content: Uint8Array, options?: { readonly mode?: number }): Promise<FileStat>;
  /** Removes a file, or a directory if nothing is in it. Not needed: without it, what was made cannot be taken back. */
  remove?(path: string): Promise<void>;
  /** Makes a directory and its missing parents; one that exists is fine. */
  makeDirectory(path: string): Promise<void>;
  /** In no order. */
  list(path: string): Promise<readonly { readonly name: string; readonly kind: FileStat["kind"] | "symlink" }[]>;
  /** Runs `work` while nobody else writes (or, for `write`, uses) the file. Not reentrant. */
  withLock<T>(path: string, access: PathAccess, work: () => Promise<T>): Promise<T>;
}

/** A command for the shell of a workspace. */
export interface CommandRequest {
  /** A command line for the shell. */
  readonly command: string;
  /** Absolute. Default: the workspace root. */
  readonly cwd?: string;
  /** Beside the variables that every command is given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Called with what both streams say, in order, as it arrives. While a promise it returns is pending nothing more is
   * read, so that a fast command waits for a slow consumer. Throwing ends the command.
   */
  onOutput?(chunk: Uint8Array): unknown;
  /**
   * Given what standard error says, which `onOutput` is then not given. Chunks of the two streams come in the order in which they
   * are read, which is about the order of writing. A runner that cannot separate the streams does not call it.
   */
  onError?(chunk: Uint8Array): unknown;
}

/** The end of a command. */
export interface CommandOutcome {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** Such as `"SIGKILL"`. */
  readonly signal: string | null;
  /** Whether `timeoutMs` ended it. */
  readonly timedOut: boolean;
  /** The shell's directory when it ended; `null` when it could not be read. */
  readonly cwd: string | null;
  /** The shell's directory before that, the target of `cd -`, when there is such a directory. */
  readonly previousCwd?: string;
  /** Wall time from its start to its end. */
  readonly durationMs: number;
}

/** Runs shell commands: locally, in an OS sandbox, or elsewhere. Nothing a command started outlives it. */
export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandOutcome>;
  /** Has work done when a command has ended, before `run` settles, which fails with it. After what that runs, none is done. Optional. */
  afterEach?(work: (run: CommandRunner["run"]) => Promise<void>): void;
}

/** The part of a file that a session has seen: all of it; what it had seen before, of a file it has edited since; or lines. */
export type SeenPart =
  | "all"
  | "as before"
  | {
      /** From 1; `to` is below `from` where no line was shown whole. */
      readonly from: number;
      readonly to: number;
      /** Whether `to` is the last line of the file. */
      readonly isLast: boolean;
      /** Lines from `from` to `to`, ascending, of which a piece was shown. Columns from 1. */
      readonly cut: readonly {
        readonly line: number;
        readonly fromColumn: number;
        readonly toColumn: number;
        /** Whether the line ends there. */
        readonly isEnd: boolean;
      }[];
    };

/** The place to go on reading a file that was seen in part. Both from 1. */
export interface UnseenPlace {
  readonly line: number;
  readonly column: number;
}

/** The way in which a session came to know a file as it is noted. */
export interface FileNote {
  readonly access: "read" | "write";
  /** The reader or writer: names from the main agent (`[]`) down to the sub-agent. */
  readonly agentPath: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of its lines; `null` where they were not counted, as in a large or a binary file. */
  readonly lines: number | null;
}

/** The tools' knowledge of the files of a session, so that nothing is overwritten unseen. */
export interface FileState {
  /**
   * Notes the content digest of a file as read or written in a session. `version` is what `FileStat` said then, so that
   * a change by others can be found without reading the file. `seen` is what of this content the session knows; parts of
   * the same content add up. Default: all of it. `how` says who has done what, and when.
   */
  note(sessionId: string, path: string, digest: string, version?: string, seen?: SeenPart, how?: FileNote): void;
  /** The way in which the file was noted last. Optional: nobody knows. */
  how?(sessionId: string, path: string): FileNote | undefined;
  /** The first place of a noted file that the session has not seen; `null` when there is not one. Optional: all is seen. */
  unseen?(sessionId: string, path: string): UnseenPlace | null;
  /** The digest last noted, if any. */
  get(sessionId: string, path: string): string | undefined;
  /** The files a session has noted, latest first. */
  paths(sessionId: string): readonly string[];
  /**
   * Notes the version of a file as found, `null` for one that is gone, and answers what has become of it since it was
   * last noted or seen: `null` for nothing. The digest stays, so a changed file is stale until it is read again.
   */
  see(sessionId: string, path: string, version: string | null): "add" | "change" | "unlink" | null;
  /** Forgets one session, or all of them. */
  endSession(sessionId?: string): void;
}

/** The directory of each agent's shell: `cd` in one command lasts to the next. */
export interface ShellDirectories {
  /** Absolute; `undefined` while the agent's shell has not moved from the workspace's root. */
  get(transcriptId: string): string | undefined;
  set(agent: { readonly transcriptId: string; readonly sessionId: string }, directory: string | undefined): void;
  /** Forgets the directories of a session or of one agent; without an id, all. */
  endSession(id?: string): void;
}

/** The machine as tools may use it. Exchange it to run the same tools locally, locked in, or remotely. */
export interface Workspace {
  /**
   * Names these files across processes: a workspace with the same id, opened later, has what this one had. Optional: nobody knows,
   * so that one opened later counts as another.
   */
  readonly id?: string;
  readonly root: string;
  /** The operating system that commands run on, as `linux`. Optional: this machine's where the files are on its disk, else not known. */
  readonly platform?: string;
  /** The home directory of commands, and its real path, where they run elsewhere. */
  readonly homes?: readonly string[];
  readonly files: FileAccess;
  readonly fileState: FileState;
  readonly shell: CommandRunner;
  readonly shellDirectories: ShellDirectories;
  readonly artifacts?: ArtifactStore;
  /** Receives what each file was before a file tool changes it. */
  readonly journal?: ChangeJournal;
  /** The same as `files.resolve`. */
  resolve(path: string, access: PathAccess): Promise<string>;
  /**
   * The reason why this access needs a human's approval although the sandbox grants it: others execute or trust the file, or it holds
   * secrets. `null` when it does not, and also when the sandbox refuses the path anyway.
   */
  needsApproval(path: string, access: PathAccess, sessionId?: string): Promise<string | null>;
  /**
   * Lets a session use directories outside the roots without asking again, until it ends: what an approval that adds
   * directories does. Optional: outside the roots everything is refused.
   */
  addDirectories?(sessionId: string, directories: readonly string[]): void;
  /** Takes back what `addDirectories` has added. */
  removeDirectories?(sessionId: string, directories: readonly string[]): void;
  /**
   * Lets places outside the roots pass that a rule of the host names, where such paths are refused: they still need approval,
   * which the rule then gives. `matches` gets real paths. The same `name` again takes the place of the first. Optional: none pass.
   */
  allowOutside?(name: string, access: PathAccess, matches: (path: string) => boolean): void;
  /**
   * A session's own directory for temporary files, real and absolute: there it may read and write without approval, and its
   * commands get it as `TMPDIR`. It is made with mode 0700 if it is not there. Optional: sessions have none.
   */
  temporaryDirectory?(sessionId: string): string;
  /** The same workspace for one call, which finds out once where a path leads; what wraps this one is answered itself. Optional. */
  forCall?(workspace: Workspace): Workspace;
  /**
   * The containment of the machine, as it is now; or why it no longer holds. Called before each decision that rests on it, so an answer
   * is at most five seconds old. Optional: nothing is claimed.
   */
  contained?(): Promise<Containment | { readonly lost: string }>;
  /** Another directory of the same machine, which claims nothing, as a workspace that is the caller's to close. Optional: there is no other. */
  inDirectory?(root: string): Promise<Workspace>;
  /**
   * Starts a program on the machine, with three streams, for the host and not for a model: it passes no gate. When this process dies, its
   * input ends. Optional: nothing can be started, or on this machine.
   *
   * @throws ToolError `COMMAND_FAILED` for a variable that cannot be passed, `TOOL_FAILED` when the machine cannot be reached
   */
  startProgram?(program: WorkspaceCommand): Promise<WorkspaceProgram>;
  /** Ends background commands and removes temporary files. */
  close(): Promise<void>;
}

/** Records what files were before a tool changed them. */
export interface ChangeJournal {
  /** Called before each change, while the file is locked. Throwing stops the change. */
  before(change: FileChange): Promise<void>;
}

/** A change that a tool is about to make to a file, or a directory that it is about to make. */
export interface FileChange {
  readonly sessionId: string;
  readonly turn: number;
  /** Real and absolute. */
  readonly path: string;
  /** `null` for what does not exist. */
  readonly before: Uint8Array | null;
  /** POSIX permission bits, and when the file was written, in milliseconds since 1970: before the change, and where there is a `before`. */
  readonly mode: number;
  readonly mtimeMs?: number | undefined;
  /** The content that the file is about to have. Not given for a directory, and by tools that do not know: such a change is not undone. */
  readonly after?: Uint8Array;
  /** Directories the change makes, outermost first: missing parents, and the directory itself where it is about one. */
  readonly directories?: readonly string[];
  /** The call that makes the change, for a sub-agent's the main agent's, and whose it is: what ties it to the session's entries. */
  readonly runId?: string;
  readonly transcriptId?: string;
  readonly toolCallId?: string;
}
