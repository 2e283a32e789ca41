/** A program for the machine of a workspace. */
export interface WorkspaceCommand {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Absolute. Default: the workspace root. */
  readonly cwd?: string | undefined;
  /** Beside the machine's own variables. None of this machine's are among them. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A program that was started on the machine of a workspace. */
export interface WorkspaceProgram {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Ends it by force, with all that it has started and that has its variables. Never rejects. */
  close(): Promise<void>;
}

/** Starts a program on the machine of a workspace. */
export type StartProgram = (program: WorkspaceCommand) => Promise<WorkspaceProgram>;
