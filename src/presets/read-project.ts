// A project that is read, and of which nothing is started.
import type { Workspace } from "../contracts/workspace.js";
import { isInside } from "../paths/inside.js";
import { projectFiles } from "../workspace/project-files.js";
import type { AgentProblem, UntrustedPart } from "./agent.js";
import { AgentServers } from "./agent-servers.js";
import {
  type Parts,
  type Places,
  type ProjectOptions,
  placesOf,
  problemsOf,
  readServers,
  readSettings,
  readSkills,
  readSubagents,
  untrustedOf,
} from "./configuration-files.js";
import { checkSettings } from "./settings-limits.js";

/**
 * What lies in the workspace of one session. Deny and ask rules and stricter modes, instructions and, with trust, skills count for
 * that session; nothing is started and nothing allowed, on whatever machine the workspace is: the rest is listed in `untrusted`.
 */
export async function openSessionProject(workspace: Workspace, options: ProjectOptions) {
  const { settings = true, skills = true, subagents = true, mcp = true } = options;
  const { onDisk: _, ...files } = projectFiles(workspace);
  const places: Places = { ...placesOf(workspace.root, options), dir: workspace.root, files };
  const limits = settings ? await readSettings(places, [], options) : undefined;
  try {
    if (limits) checkSettings(limits, options);
    const agentServers = new AgentServers([], places.dir, false, undefined);
    // The tool `task` has the same sub-agents in every session.
    const unused = { ...options, trustProject: false };
    const parts: Parts = {
      places,
      settings: limits,
      skills: skills === false ? undefined : await readSkills(places, options, limits),
      agents: subagents === true ? await readSubagents(places, unused, agentServers, limits) : undefined,
      agentServers,
      servers: mcp === true ? await readServers(places, options, undefined) : [],
      connections: [],
    };
    const isOwn = ({ source }: AgentProblem) => isInside(source, places.dir);
    return {
      files,
      settings: limits,
      skills: parts.skills,
      problems: () => problemsOf(parts).filter(isOwn),
      untrusted: () => untrustedOf(parts),
      close: async () => limits?.close(),
    };
  } catch (error) {
    await limits?.close();
    throw error;
  }
}

/** The project's requests that need trust. Nothing of it is started. */
export async function findUntrusted(root: string, options: ProjectOptions = {}): Promise<readonly UntrustedPart[]> {
  const places = placesOf(root, options);
  const agentServers = new AgentServers([], places.dir, false, undefined);
  const settings = await readSettings(places, [], options);
  try {
    return untrustedOf({
      places,
      settings,
      skills: await readSkills(places, options, settings),
      agents: await readSubagents(places, options, agentServers, settings),
      agentServers,
      servers: await readServers(places, options, undefined),
      connections: [],
    });
  } finally {
    await settings.close();
  }
}
