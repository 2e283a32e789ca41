import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, existsSync, openSync, rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "../contracts/errors.js";
import type { ShellProcesses } from "./shell-processes.js";

/** A shell that has been started. */
export interface StartedShell {
  readonly processes: ShellProcesses;
  /** Standard output and standard error through one pipe, so that their order is the order of writing. */
  readonly output: Socket;
  /** Settles when the shell itself has ended; its children may live on. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Where the shell stood when it ended; `null` when it was replaced by `exec` or died before it could tell. */
  readCwd(): Promise<string | null>;
  /** Removes the temporary folder. Synchronous, so that it also works while the host process exits. */
  dispose(): void;
}

const MARK_NAME = "LOOPWRIGHT_COMMAND";

/**
 * Starts `bash -c -- command` in its own session and process group, with standard input closed.
 *
 * The output pipe is a named pipe: what Node makes for a child is a socket, and a socket cannot be reopened, so
 * `echo x > /dev/stderr` or `tee /dev/stderr` would fail in it.
 *
 * @throws ToolError `COMMAND_FAILED` when the shell cannot be started
 */
export async function startShell(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<StartedShell> {
  const folder = await mkdtemp(join(tmpdir(), "loopwright-shell-")).catch((error) => failedStart(options.cwd, error));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    return await startIn(folder, command, { ...options, dispose });
  } catch (error) {
    dispose();
    return failedStart(options.cwd, error);
  }
}

async function startIn(
  folder: string,
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; dispose(): void },
): Promise<StartedShell> {
  const paths = { pipe: join(folder, "output"), start: join(folder, "start"), cwd: join(folder, "cwd") };
  await promisify(execFile)("mkfifo", ["-m", "600", paths.pipe]);
  await writeFile(paths.start, startScript(paths.cwd, options.env.BASH_ENV));

  const mark = randomUUID();
  const reading = openSync(paths.pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const output = new Socket({ fd: reading, readable: true, writable: false });
  // An error of the pipe shows as its end; the command's own outcome says the rest.
  output.on("error", () => output.destroy());
  const writing = openSync(paths.pipe, constants.O_WRONLY);
  try {
    const child = spawn("bash", ["-c", "--", command], {
      cwd: options.cwd,
      env: { ...options.env, BASH_ENV: paths.start, [MARK_NAME]: mark },
      stdio: ["ignore", writing, writing],
      detached: true,
    });
    const exited = whenExited(child);
    await whenSpawned(child);
    return {
      processes: { group: child.pid!, mark: `${MARK_NAME}=${mark}` },
      output,
      exited,
      readCwd: () => readCwd(paths.cwd),
      dispose: options.dispose,
    };
  } catch (error) {
    output.destroy();
    throw error;
  } finally {
    closeSync(writing);
  }
}

/**
 * What bash reads before the command (`BASH_ENV`), so that the command itself is passed unchanged: on exit, write down
 * the current folder. A trap for EXIT that the command sets gets the same line at its end. The trap's own commands are
 * hidden from `set -x`, and it leaves the exit code alone.
 */
function startScript(cwdPath: string, bashEnv: string | undefined): string {
  const record = `{ builtin pwd -P >|${quote(cwdPath)}; } 2>/dev/null`;
  return `
builtin trap -- ${quote(record)} EXIT
trap() {
  builtin trap "$@" || return
  [[ $BASH_SUBSHELL == 0 ]] || return 0
  [[ $(builtin trap -p EXIT) == *${quote(cwdPath)}* ]] && return 0
  eval "set -- $(builtin trap -p EXIT)"
  builtin trap -- "\${3-}"$'\\n'${quote(record)} EXIT
}
unset BASH_ENV
${bashEnv === undefined ? "" : `export BASH_ENV=${quote(bashEnv)}; . "$BASH_ENV"`}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function readCwd(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text === "" ? null : text.replace(/\n$/, "");
}

function whenExited(child: ChildProcess): StartedShell["exited"] {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function whenSpawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", reject);
  });
}

function failedStart(cwd: string, cause: unknown): never {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  const message = existsSync(cwd)
    ? `The shell could not be started in "${cwd}" (${code}). ${remedies[code] ?? "Try again, or check the machine."}`
    : `The shell could not be started: the folder "${cwd}" does not exist. Start in one that does.`;
  throw new ToolError("COMMAND_FAILED", { message, retryable: code in retryable, cause });
}

const remedies: Record<string, string> = {
  ENOENT: 'This machine has no "bash" or no "mkfifo" on its PATH.',
  E2BIG: "The command is too long: write it to a file and run that.",
  EMFILE: "Too many files are open: try again when fewer commands run.",
  ENFILE: "Too many files are open: try again when fewer commands run.",
  EAGAIN: "Too many processes are running: try again when fewer commands run.",
  ENOSPC: "The temporary folder is full.",
};
const retryable = { EMFILE: true, ENFILE: true, EAGAIN: true };
