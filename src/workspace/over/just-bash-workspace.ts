// just-bash is a shell and its files in this process, which needs no system beneath it: it runs in a browser page, too.
import { posix } from "node:path";
import type { CommandRequest, FileStat, Workspace } from "../../contracts/workspace.js";
import { failureCode } from "../../files/file-failure.js";
import {
  byDefault,
  checkOptions,
  listOf,
  type OptionTable,
  optionOf,
  PATH,
  required,
} from "../../json/check-options.js";
import { createWorkspaceOver, RULE_OPTIONS, type WorkspaceOverOptions } from "./create-workspace-over.js";
import type { FileDriver } from "./file-driver.js";
import { followPath } from "./follow-path.js";
import { runWhole, type WholeAnswer } from "./whole-answer.js";

interface FoundFile {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  readonly size: number;
  readonly mtime: Date;
}

/** The part of a `Bash` of just-bash that a workspace needs. */
export interface JustBash {
  readonly fs: {
    stat(path: string): Promise<FoundFile>;
    lstat(path: string): Promise<FoundFile>;
    readlink(path: string): Promise<string>;
    readFileBuffer(path: string): Promise<Uint8Array>;
    writeFile(path: string, content: Uint8Array): Promise<void>;
    chmod(path: string, mode: number): Promise<void>;
    mv(from: string, to: string): Promise<void>;
    rm(path: string): Promise<void>;
    mkdir(path: string, options: { readonly recursive: boolean }): Promise<void>;
    readdir(path: string): Promise<string[]>;
  };
  exec(
    command: string,
    options: { readonly cwd?: string; readonly env?: Record<string, string>; readonly signal?: AbortSignal },
  ): Promise<{
    readonly stdout: string;
    readonly stderr: string;
    readonly exitCode: number;
    readonly stdoutKind?: "text" | "bytes";
    readonly env: Record<string, string>;
  }>;
}

/** Options of `createJustBashWorkspace()`. */
export interface JustBashWorkspaceOptions
  extends Pick<
    WorkspaceOverOptions,
    "readRoots" | "writeRoots" | "outside" | "protectedPaths" | "homes" | "artifacts" | "journal"
  > {
  /** The shell and its files, which stay the host's: `new Bash()`. */
  readonly bash: JustBash;
  /** The directory tools work in, which is made when it is missing. Default: `"/home/user"`. */
  readonly root?: string | undefined;
}

const OPTIONS = {
  ...RULE_OPTIONS,
  bash: required(optionOf((value) => Boolean(Object(value).fs && Object(value).exec), "a Bash of just-bash")),
  root: byDefault("/home/user", PATH),
  homes: byDefault([], listOf(PATH, "paths")),
} satisfies OptionTable<JustBashWorkspaceOptions>;

/**
 * Opens the files of a just-bash for tools, and runs their commands in it. Its output comes when a command has ended, first
 * what standard output says; at an abort or a timeout a command ends with its next statement.
 *
 * @throws ConfigurationError `OPTION_INVALID` when a directory is missing
 * @example
 * const workspace = await createJustBashWorkspace({ bash: new Bash({ files: { "/home/user/a.txt": "one\n" } }) });
 */
export async function createJustBashWorkspace(options: JustBashWorkspaceOptions): Promise<Workspace> {
  const { bash, root, ...rest } = checkOptions("createJustBashWorkspace()", options, OPTIONS);
  const files = justBashFiles(bash);
  await files.makeDirectory(root).catch(() => {});
  const run = (request: CommandRequest) => runWhole(request, (signal) => runIn(bash, request, signal));
  return createWorkspaceOver({ ...rest, root, files, shell: { run } });
}

function justBashFiles({ fs }: JustBash): FileDriver {
  const stat = async (path: string): Promise<FileStat> => {
    const found = await fs.stat(path);
    const { size, mode, mtime } = found;
    return { kind: kindOf(found), size, mode: mode & 0o7777, mtimeMs: +mtime, version: `${size}:${+mtime}:${mode}` };
  };
  return {
    walk: (path) => followPath(path, async (each) => lookAt(fs, each)),
    stat,
    async read(path, position, length) {
      const bytes = (await fs.readFileBuffer(path)).slice(position, position + length);
      return { bytes, stat: await stat(path) };
    },
    async write(path, content, mode) {
      const kept = mode ?? (await stat(path).catch(() => undefined))?.mode;
      const directory = posix.dirname(path);
      await fs.mkdir(directory, { recursive: true });
      const temporary = posix.join(directory, `.loopwright-${Math.random().toString(36).slice(2)}.tmp`);
      await fs.writeFile(temporary, content);
      if (kept !== undefined) await fs.chmod(temporary, kept);
      await fs.mv(temporary, path);
      return stat(path);
    },
    remove: (path) => fs.rm(path),
    makeDirectory: (path) => fs.mkdir(path, { recursive: true }),
    async list(path) {
      const entries = (await fs.readdir(path)).map(async (name) => {
        const found = await fs.lstat(posix.join(path, name));
        return { name, kind: found.isSymbolicLink ? ("symlink" as const) : kindOf(found) };
      });
      return Promise.all(entries);
    },
  };
}

async function lookAt(fs: JustBash["fs"], path: string) {
  try {
    const found = await fs.lstat(path);
    return found.isSymbolicLink ? { target: await fs.readlink(path) } : { kind: kindOf(found) };
  } catch (error) {
    if (failureCode(error) === "ENOENT") return null;
    throw error;
  }
}

function kindOf({ isFile, isDirectory }: FoundFile): FileStat["kind"] {
  if (isFile) return "file";
  return isDirectory ? "directory" : "other";
}

async function runIn(bash: JustBash, { command, cwd, env }: CommandRequest, signal: AbortSignal): Promise<WholeAnswer> {
  const ended = await bash.exec(command, { cwd, env: { ...env }, signal });
  const { stdout, stderr, exitCode, stdoutKind } = ended;
  const encoder = new TextEncoder();
  return {
    exitCode,
    stdout: stdoutKind === "bytes" ? bytesOf(stdout) : encoder.encode(stdout),
    stderr: encoder.encode(stderr),
    cwd: ended.env.PWD,
    previousCwd: ended.env.OLDPWD,
  };
}

/** Each character is a byte. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
