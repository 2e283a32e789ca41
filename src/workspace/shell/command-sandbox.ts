import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
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
import { gitsOwnFiles, repositoriesIn } from "./gits-own-files.js";
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

/** The package lets every sandbox of the machine write here; ours have a directory of their own. */
const SHARED = ["/tmp/claude", join(homedir(), ".npm/_logs"), join(homedir(), ".claude/debug")];

/** Locks the commands of one workspace in. What it needs is loaded and checked with the first command. */
export function createCommandSandbox(
  about: ShellAbout,
  policy: SandboxPolicy,
): CommandSandbox & { close(): Promise<void> } {
  let opening: Promise<OpenSandbox> | undefined;
  let opened: OpenSandbox | undefined;
  let running = 0;

  async function open(): Promise<OpenSandbox> {
    const { runtime, release } = await acquireRuntime(policy);
    const base = await mkdtemp(join(realpathSync(tmpdir()), "loopwright-sandbox-"));
    const [own, links] = [join(base, "tmp"), join(base, "links")];
    for (const each of [own, links]) mkdirSync(each);
    const writable = [about.root, ...(policy.writable ?? []).map((path) => resolve(about.root, path))];
    // One that is made later is at the root, or has the configuration that a command gave it.
    const repositories = new Set([join(about.root, ".git"), ...(await repositoriesIn(writable))]);
    return { runtime, release, base, own, links: new LiteralPaths(links), repositories, absent: new Set() };
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
      const { runtime, own, links, absent, repositories } = opened!;
      const gits = [...repositories].map(gitsOwnFiles);
      // What has come while none ran is nobody's but the user's.
      if (running === 0) absent.clear();
      for (const path of gits.flatMap((each) => each.absent)) absent.add(path);
      const unwritable = [
        ...(about.unwritable ?? []).filter((path) => existsSync(path)),
        ...gits.flatMap((each) => each.readOnly),
      ];
      const secret = [...(about.protectedPaths ?? []), ...((await about.protectedNow?.()) ?? [])];
      const config = configOf({ ...about, protectedPaths: secret, unwritable }, policy, [own, ...directories], links);
      const wrapped = await wrapScript(runtime, script, config);
      running++;
      return wrapped;
    },
    unwrap() {
      opened?.runtime.cleanupAfterCommand();
      for (const path of opened?.absent ?? []) setAside(path);
      running--;
    },
    async close() {
      await opening?.catch(() => undefined);
      await opened?.release();
      if (opened) await removeAll(opened.base);
      opening = opened = undefined;
    },
  };
}

/** A link that leads nowhere yet is one, too. */
function setAside(path: string): void {
  try {
    renameSync(path, `${path}.from-a-command-${Date.now()}`);
  } catch {
    rmSync(path, { recursive: true, force: true });
  }
}

interface OpenSandbox {
  readonly runtime: SandboxRuntime;
  readonly base: string;
  /** The commands' `TMPDIR`. */
  readonly own: string;
  readonly links: LiteralPaths;
  readonly repositories: ReadonlySet<string>;
  /** Files that may not be there after a command. */
  readonly absent: Set<string>;
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
        ...SHARED.filter((path) => existsSync(path)),
        ...absolute(policy.unwritable),
        ...unwritable,
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
