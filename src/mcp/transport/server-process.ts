// A server that is a program: in a process group of its own, with an environment of its own, and gone when it is closed,
// whatever it has started.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { childEnvironment } from "../../processes/child-environment.js";
import {
  createMarks,
  killProcesses,
  type ShellProcesses,
  signalProcesses,
  startTimeOf,
  waitForProcesses,
} from "../../processes/process-tree.js";
import { firstCharacters, lastCharacters } from "../../text/cut.js";
import { CannotConnect } from "../client/mcp-errors.js";
import { guardProcess } from "./process-guard.js";

/** The command line of a server, and its surroundings. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

const MARK_NAME = "LOOPWRIGHT_COMMAND";
/** The part of standard error that is kept. Unit: characters. */
const MAX_STDERR_CHARS = 2_000;
/** How long a server may take to end by itself once its input is closed, and then once it is told to. Unit: milliseconds. */
const CLOSE_MS = 500;

/** Servers at work. When this process ends without closing them, they end with it. */
const alive = new Set<ServerProcess>();

function killAll(): void {
  for (const server of alive) server.kill();
}

/** The program of one server. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #processes: ShellProcesses;
  readonly #release: () => void;
  #stderr = "";
  #closing: Promise<void> | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, mark: string) {
    this.child = child;
    const group = child.pid ?? 0;
    this.#processes = { mark, group, since: startTimeOf(group) };
    this.#release = guardProcess(group, mark);
    child.stdin.on("error", () => undefined);
    child.stdout.on("error", () => undefined);
    child.stderr.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = lastCharacters(this.#stderr + text, MAX_STDERR_CHARS);
    });
    if (alive.size === 0) process.on("exit", killAll);
    alive.add(this);
  }

  /** Starts the program. @throws Error that says why it cannot be started */
  static async start({ command, args = [], env = {}, cwd }: ServerCommand): Promise<ServerProcess> {
    if (cwd !== undefined && !existsSync(cwd)) throw new CannotConnect(`its directory "${cwd}" does not exist`);
    const { mark } = createMarks();
    const marks = [process.env[MARK_NAME], mark].filter(Boolean).join(",");
    const child = spawn(command, [...args], {
      cwd,
      env: { ...childEnvironment(env), [MARK_NAME]: marks },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      throw new CannotConnect(whyNot(command, error), { cause: error });
    }
    child.on("error", () => undefined);
    return new ServerProcess(child, mark);
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

  /** Kills all of it at once. */
  kill(): void {
    signalProcesses(this.#processes, "SIGKILL");
  }

  /** Ends it: by closing its input, by a signal, by force. Resolves when no process of it is left. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const { child } = this;
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    const exited = isOver() ? Promise.resolve() : once(child, "exit").then(() => undefined);
    child.stdin.end();
    if (!isOver()) await within(CLOSE_MS, exited);
    if (!isOver()) {
      signalProcesses(this.#processes, "SIGTERM");
      await within(CLOSE_MS, exited);
    }
    await killProcesses(this.#processes);
    await waitForProcesses(this.#processes, CLOSE_MS);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#release();
    alive.delete(this);
    if (alive.size === 0) process.off("exit", killAll);
  }
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeUp]);
  clearTimeout(timer);
}

function whyNot(command: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const shown = firstCharacters(command, 200);
  if (code === "ENOENT") return `the program "${shown}" was not found; install it, or correct "command"`;
  if (code === "EACCES") return `the program "${shown}" may not be executed; check its permissions`;
  return `the program "${shown}" could not be started (${code ?? message})`;
}
