import type { ChildProcess } from "node:child_process";
import { closeSync, constants, existsSync, openSync, rmdirSync, rmSync } from "node:fs";
import { mkdtemp, open, realpath, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import { createMarks, markedEnvironment, type ShellProcesses, startTimeOf } from "../../processes/process-tree.js";
import { quoteName } from "../../text/quote-name.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { startGuard } from "./shell-guard.js";

/** The directories in which the shell stood when it ended. */
export interface StartDirectories {
  /** `null` when it was replaced by `exec` or died before it was recorded. */
  readonly cwd: string | null;
  readonly previousCwd?: string;
}

/** A shell that has been started. */
export interface StartedShell {
  readonly processes: ShellProcesses;
  /** Standard output and standard error through one pipe, so that their order is the order of writing. */
  readonly output: Socket;
  /** Standard error alone, where the streams are read apart. */
  readonly errors: Socket | undefined;
  /** Settles when the shell itself has ended; its children may live on. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  readDirectories(): Promise<StartDirectories>;
  /** Removes what was made for the command. */
  dispose(): void;
}

/** The sandbox that commands are locked in. */
export interface CommandSandbox {
  /** Called before each `wrap`, with the `TMPDIR` that the command would have outside. Answers the variables that hold inside. */
  prepare(temporary: string | undefined): Promise<Readonly<Record<string, string>> & { readonly TMPDIR: string }>;
  /** The command line that runs `script` locked in, able to write to `directories` beside what the sandbox allows anyway. */
  wrap(script: string, directories: readonly string[]): Promise<string>;
  /** Called once for each `wrap`, when its command has ended. */
  unwrap(): void;
}

interface ShellPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox?: CommandSandbox;
  /** Whether standard error goes through a pipe of its own. */
  readonly isApart?: boolean;
}

/** The longest argument that Linux takes; longer commands are read from a file. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
/** The files in a command's temporary directory. */
const FILES = ["output", "errors", "start", "cwd", "command", "run"];
const MAX_RECORD_BYTES = 16 * 1024;
const NOT_FOLLOWED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Starts `bash -c -- command` in its own session and process group, with standard input closed.
 *
 * The output pipe is a named pipe: what Node makes for a child is a socket, and a socket cannot be reopened, so
 * `echo x > /dev/stderr` or `tee /dev/stderr` would fail in it.
 *
 * @throws ToolError `COMMAND_FAILED` when the shell cannot be started
 */
export async function startShell(command: string, place: ShellPlace): Promise<StartedShell> {
  const undo: (() => void)[] = [];
  const dispose = () => {
    for (const step of undo.splice(0).reverse()) step();
  };
  try {
    return await startIn(command, place, undo, dispose);
  } catch (error) {
    dispose();
    throw isHarnessError(error) ? error : failedStart(place.cwd, error);
  }
}

async function startIn(
  command: string,
  { cwd, env, sandbox, isApart }: ShellPlace,
  undo: (() => void)[],
  dispose: () => void,
): Promise<StartedShell> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), "loopwright-shell-"));
  undo.push(() => remove(directory));
  const paths = {
    pipe: join(directory, "output"),
    errors: join(directory, "errors"),
    start: join(directory, "start"),
    cwd: join(directory, "cwd"),
    command: join(directory, "command"),
  };
  const marks = createMarks();
  const guard = await startGuard(directory, marks);
  undo.push(() => guard.release());
  await writeFile(paths.start, startScript({ record: paths.cwd, lockLimit: marks.lockLimit, bashEnv: env.BASH_ENV }));

  const args = ["-c", "--", await asArgument(command, paths.command)];
  const prepared = await sandbox?.prepare(env.TMPDIR);
  const inner = { ...prepared, BASH_ENV: paths.start };
  const outer = markedEnvironment(env, marks);
  const own = prepared ? [directory, prepared.TMPDIR] : [];
  const launch = sandbox ? await lockedIn(sandbox, own, args, inner) : { args, env: inner };
  if (sandbox) undo.push(() => sandbox.unwrap());

  const { output, writing } = openPipe(paths.pipe);
  undo.push(() => output.destroy());
  const apart = isApart ? openPipe(paths.errors) : undefined;
  undo.push(() => apart?.output.destroy());
  try {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn("bash", launch.args, {
      cwd,
      env: { ...withoutBashEnv(outer), ...launch.env },
      stdio: ["ignore", writing, apart?.writing ?? writing],
      detached: true,
    });
    const group = child.pid ?? 0;
    if (group > 0) guard.watch(group);
    const since = startTimeOf(group);
    const exited = whenExited(child);
    await whenSpawned(child);
    return {
      processes: { ...marks, group, since, sandboxed: sandbox !== undefined },
      output,
      errors: apart?.output,
      exited,
      readDirectories: () => readDirectories(paths.cwd),
      dispose,
    };
  } finally {
    closeSync(writing);
    if (apart) closeSync(apart.writing);
  }
}

