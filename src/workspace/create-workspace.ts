import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigurationError, isHarnessError } from "../contracts/errors.js";
import type { ArtifactStore, ChangeJournal, CommandRunner, PathAccess, Workspace } from "../contracts/workspace.js";
import {
  byDefault,
  checkOptions,
  eitherOf,
  FLAG,
  FUNCTION,
  type OptionTable,
  PATH,
  recordOf,
  required,
  secret,
  TEXT,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import { temporaryArtifacts } from "./artifacts.js";
import { createFileAccess } from "./file-access.js";
import { createFileState } from "./file-state.js";
import { CLAIM, type ContainmentClaim, HeldClaim } from "./machines/containment.js";
import { lookAtMount } from "./machines/docker/mounted-files.js";
import { RULE_OPTIONS } from "./over/create-workspace-over.js";
import { processLocks } from "./path-locks.js";
import { PathSandbox } from "./paths/path-sandbox.js";
import { closableRunner } from "./shell/closable-runner.js";
import { createLocalShell } from "./shell/local-shell.js";
import type { ShellFactory } from "./shell/sandboxed-shell.js";
import { createShellDirectories } from "./shell/shell-directories.js";
import { TemporaryDirectories } from "./temporary-directories.js";

/** Options of `createWorkspace()`. */
export interface WorkspaceOptions {
  /** The directory tools work in. Has to exist. Relative to the process's directory. */
  readonly root: string;
  /** Further directories whose files may be read, not written. They have to exist. Relative to `root`. */
  readonly readRoots?: readonly string[] | undefined;
  /** Further directories whose files may be read and written. They have to exist. Relative to `root`. */
  readonly writeRoots?: readonly string[] | undefined;
  /**
   * The treatment of a path outside the roots: refused, or asked by the file tools' own permission check. An asked path
   * passes `resolve`, and so does one that an allow rule of a permission checker names, as `Edit(//tmp/**)`. Commands never
   * start outside. An object says it for reading and writing apart. Default: `"deny"`.
   */
  readonly outside?: "deny" | "ask" | Readonly<Record<PathAccess, "deny" | "ask">> | undefined;
  /**
   * Paths that are refused with everything below them and wherever they lead, beside what always is; or gitignore globs, such
   * as `*.secret`. Relative to `root`.
   */
  readonly protectedPaths?: readonly string[] | undefined;
  /**
   * The store of large outputs. Default: a temporary directory that `close` removes. A store of the host's stays its own, and its
   * `directory` is not listed: tools read only the outputs whose path they were given.
   */
  readonly artifacts?: ArtifactStore | undefined;
  /**
   * Runs the commands: `sandboxedShell(policy)`, or a runner of the host's, which stays its own. Default:
   * `createLocalShell`. Whatever it is, `close` ends the commands that run through this workspace.
   */
  readonly shell?: CommandRunner | ShellFactory | undefined;
  /** Variables commands get beside the few they inherit. Not for a runner of the host's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Each session has a directory of its own for temporary files, below `artifacts` and removed with it, in which it needs no
   * approval; its commands get it as `TMPDIR`. Needs an artifact store with `directoryOf`. Default: `false`.
   */
  readonly temporaryDirectories?: boolean | undefined;
  /** Receives what each file was before a file tool changes it. */
  readonly journal?: ChangeJournal | undefined;
  /**
   * The containment of the shell's commands, for a permission checker to ask less: `sandboxedShell`'s is checked, that of a runner of the host's
   * is the host's word. The root and all else that commands may write is kept. With `acceptChanges` every file that is run or trusted by
   * other programs is read-only for commands. Reading outside the workspace, and secrets, still asks. Default: no claim.
   */
  readonly contained?: ContainmentClaim | undefined;
}

const OPTIONS = {
  ...RULE_OPTIONS,
  root: required(PATH),
  shell: byDefault(createLocalShell, eitherOf(FUNCTION, withMethods("run"))),
  env: secret(recordOf(TEXT, "strings by name")),
  temporaryDirectories: FLAG,
  contained: tableOf(CLAIM),
} satisfies OptionTable<WorkspaceOptions>;

/**
 * Opens a directory of this machine for tools: sandboxed paths, locks, atomic writes, artifacts and a shell.
 *
 * @throws ConfigurationError `OPTION_INVALID` when a directory is missing, or what `contained` claims does not hold
 */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const settings = checkOptions("createWorkspace()", options, OPTIONS);
  const root = await realDirectory("root", settings.root);
  const readRoots = await Promise.all(
    settings.readRoots.map((directory) => realDirectory("readRoots", withoutTilde("readRoots", directory), root)),
  );
  const writeRoots = await Promise.all(
    settings.writeRoots.map((directory) => realDirectory("writeRoots", withoutTilde("writeRoots", directory), root)),
  );
  const protectedPaths = settings.protectedPaths.map((path) => withoutTilde("protectedPaths", path));
  const own = settings.artifacts ? undefined : await temporaryArtifacts();
  const sandbox = new PathSandbox({
    root,
    readRoots: own ? [...readRoots, own.directory] : readRoots,
    artifacts: settings.artifacts?.directory,
    writeRoots,
    outside: settings.outside,
    protectedPaths,
  });
  const files = createFileAccess(sandbox, processLocks());
  const { shell: makeShell } = settings;
  const hidden = protectedPaths.map((path) => resolve(root, path));
  const artifacts = settings.artifacts ?? own!;
  const temporary = new TemporaryDirectories(artifacts, sandbox);
  const isTemporary = (directory: string) => temporary.has(directory);
  const claim = settings.contained;
  const unwritable = claim?.acceptChanges ? (await lookAtMount(root)).trusted : [];
  const protectedNow = () => sandbox.matchedByGlobs();
  const about = { root, env: settings.env, protectedPaths: hidden, protectedNow, allowCwd, isTemporary, unwritable };
  const runner: ReturnType<ShellFactory> =
    typeof makeShell === "function" ? makeShell(about) : { run: (request) => makeShell.run(request) };
  const shell = closableRunner((request) => runner.run(request));
  const contained = claim && (await containedHere(claim, [root, ...writeRoots], makeShell, runner));

  const fileState = createFileState();
  // A directory that was removed and made again is another one. Its number alone does not say so: numbers are used again. That of
  // its device may change when the machine starts again.
  const { ino, birthtimeMs } = await stat(root);

  async function allowCwd(directory: string): Promise<boolean> {
    try {
      return (await files.stat(directory)).kind === "directory" && !sandbox.isOutside(directory);
    } catch (error) {
      if (!isHarnessError(error) || isHarnessError(error, "TOOL_FAILED")) throw error;
      return false;
    }
  }

  return {
    id: `disk:${root}#${ino}-${Math.floor(birthtimeMs)}`,
    root,
    files,
    fileState: {
      ...fileState,
      endSession(sessionId) {
        fileState.endSession(sessionId);
        sandbox.rules.endSession(sessionId);
        temporary.endSession(sessionId);
      },
    },
    shell,
    shellDirectories: createShellDirectories(),
    artifacts,
    journal: settings.journal,
    ...(contained && { contained }),
    resolve: files.resolve,
    needsApproval: async (path, access, sessionId) => sandbox.needsApproval(path, access, sessionId),
    addDirectories: (sessionId, directories) => sandbox.addDirectories(sessionId, directories),
    removeDirectories: (sessionId, directories) => sandbox.removeDirectories(sessionId, directories),
    allowOutside: (name, access, matches) => sandbox.rules.allowOutside(name, access, matches),
    ...(settings.temporaryDirectories &&
      artifacts.directoryOf && { temporaryDirectory: (sessionId: string) => temporary.of(sessionId) }),
    async close() {
      await shell.close();
      await runner.close?.();
      await own?.close();
    },
  };
}

