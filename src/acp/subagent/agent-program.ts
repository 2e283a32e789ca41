// The program of an agent, for one call: its streams, and its end.
import { once } from "node:events";
import { Readable } from "node:stream";
import { ToolError } from "../../contracts/errors.js";
import { childEnvironment } from "../../processes/child-environment.js";
import { guardProcess } from "../../processes/process-guard.js";
import { createMarks, killProcesses, waitForProcesses } from "../../processes/process-tree.js";
import { type StartedProgram, startProgram } from "../../processes/start-program.js";
import { lastCharacters } from "../../text/cut.js";
import { settlesWithin } from "../../time/settles-within.js";
import { writableOf } from "../standard-streams.js";

/** The part of its standard error that is quoted. Unit: characters. */
const MAX_STDERR_CHARS = 2_000;
/** The time in which it may end by itself once its input has ended. Unit: milliseconds. */
const CLOSE_MS = 1_000;

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export class AgentProgram {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Resolves when the program has ended, with how. */
  readonly ended: Promise<string>;
  readonly #unguard: () => void;
  #stderr = "";

  private constructor(private readonly program: StartedProgram) {
    const { child, processes } = program;
    this.#unguard = guardProcess(processes);
    this.readable = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.writable = writableOf(child.stdin);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = lastCharacters(this.#stderr + text, MAX_STDERR_CHARS);
    });
    this.ended = once(child, "exit").then(([code, signal]) => {
      const how = signal ? `signal ${signal}` : `exit code ${code}`;
      const words = this.#stderr.trim();
      return words === "" ? how : `${how}: ${words}`;
    });
  }

  /** @throws ToolError `TOOL_FAILED` that says why it cannot be started */
  static async start({ command, args, env, cwd }: AgentCommand): Promise<AgentProgram> {
    const { mark } = createMarks();
    try {
      return new AgentProgram(await startProgram(command, args, { cwd, env: childEnvironment(env) }, { mark }));
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const why =
        code === "ENOENT" ? `was not found, or its directory "${cwd}" was not` : `could not be started: ${message}`;
      throw new ToolError("TOOL_FAILED", { message: `The program "${command}" ${why}.`, cause });
    }
  }

  /** Ends it, with all that it has started. Never rejects. */
  async close(): Promise<void> {
    const { child, processes, release } = this.program;
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await settlesWithin(this.ended, CLOSE_MS);
    await killProcesses(processes);
    await waitForProcesses(processes, CLOSE_MS);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#unguard();
    release();
  }
}
