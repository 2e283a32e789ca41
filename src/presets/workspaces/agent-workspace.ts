import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { FileReader } from "../../compaction/stages/summarize.js";
import type { Workspace } from "../../contracts/workspace.js";
import { originsOf } from "../../permissions/flow/file-origins.js";
import { createWorkspace } from "../../workspace/create-workspace.js";
import { sandboxedShell } from "../../workspace/shell/sandboxed-shell.js";
import type { AgentOptions } from "../options.js";
import type { Project } from "../project/configuration-files.js";
import type { SandboxPlan } from "../settings-limits.js";

/** The directory as the agent's tools see it, with what settings add and where skills keep their files. */
export async function openAgentWorkspace(
  root: string,
  { settings, skills }: Partial<Project>,
  { artifacts, env, journal, protectedPaths, readRoots = [], writeRoots = [] }: AgentOptions<never>,
  { sandbox = false }: SandboxPlan,
): Promise<Workspace> {
  const blocks = (key: "blockReadsOutside" | "blockWritesOutside") =>
    settings?.sources.some((rules) => rules[key]) ? "deny" : "ask";
  return createWorkspace({
    root,
    readRoots: [...readRoots, ...(await existing(root, skills?.directories))],
    writeRoots: [...writeRoots, ...(await existing(root, settings?.additionalDirectories))],
    outside: { read: blocks("blockReadsOutside"), write: blocks("blockWritesOutside") },
    protectedPaths,
    artifacts,
    temporaryDirectories: true,
    env,
    journal,
    shell: sandbox === false ? undefined : sandboxedShell(sandbox === true ? {} : sandbox),
  });
}

/** A directory that is named somewhere and is not there must not keep the agent from starting. */
async function existing(root: string, directories: readonly string[] = []): Promise<string[]> {
  const found = await Promise.all(
    directories.map(async (directory) => {
      const about = await stat(resolve(root, directory)).catch(() => null);
      return about?.isDirectory() ? [directory] : [];
    }),
  );
  return found.flat();
}

/**
 * Reads files for the summaries of a compaction: those that the agent may read without asking, and with labels the user's own, since a
 * summary is as trusted as what was read before it.
 */
export function readFileOf(workspace: Workspace, usesLabels: boolean): FileReader {
  return async (path) => {
    try {
      const real = await workspace.resolve(path, "read");
      if ((await workspace.needsApproval(real, "read")) !== null) return null;
      if (usesLabels && !(await (await originsOf(workspace)).isOwnNow(real))) return null;
      return new TextDecoder().decode(await workspace.files.read(path));
    } catch {
      return null;
    }
  };
}
