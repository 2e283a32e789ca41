import { promisify } from "node:util";
import type { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { ConfigurationError, ToolError } from "../../contracts/errors.js";
import { loadPeer, notLoaded } from "../../peers/load-peer.js";
import { type MaskedSecret, untouchedHosts } from "./masked-secrets.js";

interface Hosts {
  readonly allowedHosts?: readonly string[] | undefined;
  readonly deniedHosts?: readonly string[] | undefined;
  readonly masked?: readonly MaskedSecret[] | undefined;
}

export type SandboxRuntime = typeof SandboxManager;

/** The package has one proxy, and so one list of hosts, for the whole process: a second sandbox needs the same list. */
let inUse: { readonly hosts: string; users: number; readonly ready: Promise<SandboxRuntime> } | undefined;

/**
 * The runtime, checked to work on this machine and set up for `hosts`, until `release`.
 *
 * @throws ConfigurationError `PEER_MISSING` without the package, `PEER_UNSUPPORTED` with another version, `OPTION_INVALID` while another list of hosts is in use
 * @throws ToolError `COMMAND_FAILED` when the machine lacks what a sandbox needs
 */
export async function acquireRuntime(
  hosts: Hosts,
): Promise<{ readonly runtime: SandboxRuntime; release(): Promise<void> }> {
  const { allowedHosts = [], deniedHosts = [], masked = [] } = hosts;
  const lists = [allowedHosts, ...(deniedHosts.length > 0 ? [deniedHosts] : [])]
    .map((list) => JSON.stringify([...list].sort()))
    .join(" without ");
  const key = masked.length > 0 ? `${lists} and "masked" ${JSON.stringify(masked)}` : lists;
  inUse ??= { hosts: key, users: 0, ready: startRuntime(hosts) };
  const use = inUse;
  if (use.hosts !== key) throw otherHosts(use.hosts);
  use.users++;
  const release = async (stop: (runtime: SandboxRuntime) => Promise<void>) => {
    if (--use.users > 0) return;
    inUse = undefined;
    await use.ready.then(stop, () => undefined);
  };
  try {
    return { runtime: await use.ready, release: () => release((runtime) => runtime.reset()) };
  } catch (error) {
    await release(async () => undefined);
    throw error;
  }
}

async function startRuntime(hosts: Hosts): Promise<SandboxRuntime> {
  const runtime = await load();
  const { errors } = runtime.isSupportedPlatform()
    ? await runtime.checkDependenciesAsync()
    : { errors: [`there is no sandbox for the platform "${process.platform}"`] };
  if (errors.length > 0) throw cannotLockIn(errors.join("; "));
  if (runtime.getProxyPort() !== undefined) throw otherHosts("of the host's own");
  // Its proxies and their helpers are needed for hosts alone; without, a command has no network to begin with.
  if (hosts.allowedHosts?.length) await startProxies(runtime, hosts);
  const probe = await runtime.wrapWithSandbox("true", "bash", {
    network: networkOf(hosts),
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
  });
  try {
    const { execFile } = process.getBuiltinModule("node:child_process");
    await promisify(execFile)("bash", ["-c", probe]);
  } catch (error) {
    throw cannotLockIn((error as { stderr?: string }).stderr?.trim() || String(error));
  } finally {
    runtime.cleanupAfterCommand();
  }
  return runtime;
}

export function networkOf({ allowedHosts = [], deniedHosts = [] }: Hosts) {
  return { allowedDomains: [...allowedHosts], deniedDomains: [...deniedHosts] };
}

/** Connections are opened on their way where a secret is put in, and nowhere else. */
function tlsOf({ allowedHosts = [], masked = [] }: Hosts) {
  return masked.length === 0 ? {} : { tlsTerminate: { excludeDomains: untouchedHosts(allowedHosts, masked) } };
}

async function startProxies(runtime: SandboxRuntime, hosts: Hosts): Promise<void> {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  await runtime.initialize({
    network: { ...networkOf(hosts), strictAllowlist: true, ...tlsOf(hosts) },
    ...(hosts.masked && { credentials: {} }),
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
  });
  // They would keep the first Ctrl-C from ending the host. The end of the process still cleans up.
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener);
  }
}

async function load(): Promise<SandboxRuntime> {
  const name = "@anthropic-ai/sandbox-runtime";
  return (
    await loadPeer(name, async () => {
      try {
        return await import("@anthropic-ai/sandbox-runtime");
      } catch (cause) {
        throw notLoaded(cause);
      }
    }, ["SandboxManager"])
  ).SandboxManager;
}

function otherHosts(hosts: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Another sandboxed shell of this process is open with "allowedHosts" ${hosts}, and all of them share one list. Name the same ones, or close that workspace first.`,
  });
}

function cannotLockIn(problem: string): ToolError {
  return new ToolError("COMMAND_FAILED", {
    message: `The command was not run, because this machine cannot sandbox it: ${problem}. On Linux, install bubblewrap, socat and ripgrep, and allow unprivileged user namespaces.`,
  });
}
