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

/** The containment of a machine, so that a permission checker has less to ask. Paths are absolute and real, on the machine. */
export interface Containment {
  /** For people: `docker:3f2a`. */
  readonly machine: string;
  /** `engine`: the program that runs the machine was asked just now. `host`: the host's word, which nobody has checked. */
  readonly by: "engine" | "host";
  /** `none`: no way leads out of the machine. `any`: no claim. */
  readonly network: "none" | "any";
  /** Directories that outlive the machine: mounts of the host that can be written, and those copied back. */
  readonly kept: readonly string[];
  /** Changes to what is kept need no question as long as they lose nothing. */
  readonly acceptChanges: boolean;
  /** Files that hold real secrets; `unknown`: any may. */
  readonly secrets: readonly string[] | "none" | "unknown";
  /** It is this machine, behind a sandbox: what a call reads outside the workspace, or of secrets, is the host's own. */
  readonly isHere?: true | undefined;
}