/** @throws ConfigurationError `OPTION_INVALID` for a shell that keeps nothing in, and for a claim that does not hold */
async function containedHere(
  claim: ContainmentClaim,
  own: readonly string[],
  makeShell: unknown,
  { walls }: ReturnType<ShellFactory>,
): Promise<NonNullable<Workspace["contained"]>> {
  if (makeShell === createLocalShell) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `Option "contained" of createWorkspace() needs a shell that keeps commands in. Pass one, such as sandboxedShell().`,
      details: { option: "contained" },
    });
  }
  const kept = [...own, ...(claim.kept ?? [])];
  const about = { name: `the sandbox of ${own[0]}`, ...(walls && { walls }) };
  const realOf = (path: string) => realpath(path).catch(() => path);
  const look = (await new HeldClaim(about, { ...claim, kept }, "createWorkspace()").member(own, realOf))!;
  return async () => {
    const found = await look();
    return "lost" in found ? found : { ...found, isHere: true };
  };
}

async function realDirectory(option: string, directory: string, base = process.cwd()): Promise<string> {
  const path = resolve(base, directory);
  try {
    if ((await stat(path)).isDirectory()) return await realpath(path);
  } catch (cause) {
    throw invalid(option, directory, "cannot be opened", cause);
  }
  throw invalid(option, directory, "is not a directory");
}

function withoutTilde(option: string, path: string): string {
  if (path.startsWith("~")) throw invalid(option, path, `starts with "~", which is not expanded`);
  return path;
}

function invalid(option: string, path: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Workspace option "${option}": "${path}" ${problem}. Give the path of an existing directory.`,
    cause,
  });
}