/** The command itself, or one that reads it from a file when it is too long for an argument. */
async function asArgument(command: string, file: string): Promise<string> {
  if (Buffer.byteLength(command) <= MAX_ARGUMENT_BYTES) return command;
  await writeFile(file, command);
  return `eval "$(<${quotedForShell(file)})"`;
}

/** The command and its variables go through a file: quoted for every shell in between, it would grow without bounds. */
async function lockedIn(
  sandbox: CommandSandbox,
  directories: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ args: string[]; env: Record<string, string> }> {
  const script = join(directories[0]!, "run");
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quotedForShell(value)}\n`);
  await writeFile(script, `${variables.join("")}exec bash ${args.map(quotedForShell).join(" ")}\n`);
  return { args: ["-c", await sandbox.wrap(script, directories)], env: {} };
}

/** Takes no descriptor, of which there may be none left, unless the command put something there. */
function remove(directory: string): void {
  try {
    for (const name of FILES) rmSync(join(directory, name), { force: true });
    rmdirSync(directory);
  } catch {
    removeAll(directory);
  }
}

function removeAll(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // The command itself has made it so that it cannot be removed; its answer matters more.
  }
}

function withoutBashEnv({ BASH_ENV: _, ...env }: Record<string, string>): Record<string, string> {
  return env;
}

function openPipe(path: string): { readonly output: Socket; readonly writing: number } {
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writing = openSync(path, constants.O_WRONLY);
    const { Socket } = process.getBuiltinModule("node:net");
    const output = new Socket({ fd: reading, readable: true, writable: false });
    // An error of the pipe shows as its end; the command's own outcome says the rest.
    output.on("error", () => output.destroy());
    return { output, writing };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}

/** The command could have put anything in place of the file: a link out, a pipe that never ends. */
async function readDirectories(path: string): Promise<StartDirectories> {
  const file = await open(path, NOT_FOLLOWED).catch(() => undefined);
  if (!file) return { cwd: null };
  try {
    if (!(await file.stat()).isFile()) return { cwd: null };
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_RECORD_BYTES), 0, MAX_RECORD_BYTES, 0);
    const [cwd, previousCwd] = buffer.toString("utf8", 0, bytesRead).split("\n\0");
    if (!cwd?.startsWith("/")) return { cwd: null };
    return previousCwd ? { cwd, previousCwd } : { cwd };
  } finally {
    await file.close();
  }
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

function failedStart(cwd: string, cause: unknown): ToolError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  const message = existsSync(cwd)
    ? `The shell could not be started in ${quoteName(cwd)} (${code}). ${remedies[code] ?? "Try again, or check the machine."}`
    : `The shell could not be started: the directory ${quoteName(cwd)} does not exist. Start in one that does.`;
  return new ToolError("COMMAND_FAILED", { message, retryable: code in retryable, cause });
}

const remedies: Record<string, string> = {
  ENOENT: 'This machine has no "bash", no "sh" or no "mkfifo" on its PATH.',
  E2BIG: "Its environment is too large: pass less in variables.",
  EMFILE: "Too many files are open: try again when fewer commands run.",
  ENFILE: "Too many files are open: try again when fewer commands run.",
  EAGAIN: "Too many processes are running: try again when fewer commands run.",
  ENOSPC: "The temporary directory is full.",
  // The error of Deno 2.9 for a socket on a named pipe.
  EEXIST: "This runtime cannot read from a named pipe, as Deno cannot: run shell commands on Node or Bun.",
};
const retryable = { EMFILE: true, ENFILE: true, EAGAIN: true };

/**
 * The script that bash reads before the command (`BASH_ENV`), so that the command itself is passed unchanged.
 *
 * On exit, it writes down the current and the previous directory. A trap for EXIT that the command sets gets the same line
 * at its end. The trap's own commands are hidden from `set -x`, and it leaves the exit code alone.
 */
export function startScript(options: {
  /** The file the directories are written to. */
  readonly record: string;
  /** The limit on file locks that marks all it starts. */
  readonly lockLimit: string | undefined;
  /** The host's own, read afterwards. */
  readonly bashEnv: string | undefined;
}): string {
  const path = quotedForShell(options.record);
  // In a directory that is gone, what the shell calls it is all there is.
  const record = `{ { builtin pwd -P || builtin printf '%s\\n' "\${PWD-}"; builtin printf '\\0%s' "\${OLDPWD-}"; } >|${path}; } 2>/dev/null`;
  return `
builtin trap -- ${quotedForShell(record)} EXIT
trap() {
  builtin trap "$@" || return
  [[ $BASH_SUBSHELL == 0 ]] || return 0
  [[ $(builtin trap -p EXIT) == *${path}* ]] && return 0
  eval "set -- $(builtin trap -p EXIT)"
  builtin trap -- "\${3-}"$'\\n'${quotedForShell(record)} EXIT
}
${options.lockLimit === undefined ? "" : `builtin ulimit -x ${options.lockLimit} 2>/dev/null`}
unset BASH_ENV
${options.bashEnv === undefined ? "" : `export BASH_ENV=${quotedForShell(options.bashEnv)}; . "$BASH_ENV"`}
`;
}
