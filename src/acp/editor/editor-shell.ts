/*
 * Commands in terminals of the editor, where its user sees them run. A terminal has no stream: what it says is read again and again, and
 * what is new is passed on. Each is released when its command has ended, whatever happened, which also ends what still runs in it.
 */
import { performance } from "node:perf_hooks";
import type {
  CreateTerminalResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from "@agentclientprotocol/sdk";
import { ToolError } from "../../contracts/errors.js";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../contracts/workspace.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { ClientSide } from "../client-side.js";

/** Output a terminal keeps. Unit: bytes. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** The waits before a terminal is read again: longer and longer while its command runs. Unit: milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** A terminal may be a real one, in which a pager would wait for a key. */
const NO_PAGER = { PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat" };

interface EditorShellOptions {
  readonly client: ClientSide;
  readonly root: string;
  /** Refuses a directory outside the workspace. */
  resolve(path: string, access: "read"): Promise<string>;
  /** A terminal has begun to run a command. */
  onTerminal(command: string, terminalId: string): Promise<void>;
}

export function editorShell(options: EditorShellOptions): CommandRunner & { close(): Promise<void> } {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run(request) {
      const outcome = runInTerminal(options, request, closing.signal);
      const settled = outcome.catch(() => {});
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return outcome;
    },
    async close() {
      closing.abort(
        new ToolError("COMMAND_FAILED", { message: "The workspace was closed, and its commands ended with it." }),
      );
      await Promise.all(running);
    },
  };
}

async function runInTerminal(
  { client, root, resolve, onTerminal }: EditorShellOptions,
  { command, cwd = root, env = {}, timeoutMs, signal, onOutput }: CommandRequest,
  closed: AbortSignal,
): Promise<CommandOutcome> {
  const directory = await resolve(cwd, "read");
  const stop = signal ? AbortSignal.any([signal, closed]) : closed;
  stop.throwIfAborted();
  const started = performance.now();
  const { terminalId } = await terminalRequest<CreateTerminalResponse>(client, "terminal/create", {
    command: "bash",
    args: ["-c", command],
    env: Object.entries({ ...NO_PAGER, ...env }).map(([name, value]) => ({ name, value })),
    cwd: directory,
    outputByteLimit: KEPT_BYTES,
  });
  const about = { terminalId };
  let timedOut = false;
  const kill = () => void client.request("terminal/kill", about).catch(() => {});
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          kill();
        }, timeoutMs);
  stop.addEventListener("abort", kill);
  try {
    await onTerminal(command, terminalId);
    const output = new NewOutput();
    const read = async () => {
      const said = await terminalRequest<TerminalOutputResponse>(client, "terminal/output", about);
      const news = output.add(said.output, said.truncated);
      if (news !== "") await onOutput?.(Buffer.from(news));
    };
    const exit = terminalRequest<WaitForTerminalExitResponse>(client, "terminal/wait_for_exit", about);
    const ended = exit.then(
      () => true,
      () => true,
    );
    for (let waitMs = FIRST_WAIT_MS; !(await within(waitMs, ended, stop)); waitMs = longer(waitMs)) await read();
    stop.throwIfAborted();
    const { exitCode = null, signal: killedBy = null } = await exit;
    await read();
    return { exitCode, signal: killedBy, timedOut, cwd: null, durationMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", kill);
    await client.request("terminal/release", about).catch(() => {});
  }
}

function longer(waitMs: number): number {
  return Math.min(LONGEST_WAIT_MS, waitMs * 1.5);
}

/** Whether the command has ended, or is to be stopped, in this time. */
async function within(waitMs: number, ended: Promise<boolean>, stop: AbortSignal): Promise<boolean> {
  if (stop.aborted) return true;
  let wake = () => {};
  const waited = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), waitMs);
    wake = () => {
      clearTimeout(timer);
      resolve(true);
    };
    stop.addEventListener("abort", wake);
  });
  try {
    return await Promise.race([ended, waited]);
  } finally {
    stop.removeEventListener("abort", wake);
    wake();
  }
}

async function terminalRequest<Response>(client: ClientSide, method: string, params: object): Promise<Response> {
  try {
    return await client.request<Response>(method, params);
  } catch (cause) {
    throw new ToolError("COMMAND_FAILED", {
      message: `The editor's terminal failed (${method}): ${describeThrown(cause)}`,
      cause,
    });
  }
}

/** The part of an earlier reading that is looked for in the next one. */
const OVERLAP_CHARS = 2_000;
const LOST = "\n[… output was lost here …]\n";

/** Tells what is new in a terminal's output, which comes whole each time, and without its beginning once that is too long. */
export class NewOutput {
  /** The number of characters read while it was whole. */
  #chars = 0;
  /** The end of what was read. */
  #tail = "";
  #isCut = false;

  add(output: string, isTruncated: boolean): string {
    const news = isTruncated || this.#isCut ? this.#afterTail(output) : output.slice(this.#chars);
    this.#isCut ||= isTruncated;
    this.#chars = output.length;
    this.#tail = (this.#tail + news).slice(-OVERLAP_CHARS);
    return news;
  }

  #afterTail(output: string): string {
    if (this.#tail === "") return output;
    const at = output.lastIndexOf(this.#tail);
    return at < 0 ? LOST + output : output.slice(at + this.#tail.length);
  }
}
