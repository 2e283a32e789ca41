import type { Socket } from "node:net";
import { constants } from "node:os";
import type { CommandOutcome, CommandRequest } from "../../contracts/workspace.js";
import { killProcesses, type ShellProcesses, signalProcesses, waitForProcesses } from "../../processes/process-tree.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { followSignal } from "../../time/follow-signal.js";
import { settlesWithin } from "../../time/settles-within.js";
import { type CommandSandbox, startShell } from "./shell-start.js";

/** From TERM to KILL after a timeout. */
const TIMEOUT_GRACE_MS = 2_000;
/** From TERM to KILL after an abort. */
const ABORT_GRACE_MS = 250;
/** The time for which output is still read once the shell has ended and something else keeps the pipe open. */
const DRAIN_MS = 100;
/** The time for which the rest is read once everything has been killed. */
const LAST_DRAIN_MS = 500;

type ShellRequest = CommandRequest & {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** Runs one command from its start until nothing of it is left. */
export async function runShell(request: ShellRequest, sandbox?: CommandSandbox): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const { onError } = request;
  const shell = await startShell(request.command, { ...request, sandbox, isApart: onError !== undefined });
  const ending = new Ending(shell.processes);
  const output = new ShellOutput(shell.output, (chunk) => ending.guard(() => request.onOutput?.(chunk)));
  const errors = shell.errors && new ShellOutput(shell.errors, (chunk) => ending.guard(() => onError?.(chunk)));
  const drained = (ms: number) => Promise.all([output.drained(ms), errors?.drained(ms)]);
  const timeoutMs = Math.min(request.timeoutMs ?? LONGEST_TIMER_MS, LONGEST_TIMER_MS);
  const timer = setTimeout(() => ending.begin("timeout", TIMEOUT_GRACE_MS), timeoutMs);
  const onAbort = () => {
    ending.begin("abort", ABORT_GRACE_MS);
    output.stop();
    errors?.stop();
  };
  const leaveSignal = followSignal(request.signal, onAbort);

  try {
    const { exitCode, signal } = await shell.exited;
    clearTimeout(timer);
    if (ending.wantsOutput) await drained(DRAIN_MS);
    if (ending.reason) await waitForProcesses(shell.processes, TIMEOUT_GRACE_MS);
    await killProcesses(shell.processes);
    if (ending.wantsOutput) await drained(LAST_DRAIN_MS);

    if (ending.fault) throw ending.fault.error;
    if (ending.reason === "abort") throw request.signal.reason;
    const timedOut = ending.reason === "timeout";
    const directories = signal || timedOut ? { cwd: null } : await shell.readDirectories();
    const end = sandbox && directories.cwd === null ? endInSandbox(exitCode) : undefined;
    return { exitCode, signal, ...end, timedOut, ...directories, durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    ending.settle();
    leaveSignal();
    shell.output.destroy();
    shell.errors?.destroy();
    shell.dispose();
  }
}

/** A sandbox reports a shell that died by a signal as shells do: as 128 and the signal's number. */
function endInSandbox(exitCode: number | null): { readonly exitCode: null; readonly signal: string } | undefined {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode)?.[0];
  return name === undefined ? undefined : { exitCode: null, signal: name };
}

/** Ends a command before its time: TERM to all of it, then KILL. */
class Ending {
  reason: "timeout" | "abort" | "fault" | undefined;
  fault: { readonly error: unknown } | undefined;
  #kill: NodeJS.Timeout | undefined;

  constructor(private readonly processes: ShellProcesses) {}

  /** Nobody waits for the output of a command that was aborted. */
  get wantsOutput(): boolean {
    return this.reason === undefined || this.reason === "timeout";
  }

  begin(reason: "timeout" | "abort" | "fault", graceMs: number): void {
    if (!this.wantsOutput) return;
    if (!this.reason) signalProcesses(this.processes, "SIGTERM");
    this.reason = reason;
    clearTimeout(this.#kill);
    this.#kill = setTimeout(() => signalProcesses(this.processes, "SIGKILL"), graceMs);
  }

  /** Calls the consumer of the output; one that throws ends the command, and `run` rejects with its error. */
  guard(consume: () => unknown): Promise<unknown> | undefined {
    if (this.fault) return;
    try {
      const consumed = consume();
      if (consumed instanceof Promise) return consumed.catch((error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  settle(): void {
    clearTimeout(this.#kill);
  }

  #fail(error: unknown): void {
    this.fault ??= { error };
    this.begin("fault", ABORT_GRACE_MS);
  }
}

/** Passes on what a pipe says. While a promise of the consumer is pending, nothing is read. */
class ShellOutput {
  readonly #closed: Promise<void>;
  readonly #stopped: Promise<void>;
  #stop!: () => void;
  #consuming: Promise<unknown> | undefined;

  /** `consume` must not throw or reject. */
  constructor(pipe: Socket, consume: (chunk: Buffer) => Promise<unknown> | undefined) {
    this.#closed = new Promise((resolve) => pipe.once("close", () => resolve()));
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    pipe.on("data", (chunk: Buffer) => {
      this.#consuming = consume(chunk)?.finally(() => {
        this.#consuming = undefined;
        pipe.resume();
      });
      if (this.#consuming) pipe.pause();
    });
  }

  /** Resolves when all was read, when reading took `timeoutMs` because somebody keeps the pipe open, or at `stop`. */
  async drained(timeoutMs: number): Promise<void> {
    const over = Promise.race([this.#closed, this.#stopped]);
    while (!(await settlesWithin(over, timeoutMs)) && this.#consuming) {
      await Promise.race([this.#consuming, this.#stopped]);
    }
  }

  /** The rest is not wanted any more. */
  stop(): void {
    this.#stop();
  }
}
