/** A place where programs can be started: a container, a host behind SSH, a sandbox in a cloud. */
export interface Machine {
  /** For locks and messages: `docker:3f2a`, `ssh:build@host`. Workspaces over machines of one name share their locks. */
  readonly name: string;
  /** Starts a program with three streams. It need not end when the client ends: the workspace sees to that. */
  start(argv: readonly string[]): MachineProcess | Promise<MachineProcess>;
  /** Shells that a workspace keeps started for the next command unless its options say how many. Default: 1. */
  readonly spares?: number;
  /** Ends what was made for this workspace, such as a container that it started. Not needed. */
  close?(): Promise<void>;
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
