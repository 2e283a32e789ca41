import { posix } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import type { ChangeJournal, CommandRunner, Workspace } from "../../contracts/workspace.js";
import {
  byDefault,
  checkOptions,
  listOf,
  type OptionTable,
  oneOf,
  optionOf,
  PATH,
  recordOf,
  withMethods,
} from "../../json/check-options.js";
import { createWorkspaceOver } from "../../workspace/over/create-workspace-over.js";
import { nameInside } from "../../workspace/paths/path-rules.js";
import { MemoryFiles } from "./memory-files.js";

/** A directory that exists on no machine, so that code that looks at the disk finds nothing there. */
const ROOT = "/loopwright-memory";

/** Options of `createMemoryWorkspace()`. */
export interface MemoryWorkspaceOptions {
  /** Texts or bytes by path, relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Further directories that may be read, in memory as well. */
  readonly readRoots?: readonly string[] | undefined;
  /** Further directories that may be read and written. */
  readonly writeRoots?: readonly string[] | undefined;
  /** The treatment of a path outside all of them. Default: `"deny"`. */
  readonly outside?: "deny" | "ask" | undefined;
  /** Paths and gitignore globs that nobody may touch. */
  readonly protectedPaths?: readonly string[] | undefined;
  /** Runs the commands. Default: commands are not run, they fail with `COMMAND_FAILED`. */
  readonly shell?: CommandRunner | undefined;
  /** Asked before each change of a file, as checkpoints are. Default: none. */
  readonly journal?: ChangeJournal | undefined;
}

/** A workspace in memory, with a way to look at its files. */
export interface MemoryWorkspace extends Workspace {
  /** The text of every file, by its path from the root. */
  texts(): Record<string, string>;
}

const OPTIONS = {
  files: byDefault(
    {},
    recordOf(
      optionOf((value) => typeof value === "string" || value instanceof Uint8Array, "a string or bytes"),
      "strings or bytes by path",
    ),
  ),
  readRoots: byDefault([], listOf(PATH, "paths")),
  writeRoots: byDefault([], listOf(PATH, "paths")),
  outside: byDefault("deny", oneOf("deny", "ask")),
  protectedPaths: byDefault([], listOf(PATH, "paths and gitignore globs")),
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
  const { files: given, ...settings } = checkOptions("createMemoryWorkspace()", options, OPTIONS);
  const files = new MemoryFiles();
  for (const directory of [".", ...settings.readRoots, ...settings.writeRoots]) {
    await files.makeDirectory(posix.resolve(ROOT, directory));
  }
  const workspace = await createWorkspaceOver({ shell: { run: refuseCommand }, ...settings, root: ROOT, files });
  for (const [path, content] of Object.entries(given)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    await files.write(await workspace.resolve(path, "read"), bytes);
  }
  const texts = () =>
    [...files.entries].flatMap(([path, { content }]) =>
      content ? [[nameInside(path, ROOT), new TextDecoder().decode(content)]] : [],
    );
  return { ...workspace, texts: () => Object.fromEntries(texts()) };
}

async function refuseCommand(): Promise<never> {
  throw new ToolError("COMMAND_FAILED", {
    message: "A workspace in memory runs no commands. Pass createMemoryWorkspace a shell that does.",
  });
}
