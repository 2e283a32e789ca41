// A project that is read, and of which nothing is started.
import type { Workspace } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { projectFiles } from "../../workspace/workspace-project-files.js";
import type { AgentProblem, UntrustedPart } from "../agent-problems.js";
import { AgentServers } from "../agent-servers.js";
import { checkSettings } from "../settings-limits.js";
import { placesOf, readProjectParts, readServers, readSettings, readTrusted } from "./configuration-files.js";
import { problemsOf, untrustedOf } from "./project-findings.js";
import type { Places, ProjectOptions } from "./project-parts.js";

/**
 * The project in the workspace of one session. Deny and ask rules and stricter modes, instructions and, with trust, skills count for
 * that session; nothing is started and nothing allowed, on whatever machine the workspace is: the rest is listed in `untrusted`.
 */
export async function openSessionProject(workspace: Workspace, options: ProjectOptions) {
  const { mcp = true } = options;
  const { onDisk: _, ...files } = projectFiles(workspace);
  const here: Places = { ...placesOf(workspace.root, options), dir: workspace.root, files };
  const { settings, places } = await readTrusted(here, [], options);
  try {
    if (settings) checkSettings(settings, options);
    const agentServers = new AgentServers([], places.dir, false, undefined);
    const servers = mcp === true ? await readServers(places, options, undefined) : [];
    const known = { settings, agentServers, servers, connections: [] };
    // The tool `task` has the same sub-agents in every session.
    const parts = await readProjectParts(places, options, known, { ...options, trustProject: false });
    const isOwn = ({ source }: AgentProblem) => isInside(source, places.dir);
    return {
      files: places.files,
      leftOut: places.leftOut,
      settings,
      skills: parts.skills,
      problems: () => problemsOf(parts, {}).filter(isOwn),
      untrusted: () => untrustedOf(parts, {}),
      close: async () => settings?.close(),
    };
  } catch (error) {
    await settings?.close();
    throw error;
  }
}

/** The project's requests that need trust. Nothing of it is started. */
export async function findUntrusted(root: string, options: ProjectOptions = {}): Promise<readonly UntrustedPart[]> {
  const places = placesOf(root, options);
  const agentServers = new AgentServers([], places.dir, false, undefined);
  const settings = await readSettings(places, [], options);
  try {
    const servers = await readServers(places, options, undefined);
    return untrustedOf(
      await readProjectParts(places, options, { settings, agentServers, servers, connections: [] }),
      {},
      true,
    );
  } finally {
    await settings.close();
  }
}
