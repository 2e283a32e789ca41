import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import { ToolError } from "../../contracts/errors.js";
import { homeDirectories } from "../../paths/home-directories.js";
import { isInside } from "../../paths/inside.js";
import { secretPathsIn } from "../../paths/sensitive-paths.js";
import { lookAtMount } from "../machines/docker/mounted-files.js";
import type { MachineWalls } from "../machines/machine.js";
import { removeAll } from "../remove-all.js";
import { LiteralPaths } from "./literal-paths.js";
import type { ShellAbout } from "./local-shell.js";
import { credentialsOf, type MaskedSecret, maskedFiles } from "./masked-secrets.js";
import { acquireRuntime, networkOf, type SandboxRuntime } from "./sandbox-runtime.js";
import type { CommandSandbox } from "./shell-start.js";

/** The rights of commands in a sandboxed shell, beside reading and writing inside the workspace. */
export interface SandboxPolicy {
  /**
   * Hosts that commands may connect to, as `example.com` or `*.example.com`. Default: none, no network at all.
   *
   * All sandboxed shells that are open in a process at a time have to name the same hosts.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Hosts that commands may not connect to, also where `allowedHosts` has them. All open shells name the same ones, too. */
  readonly deniedHosts?: readonly string[] | undefined;
  /**
   * Secrets that commands use without having them: they find a placeholder, and the real value is put into their HTTPS requests to the
   * hosts named with it. What goes elsewhere, or without TLS, has the placeholder. A variable or file that is not there refuses the
   * command. On macOS a masked file cannot be read at all. All open shells name the same ones, too.
   */
  readonly masked?: readonly MaskedSecret[] | undefined;
  /** Further files and directories that commands may write. They have to exist. Relative to the workspace's root; no patterns. */
  readonly writable?: readonly string[] | undefined;
  /** Paths that commands may not even read, beside the keys in the home directory. Relative to the workspace's root; no patterns. */
  readonly unreadable?: readonly string[] | undefined;
  /** Paths that commands may not write, also inside the workspace. Relative to the workspace's root; no patterns. */
  readonly unwritable?: readonly string[] | undefined;
}

/** Files that others run or trust as they are: git runs its hooks, and what its configuration names. */
const READ_ONLY = [".git/hooks", ".git/config"];
/** The package lets every sandbox of the machine write here; ours have a directory of their own. */
const SHARED = ["/tmp/claude", join(homedir(), ".npm/_logs"), join(homedir(), ".claude/debug")];

/** Locks the commands of one workspace in. What it needs is loaded and checked with the first command. */
export function createCommandSandbox(
  about: ShellAbout,
  policy: SandboxPolicy,
): CommandSandbox & { close(): Promise<void> } {
  let opening: Promise<OpenSandbox> | undefined;
  let opened: OpenSandbox | undefined;

  async function open(): Promise<OpenSandbox> {
    const { runtime, release } = await acquireRuntime(policy);
    const base = await mkdtemp(join(realpathSync(tmpdir()), "loopwright-sandbox-"));
    const [own, links] = [join(base, "tmp"), join(base, "links")];
    for (const each of [own, links]) mkdirSync(each);
    return { runtime, release, base, own, links: new LiteralPaths(links) };
  }

  return {
    async prepare(temporary) {
      opening ??= open();
      try {
        opened = await opening;
      } catch (error) {
        // A missing path may be there the next time.
        opening = undefined;
        throw error;
      }
      return { TMPDIR: temporary && about.isTemporary?.(temporary) ? temporary : opened.own };
    },
    async wrap(script, directories) {
      const { runtime, own, links } = opened!;
      const secret = [...(about.protectedPaths ?? []), ...((await about.protectedNow?.()) ?? [])];
      const config = configOf({ ...about, protectedPaths: secret }, policy, [own, ...directories], links);
      return wrapScript(runtime, script, config);
    },
    unwrap() {
      opened?.runtime.cleanupAfterCommand();
    },
    async close() {
      await opening?.catch(() => undefined);
      await opened?.release();
      if (opened) await removeAll(opened.base);
      opening = opened = undefined;
    },
  };
}

interface OpenSandbox {
  readonly runtime: SandboxRuntime;
  readonly base: string;
  /** The commands' `TMPDIR`. */
  readonly own: string;
  readonly links: LiteralPaths;
  release(): Promise<void>;
}

/** The openings that the sandbox leaves, for a claim about the workspace. */
export async function sandboxWalls(
  { root, unwritable = [] }: ShellAbout,
  policy: SandboxPolicy,
  network: "none" | "any",
): Promise<MachineWalls> {
  const absolute = (paths: readonly string[] = []) => paths.map((path) => resolve(root, path));
  const { allowedHosts = [] } = policy;
  const writable = [root, ...absolute(policy.writable)];
  const readOnly = [...unwritable, ...absolute(policy.unwritable)];
  const seen = await Promise.all(writable.map(lookAtMount));
  const reached =
    network === "none" && allowedHosts.length > 0 ? `It reaches hosts: ${allowedHosts.join(", ")}.` : null;
  return {
    breach: reached ?? seen.find(({ breach }) => breach !== null)?.breach ?? null,
    writable,
    trusted: seen.flatMap(({ trusted }) => trusted).filter((file) => !readOnly.some((each) => isInside(file, each))),
    isDisposable: false,
  };
}

function configOf(
  { root, protectedPaths = [], unwritable = [] }: ShellAbout,
  policy: SandboxPolicy,
  own: readonly string[],
  links: LiteralPaths,
): Partial<SandboxRuntimeConfig> {
  const absolute = (paths: readonly string[] = []) => paths.map((path) => resolve(root, path));
  const secret = [...secretPathsIn(homeDirectories()), ...protectedPaths, ...absolute(policy.unreadable)];
  const masked = maskedFiles(root, policy.masked).map(({ path }) => path);
  return {
    network: networkOf(policy),
    ...(policy.masked && { credentials: credentialsOf(root, policy.masked) }),
    filesystem: {
      denyRead: secret.filter((path) => existsSync(path) && !masked.includes(path)).map((path) => links.denied(path)),
      allowWrite: [root, ...own, ...absolute(policy.writable)].map((path) => links.allowed(path)),
      // A path that is missing would be made for the time of the command, as an empty file.
      denyWrite: [
        ...[...absolute(READ_ONLY), ...SHARED].filter((path) => existsSync(path)),
        ...absolute(policy.unwritable),
        ...unwritable.filter((path) => existsSync(path)),
        links.directory,
      ].map((path) => links.denied(path)),
    },
  };
}

async function wrapScript(
  runtime: SandboxRuntime,
  script: string,
  config: Partial<SandboxRuntimeConfig>,
): Promise<string> {
  try {
    return await runtime.wrapWithSandbox(`. '${script.replaceAll("'", "'\\''")}'`, "bash", config);
  } catch (cause) {
    throw new ToolError("COMMAND_FAILED", {
      message: `The sandbox could not be set up, so the command was not run: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
}
