import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import { ToolError } from "../contracts/errors.js";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../contracts/workspace.js";
import { childEnvironment } from "./child-environment.js";
import { killProcesses, type ShellProcesses, signalProcesses, waitForProcesses } from "./shell-processes.js";
import { type StartedShell, startShell } from "./shell-start.js";

/** From TERM to KILL after a timeout. */
const TIMEOUT_GRACE_MS = 2_000;
/** From TERM to KILL after an abort. */
const ABORT_GRACE_MS = 250;
/** How long output is still read once the shell has ended and something else keeps the pipe open. */
const DRAIN_MS = 100;
/** How long the rest is read once everything has been killed. */
const LAST_DRAIN_MS = 500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface LocalShellOptions {
  /** Where commands start unless they say otherwise. Absolute. */
  readonly root: string;
  /** Added to the allow-list of variables that commands inherit. */
  readonly env?: Readonly<Record<string, string>>;
  /** Asked for every folder a command is to start in. Default: every folder is allowed. */
  allowCwd?(cwd: string): Promise<boolean>;
}

/**
 * Runs commands with `bash -c` on this machine.
 *
 * Each runs in a process group of its own, with standard input closed, both streams in one pipe and the environment of
 * `childEnvironment`. `run` settles when the shell has ended and nothing it started is alive: what still runs then is
 * killed. At a timeout everything gets TERM, and KILL 2 s later; at an abort KILL comes 250 ms later, and `run`
 * rejects with the signal's reason. When the host process exits, running commands are killed.
 *
 * `close` ends every running command and refuses others.
 *
 * @throws ToolError `COMMAND_FAILED` when the shell cannot be started, the folder is not allowed, or it is closed
 */
export function createLocalShell(options: LocalShellOptions): CommandRunner & { close(): Promise<void> } {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<CommandOutcome>>();

  async function run(request: CommandRequest): Promise<CommandOutcome> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    signal.throwIfAborted();
    const cwd = request.cwd ?? options.root;
    if (options.allowCwd && !(await options.allowCwd(cwd))) {
      throw new ToolError("COMMAND_FAILED", {
        message: `Commands cannot start in "${cwd}": it is not a folder of the workspace "${options.root}". Start in one that is.`,
      });
    }
    signal.throwIfAborted();
    return runShell({ ...request, cwd, signal }, childEnvironment({ ...options.env, ...request.env }));
  }

  return {
    run(request) {
      const outcome = run(request);
      running.add(outcome);
      const forget = () => running.delete(outcome);
      outcome.then(forget, forget);
      return outcome;
    },
    async close() {
      closing.abort(
        new ToolError("COMMAND_FAILED", { message: "The shell was closed. Open a workspace to run commands." }),
      );
      await Promise.allSettled(running);
    },
  };
}

async function runShell(
  request: CommandRequest & { readonly cwd: string; readonly signal: AbortSignal },
  env: Record<string, string>,
): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const shell = await startShell(request.command, { cwd: request.cwd, env });
  const untrack = endWithHost(shell);
  const ending = new Ending(shell.processes);
  shell.output.on("data", (chunk: Buffer) => ending.guard(() => request.onOutput?.(chunk)));
  const timer = setTimeout(() => ending.begin("timeout", TIMEOUT_GRACE_MS), request.timeoutMs ?? LONGEST_TIMER_MS);
  const onAbort = () => ending.begin("abort", ABORT_GRACE_MS);
  request.signal.addEventListener("abort", onAbort);
  if (request.signal.aborted) onAbort();

  try {
    const { exitCode, signal } = await shell.exited;
    clearTimeout(timer);
    await whenDrained(shell.output, DRAIN_MS);
    if (ending.reason) await waitForProcesses(shell.processes, TIMEOUT_GRACE_MS);
    await killProcesses(shell.processes);
    await whenDrained(shell.output, LAST_DRAIN_MS);

    if (ending.fault) throw ending.fault.error;
    if (ending.reason === "abort") throw request.signal.reason;
    const timedOut = ending.reason === "timeout";
    const cwd = signal || timedOut ? null : await shell.readCwd();
    return { exitCode, signal, timedOut, cwd, durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    ending.settle();
    request.signal.removeEventListener("abort", onAbort);
    shell.output.destroy();
    untrack();
    shell.dispose();
  }
}

/** Ends a command before its time: TERM to all of it, then KILL. */
class Ending {
  reason: "timeout" | "abort" | "fault" | undefined;
  fault: { readonly error: unknown } | undefined;
  #kill: NodeJS.Timeout | undefined;

  constructor(private readonly processes: ShellProcesses) {}

  begin(reason: "timeout" | "abort" | "fault", graceMs: number): void {
    if (this.reason === "abort" || this.reason === "fault") return;
    if (!this.reason) signalProcesses(this.processes, "SIGTERM");
    this.reason = reason;
    clearTimeout(this.#kill);
    this.#kill = setTimeout(() => signalProcesses(this.processes, "SIGKILL"), graceMs);
  }

  /** Calls the consumer of the output; one that throws ends the command, and `run` rejects with its error. */
  guard(consume: () => void): void {
    if (this.fault) return;
    try {
      consume();
    } catch (error) {
      this.fault = { error };
      this.begin("fault", ABORT_GRACE_MS);
    }
  }

  settle(): void {
    clearTimeout(this.#kill);
  }
}

/** Resolves when everything was read, or after `timeoutMs` when somebody keeps the pipe open. */
async function whenDrained(output: Socket, timeoutMs: number): Promise<void> {
  if (output.readableEnded || output.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      output.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    output.on("close", done);
  });
}

const runningInHost = new Set<StartedShell>();
const endAll = () => {
  for (const shell of runningInHost) {
    signalProcesses(shell.processes, "SIGKILL");
    shell.dispose();
  }
};

/** Kills a command when the host process exits, until the returned function is called. One listener serves all. */
function endWithHost(shell: StartedShell): () => void {
  if (runningInHost.size === 0) process.on("exit", endAll);
  runningInHost.add(shell);
  return () => {
    runningInHost.delete(shell);
    if (runningInHost.size === 0) process.off("exit", endAll);
  };
}
