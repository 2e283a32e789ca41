import { posix } from "node:path";
import { ConfigurationError, isHarnessError, ToolError } from "../../contracts/errors.js";
import type { ArtifactStore, ChangeJournal, CommandRunner, PathAccess, Workspace } from "../../contracts/workspace.js";
import {
  byDefault,
  checkOptions,
  eitherOf,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  PATH,
  required,
  TEXT,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { quoteName } from "../../text/quote-name.js";
import { createFileState } from "../file-state.js";
import { PathLocks, processLocks } from "../path-locks.js";
import { PathRules } from "../paths/path-rules.js";
import { closableRunner } from "../shell/closable-runner.js";
import { createShellDirectories } from "../shell/shell-directories.js";
import { createDriverFiles, SharedFiles } from "./driver-files.js";
import { DriverSandbox } from "./driver-sandbox.js";
import type { FileDriver } from "./file-driver.js";
import { withMany } from "./remembered-many.js";

/** Options of `createWorkspaceOver()`. All paths are those of the driver. */
export interface WorkspaceOverOptions {
  /** The directory tools work in. Absolute. Has to exist. */
  readonly root: string;
  /** The files. */
  readonly files: FileDriver;
  /** Runs the commands where the files are. Default: commands are not run, they fail with `COMMAND_FAILED`. */
  readonly shell?: CommandRunner | undefined;
  /**
   * Names the place of the files: workspaces of one name share their locks, as two over one machine have to. Default: a name
   * of its own.
   */
  readonly name?: string | undefined;
  /** The same across processes for the same files. Default: `name` and `root`; without a name nobody knows, so none. */
  readonly id?: string | undefined;
  /** The operating system that commands run on, as `linux`. Default: not known. */
  readonly platform?: string | undefined;
  /** Further directories whose files may be read, not written. They have to exist. Relative to `root`. */
  readonly readRoots?: readonly string[] | undefined;
  /** Further directories whose files may be read and written. They have to exist. Relative to `root`. */
  readonly writeRoots?: readonly string[] | undefined;
  /** The treatment of a path outside the roots, as for `createWorkspace`. Default: `"deny"`. */
  readonly outside?: "deny" | "ask" | Readonly<Record<PathAccess, "deny" | "ask">> | undefined;
  /** Paths that are refused, or gitignore globs, as for `createWorkspace`. Relative to `root`. */
  readonly protectedPaths?: readonly string[] | undefined;
  /** Home directories there may be, whose keys and tokens nobody gets at. Absolute. Default: none. */
  readonly homes?: readonly string[] | undefined;
  /** The store of large outputs, which stays the host's. Default: none. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Receives what each file was before a file tool changes it. */
  readonly journal?: ChangeJournal | undefined;
  /** Called by `close`, when the commands have ended. */
  readonly onClose?: (() => Promise<void>) | undefined;
}

const OUTSIDE = oneOf("deny", "ask");

/** The options that every workspace has. */
export const RULE_OPTIONS = {
  readRoots: byDefault([], listOf(PATH, "paths")),
  writeRoots: byDefault([], listOf(PATH, "paths")),
  outside: byDefault("deny", eitherOf(OUTSIDE, tableOf({ read: required(OUTSIDE), write: required(OUTSIDE) }))),
  protectedPaths: byDefault([], listOf(PATH, "paths and gitignore globs")),
  artifacts: withMethods("put", "get"),
  journal: withMethods("before"),
};

const OPTIONS = {
  ...RULE_OPTIONS,
  root: required(PATH),
  files: required(withMethods("walk", "stat", "read", "write", "remove", "makeDirectory", "list")),
  shell: withMethods("run"),
  name: TEXT,
  id: TEXT,
  platform: TEXT,
  homes: byDefault([], listOf(PATH, "paths")),
  onClose: FUNCTION,
} satisfies OptionTable<WorkspaceOverOptions>;

/**
 * Opens files that are kept elsewhere for tools: the paths, the secrets, the locks and the errors are those of `createWorkspace`, and
 * `files` does what is granted. A file that others change between check and use is noticed when the driver `proves` its paths.
 *
 * @throws ConfigurationError `OPTION_INVALID` when a directory is missing
 */
export async function createWorkspaceOver(options: WorkspaceOverOptions): Promise<Workspace> {
  const settings = checkOptions("createWorkspaceOver()", options, OPTIONS);
  const { files: driver, homes, journal, onClose } = settings;
  const root = await realDirectory(driver, "root", settings.root);
  const real = (option: "readRoots" | "writeRoots") =>
    Promise.all(settings[option].map((directory) => realDirectory(driver, option, posix.resolve(root, directory))));
  const [readRoots, writeRoots] = await Promise.all([real("readRoots"), real("writeRoots")]);
  const { outside, protectedPaths } = settings;
  const rules = new PathRules({ root, readRoots, writeRoots, outside, protectedPaths, homes });
  const sandbox = new DriverSandbox(rules, driver, root);
  await sandbox.open(homes);
  const shared = settings.name !== undefined;
  const locks = shared ? processLocks() : new PathLocks();
  const sharedFiles = new SharedFiles(locks, shared ? `${settings.name}\0` : "");
  const files = createDriverFiles(driver, sandbox, sharedFiles);
  const fileState = createFileState();
  const shell = closableRunner(async (request) => {
    const cwd = request.cwd ?? root;
    if (cwd !== root && !(await mayStartIn(cwd))) throw notAStart(cwd, root);
    request.signal.throwIfAborted();
    return (settings.shell ?? NO_SHELL).run({ ...request, cwd });
  });

  async function mayStartIn(directory: string): Promise<boolean> {
    try {
      const walk = await sandbox.check(directory, "read");
      return walk.kind === "directory" && !rules.isOutside(walk.path);
    } catch (error) {
      if (!isHarnessError(error) || isHarnessError(error, "TOOL_FAILED")) throw error;
      return false;
    }
  }

  const id = settings.id ?? (shared ? `${settings.name}:${root}` : undefined);
  const workspace: Workspace = {
    ...(id !== undefined && { id }),
    root,
    ...(settings.platform && { platform: settings.platform }),
    files,
    fileState: {
      ...fileState,
      endSession(sessionId) {
        fileState.endSession(sessionId);
        sandbox.withReal([], () => rules.endSession(sessionId));
      },
    },
    shell,
    shellDirectories: createShellDirectories(),
    ...(settings.artifacts && { artifacts: settings.artifacts }),
    ...(journal && { journal }),
    resolve: files.resolve,
    needsApproval: (path, access, sessionId) => sandbox.needsApproval(path, access, sessionId),
    addDirectories: (sessionId, directories) =>
      sandbox.withReal(directories, (paths) => rules.addDirectories(sessionId, paths)),
    removeDirectories: (sessionId, directories) =>
      sandbox.withReal(directories, (paths) => rules.removeDirectories(sessionId, paths)),
    allowOutside: (name, access, matches) => rules.allowOutside(name, access, matches),
    forCall(given) {
      if (given !== workspace || !driver.proves) return given;
      const own = sandbox.remembering();
      const remembered = withMany(createDriverFiles(driver, own, sharedFiles), driver.many, own);
      return {
        ...workspace,
        files: remembered,
        resolve: remembered.resolve,
        needsApproval: (path, access, sessionId) => own.needsApproval(path, access, sessionId),
      };
    },
    async close() {
      await shell.close();
      await onClose?.();
    },
  };
  return workspace;
}

const NO_SHELL: CommandRunner = {
  run: async () => {
    throw new ToolError("COMMAND_FAILED", { message: "This workspace runs no commands. Pass it a shell that does." });
  },
};

async function realDirectory(driver: FileDriver, option: string, directory: string): Promise<string> {
  const { path, kind } = directory.startsWith("/")
    ? await driver.walk(directory)
    : { path: directory, kind: "relative" };
  if (kind === "directory") return path;
  throw new ConfigurationError("OPTION_INVALID", {
    message: `Workspace option "${option}": "${directory}" ${PROBLEMS[String(kind)]}. Give the path of an existing directory.`,
  });
}

const PROBLEMS: Readonly<Record<string, string>> = {
  null: "does not exist",
  file: "is not a directory",
  other: "is not a directory",
  relative: "is not absolute",
};

function notAStart(directory: string, root: string): ToolError {
  return new ToolError("COMMAND_FAILED", {
    message: `Commands cannot start in ${quoteName(directory)}: it is not a directory of the workspace ${quoteName(root)}. Start in one that is.`,
  });
}
