// A server that is a program: in a process group of its own, with an environment of its own, and gone when it is closed,
// whatever it has started.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Workspace } from "../../contracts/workspace.js";
import { childEnvironment } from "../../processes/child-environment.js";
import { guardProcess } from "../../processes/process-guard.js";
import { createMarks, killProcesses, signalProcesses, waitForProcesses } from "../../processes/process-tree.js";
import { type StartedProgram, startProgram } from "../../processes/start-program.js";
import { firstCharacters, lastCharacters } from "../../text/cut.js";
import { settlesWithin } from "../../time/settles-within.js";
import { CannotConnect } from "../client/mcp-errors.js";

/** The command line of a server, and its surroundings. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly start?: Workspace["startProgram"] | undefined;
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

/** The program of a server, wherever it runs. */
export interface ServerProgram {
  readonly child: Pick<NodeJS.EventEmitter, "once"> & { readonly stdin: Writable; readonly stdout: Readable };
  /** The end of what it has printed on standard error. */
  readonly lastWords: string;
  /** Its end, as `exit code 1`. */
  readonly howItEnded: string;
  /** Ends it, with all that it has started. Never rejects. */
  close(): Promise<void>;
}

/** The part of standard error that is kept. Unit: characters. */
export const MAX_STDERR_CHARS = 2_000;
/** The time for a server to end by itself once its input is closed, and then after a signal to end. Unit: milliseconds. */
const CLOSE_MS = 500;

/** The program of one server. */
export class ServerProcess implements ServerProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #program: StartedProgram;
  /** Takes back that it is killed should this process be. */
  readonly #unguard: () => void;
  #stderr = "";
  #closing: Promise<void> | undefined;

  private constructor(program: StartedProgram) {
    this.#program = program;
    this.child = program.child;
    this.#unguard = guardProcess(program.processes);
    program.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = lastCharacters(this.#stderr + text, MAX_STDERR_CHARS);
    });
  }

  /** Starts the program. @throws Error that says why it cannot be started */
  static async start({ command, args = [], env = {}, cwd }: ServerCommand): Promise<ServerProcess> {
    if (cwd !== undefined && !existsSync(cwd)) throw new CannotConnect(`its directory "${cwd}" does not exist`);
    const { mark } = createMarks();
    try {
      return new ServerProcess(await startProgram(command, args, { cwd, env: childEnvironment(env) }, { mark }));
    } catch (error) {
      throw new CannotConnect(whyNot(command, error), { cause: error });
    }
  }

  /** The end of what it has printed on standard error. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  /** Its end, as `exit code 1`. */
  get howItEnded(): string {
    const { exitCode, signalCode } = this.child;
    return signalCode ? `signal ${signalCode}` : `exit code ${exitCode}`;
  }

  /** Ends it: by closing its input, by a signal, by force. Resolves when no process of it is left. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const { child, processes, release } = this.#program;
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    const exited = isOver() ? Promise.resolve() : once(child, "exit").then(() => undefined);
    child.stdin.end();
    if (!isOver()) await settlesWithin(exited, CLOSE_MS);
    if (!isOver()) {
      signalProcesses(processes, "SIGTERM");
      await settlesWithin(exited, CLOSE_MS);
    }
    await killProcesses(processes);
    await waitForProcesses(processes, CLOSE_MS);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#unguard();
    release();
  }
}

function whyNot(command: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const shown = firstCharacters(command, 200);
  if (code === "ENOENT") return `the program "${shown}" was not found; install it, or correct "command"`;
  if (code === "EACCES") return `the program "${shown}" may not be executed; check its permissions`;
  return `the program "${shown}" could not be started (${code ?? message})`;
}
