import { ToolError } from "../../contracts/errors.js";
import type { CommandRunner } from "../../contracts/workspace.js";
import {
  checkOptions,
  FUNCTION,
  listOf,
  type OptionTable,
  PATH,
  recordOf,
  required,
  secret,
  TEXT,
} from "../../json/check-options.js";
import { childEnvironment } from "../../processes/child-environment.js";
import { quoteName } from "../../text/quote-name.js";
import { closableRunner } from "./closable-runner.js";
import { runShell } from "./shell-run.js";
import type { CommandSandbox } from "./shell-start.js";

/** Options of the shell of a workspace. */
export interface LocalShellOptions {
  /** The directory where commands start unless they say otherwise. Absolute. */
  readonly root: string;
  /** Added to the allow-list of variables that commands inherit, and before those that keep editors and pagers away. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Asked for every directory a command is to start in. Default: every directory is allowed. */
  readonly allowCwd?: ((cwd: string) => Promise<boolean>) | undefined;
}

/** The part of a workspace that its shell has to know. */
export interface ShellAbout extends LocalShellOptions {
  /** Paths that nobody gets at, beside the keys in the home directory. Absolute. */
  readonly protectedPaths?: readonly string[] | undefined;
  /** Asked before each command for what is protected beside these: what globs match at that moment. Absolute. Default: nothing. */
  readonly protectedNow?: (() => Promise<readonly string[]>) | undefined;
  /** Says that a directory is a session's own for temporary files, which its commands may write to. Default: none is. */
  readonly isTemporary?: ((directory: string) => boolean) | undefined;
  /** Files that commands may not write, where something keeps them in. Absolute. */
  readonly unwritable?: readonly string[] | undefined;
}

const NO_EDITOR =
  "echo 'There is no editor here: this command has to be given its text or list by an option.' >&2; false";

/**
 * Nobody sits at a command: what would open an editor or a pager, or ask for a password, ends at once and says so. Git
 * takes the message it was given, and no list is confirmed that nobody has read.
 */
export const NOBODY_THERE = {
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: NO_EDITOR,
  EDITOR: "false",
  VISUAL: "false",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "never",
};

const OPTIONS = {
  root: required(PATH),
  env: secret(recordOf(TEXT, "strings by name")),
  allowCwd: FUNCTION,
  protectedPaths: listOf(PATH, "paths"),
  protectedNow: FUNCTION,
  isTemporary: FUNCTION,
  unwritable: listOf(PATH, "paths"),
} satisfies OptionTable<ShellAbout>;

/**
 * Runs commands with `bash -c` on this machine.
 *
 * Each runs in a process group of its own, with standard input closed, both streams in one pipe and the environment of
 * `childEnvironment`. Editors, pagers and questions for a password end at once, unless `env` names others. `run` settles when the shell has ended and nothing it started is alive: what still runs then is
 * killed. At a timeout everything gets TERM, and KILL 2 s later; at an abort KILL comes 250 ms later, and `run`
 * rejects with the signal's reason. When the host process exits, running commands are killed.
 *
 * `close` ends every running command and refuses others. `protectedPaths` make no difference: nothing keeps a command of
 * this shell from a file, which is what `sandboxedShell` is for.
 *
 * @throws ToolError `COMMAND_FAILED` when the shell cannot be started, the directory is not allowed, or it is closed
 */
export function createLocalShell(options: ShellAbout): CommandRunner & { close(): Promise<void> } {
  checkOptions("createLocalShell()", options, OPTIONS);
  return createShell(options);
}

/** The local shell; every command runs in the `sandbox` when there is one. */
export function createShell(
  { root, env, allowCwd }: LocalShellOptions,
  sandbox?: CommandSandbox,
): CommandRunner & { close(): Promise<void> } {
  return closableRunner(async (request) => {
    const cwd = request.cwd ?? root;
    if (allowCwd && !(await allowCwd(cwd))) {
      throw new ToolError("COMMAND_FAILED", {
        message: `Commands cannot start in ${quoteName(cwd)}: it is not a directory of the workspace ${quoteName(root)}. Start in one that is.`,
      });
    }
    request.signal.throwIfAborted();
    return runShell({ ...request, cwd, env: childEnvironment({ ...NOBODY_THERE, ...env, ...request.env }) }, sandbox);
  });
}
