/** A place where programs can be started: a container, a host behind SSH, a sandbox in a cloud. */
export interface Machine {
  /** For locks and messages: `docker:3f2a`, `ssh:build@host`. Workspaces over machines of one name share their locks. */
  readonly name: string;
  /**
   * Names this very machine across processes, so that a session finds the one it had; asked once it is reached. Optional: `name`
   * does.
   */
  id?(): Promise<string>;
  /** Starts a program with three streams. It need not end when the client ends: the workspace sees to that. */
  start(argv: readonly string[]): MachineProcess | Promise<MachineProcess>;
  /** Shells that a workspace keeps started for the next command unless its options say how many. Default: 1. */
  readonly spares?: number;
  /** Ends what was made for this workspace, such as a container that it started. Not needed. */
  close?(): Promise<void>;
  /**
   * The walls around it, as the program that runs it says now; `network` is what is claimed of it. Asked before anything is started
   * there, and again before a decision that rests on them. Not needed: then a claim is the host's word.
   */
  walls?(network: "none" | "any"): Promise<MachineWalls>;
}

/** The walls around a machine. */
export interface MachineWalls {
  /** The first thing that is not known to be harmless, as a sentence; `null`: all is known. */
  readonly breach: string | null;
  /** Mounts that can be written. Absolute, there. */
  readonly writable: readonly string[];
  /** Files in such mounts that are run or trusted outside. Absolute, here. */
  readonly trusted: readonly string[];
  /** Whether all else that it holds is thrown away when the workspace closes. */
  readonly isDisposable: boolean;
}

/** A program that was started on a machine, by its client here. */
export interface MachineProcess {
  /** Its end has to reach the program. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Has to wait for a slow reader. */
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Settles when the client has ended. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Ends the client. The program ends by its standard input. */
  kill(): void;
}
