import type { CommandRunner } from "../../contracts/workspace.js";
import { checkOptions, listOf, type OptionTable, PATH, TEXT, tableOf } from "../../json/check-options.js";
import type { Machine } from "../machines/machine.js";
import { createCommandSandbox, type SandboxPolicy, sandboxWalls } from "./command-sandbox.js";
import { createShell, type ShellAbout } from "./local-shell.js";
import { assertMasked, MASKED } from "./masked-secrets.js";
import { acquireRuntime } from "./sandbox-runtime.js";

/** Makes the shell of a workspace: `createWorkspace` calls it once and closes what it answers. */
export type ShellFactory = (about: ShellAbout) => CommandRunner & { close?(): Promise<void>; walls?: Machine["walls"] };

const POLICY = {
  allowedHosts: listOf(TEXT, "host names"),
  deniedHosts: listOf(TEXT, "host names"),
  masked: listOf(tableOf(MASKED), "secrets"),
  writable: listOf(PATH, "paths"),
  unreadable: listOf(PATH, "paths"),
  unwritable: listOf(PATH, "paths"),
} satisfies OptionTable<SandboxPolicy>;

/**
 * Runs the workspace's commands under the operating system's sandbox: bubblewrap on Linux, Seatbelt on macOS.
 *
 * The same shell as `createLocalShell`, with a wall around every command: it writes only inside the workspace and into
 * a temporary directory of its own (`TMPDIR`, removed when the workspace is closed), has no network but what `policy`
 * allows, sees no other process, and cannot read keys of the home directory (`~/.ssh`, `~/.aws`, …). The hooks
 * and configuration of git are not writable in the repositories that are there before the first command, nor later in that of the
 * root. A repository that a command makes, at the root or elsewhere, has what that command wrote into it. A command costs about 100 ms more.
 *
 * Needs the package `@anthropic-ai/sandbox-runtime` and, on Linux, `bubblewrap` and `socat`; the first command says what
 * is missing. Nothing ever runs without the sandbox instead.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a policy that is not one
 */
export function sandboxedShell(policy: SandboxPolicy = {}): ShellFactory {
  checkOptions("sandboxedShell()", policy, POLICY);
  assertMasked(policy.masked ?? [], policy.allowedHosts ?? []);
  return (about) => {
    const sandbox = createCommandSandbox(about, policy);
    const shell = createShell(about, sandbox);
    return {
      run: (request) => shell.run(request),
      walls: (network) => sandboxWalls(about, policy, network),
      async close() {
        await shell.close();
        await sandbox.close();
      },
    };
  };
}

/** The reason why this machine cannot sandbox commands under a policy; `null`: it can. */
export async function sandboxProblem(policy: SandboxPolicy): Promise<string | null> {
  try {
    const { release } = await acquireRuntime(policy);
    await release();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
