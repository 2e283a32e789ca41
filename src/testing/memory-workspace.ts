import { ToolError } from "../contracts/errors.js";
import type { ChangeJournal, CommandRunner, PathAccess, Workspace } from "../contracts/workspace.js";
import { checkOptions, type OptionTable, optionOf, recordOf, withMethods } from "../json/check-options.js";
import { askedReason } from "../paths/sensitive-paths.js";
import { createFileState } from "../workspace/file-state.js";
import { createShellDirectories } from "../workspace/shell-directories.js";
import { MemoryFiles } from "./memory-files.js";

/** A directory that exists on no machine, so that code that looks at the disk finds nothing there. */
const ROOT = "/loopwright-memory";

export interface MemoryWorkspaceOptions {
  /** Texts or bytes by path, relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Runs the commands. Default: commands are not run, they fail with `COMMAND_FAILED`. */
  readonly shell?: CommandRunner | undefined;
  readonly journal?: ChangeJournal | undefined;
}

/** A workspace in memory, with a way to look at its files. */
export interface MemoryWorkspace extends Workspace {
  /** The text of every file, by its path from the root. */
  texts(): Record<string, string>;
}

const OPTIONS = {
  files: recordOf(
    optionOf((value) => typeof value === "string" || value instanceof Uint8Array, "a string or bytes"),
    "strings or bytes by path",
  ),
  shell: withMethods("run"),
  journal: withMethods("before"),
} satisfies OptionTable<MemoryWorkspaceOptions>;

/**
 * A `Workspace` without a disk, for testing tools and agents: same paths refused, same errors, same locks.
 *
 * The file tools run over it as they do over `createWorkspace`, searches included; `bash` needs a `shell`. There are no
 * links and no artifacts.
 *
 * @throws SandboxError for a path in `files` that a workspace refuses
 * @example
 * const workspace = await createMemoryWorkspace({ files: { "a.txt": "one\n" } });
 */
export async function createMemoryWorkspace(options: MemoryWorkspaceOptions = {}): Promise<MemoryWorkspace> {
  checkOptions("createMemoryWorkspace()", options, OPTIONS);
  const files = new MemoryFiles(ROOT);
  for (const [path, content] of Object.entries(options.files ?? {})) {
    await files.write(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  function needsApproval(path: string, access: PathAccess): string | null {
    let real: string;
    try {
      real = files.locate(path, access);
    } catch {
      return null;
    }
    return askedReason(real, ROOT, access);
  }

  return {
    root: ROOT,
    files,
    fileState: createFileState(),
    shell: options.shell ?? { run: refuseCommand },
    shellDirectories: createShellDirectories(),
    journal: options.journal,
    resolve: files.resolve,
    needsApproval,
    texts: () => files.texts(),
    close: async () => {},
  };
}

async function refuseCommand(): Promise<never> {
  throw new ToolError("COMMAND_FAILED", {
    message: "A workspace in memory runs no commands. Pass createMemoryWorkspace a shell that does.",
  });
}
