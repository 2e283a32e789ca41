// The parts that the user's and the project's files bring to an agent: settings, skills, sub-agents and servers. Nothing in a file
// makes it throw, and what a project asks for without being trusted is listed and not used.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { ProjectDirectory, ProjectFiles } from "../../files/project-files.js";
import { diskFiles, ProjectFileError } from "../../files/project-files.js";
import { loadSettings, type Settings } from "../../hooks/settings/settings.js";
import { joinFlow } from "../../hooks/settings/settings-flow.js";
import type { McpConnection } from "../../mcp/client/connection.js";
import { loadMcpConfig, type McpConfig } from "../../mcp/config/load-mcp-config.js";
import { connectMcp } from "../../mcp/connect-mcp.js";
import { mcpToolCaller } from "../../mcp/tool-caller.js";
import { mcpToolNames, splitMcpToolName } from "../../mcp/tool-name.js";
import { AGENT_DIRECTORIES } from "../../paths/agent-directories.js";
import { trustedFiles } from "../../permissions/flow/trusted-files.js";
import { loadSkills } from "../../skills/load-skills.js";
import type { SkillCatalog } from "../../skills/skill-catalog.js";
import { type LoadedSubagents, loadSubagents } from "../../subagents/load-subagents.js";
import { projectFiles } from "../../workspace/workspace-project-files.js";
import type { OwnServer } from "../agent.js";
import type { AgentProblem, UntrustedPart } from "../agent-problems.js";
import { AgentServers, type ServerRefusal } from "../agent-servers.js";
import { serversOnMachine } from "../machine-servers.js";
import { type AgentOptions, projectPrograms, workspaceIn } from "../options.js";
import { serversOf, subagentsOf, trustedPlugins } from "../plugins/plugin-parts.js";
import { checkSettings } from "../settings-limits.js";
import { problemsOf, untrustedOf } from "./project-findings.js";
import type { Parts, Places, ProjectOptions, ReadServers } from "./project-parts.js";

export function placesOf(root: string, { workspace, home = homedir() }: ProjectOptions): Places {
  const homes = home === null ? [] : [resolve(home)];
  if (typeof workspace === "function") return { dir: homes[0] ?? homedir(), files: noFiles, homes };
  const isElsewhere = workspace !== undefined && !workspace.files.onDisk;
  if (isElsewhere) return { dir: workspace.root, files: projectFiles(workspace), homes };
  return { dir: resolve(root), files: diskFiles, homes };
}

const noFile = async () => {
  throw new ProjectFileError("missing", "it is not there");
};
/** An agent whose sessions have workspaces of their own has no project itself. */
const noFiles: ProjectFiles = { list: async () => [], realPath: noFile, read: noFile };

/** The parts of the files that an agent uses, and those it does not. */
export interface Project {
  readonly files: ProjectFiles;
  /** Files that were left out, since they may have been written from untrusted content. Not without `flow`. */
  readonly leftOut?: Places["leftOut"];
  readonly settings?: Settings | undefined;
  readonly skills?: SkillCatalog | undefined;
  readonly subagents: readonly SubagentDefinition[];
  readonly connections: readonly McpConnection[];
  agentServers(): readonly OwnServer[];
  /** The servers, as rules name them, to which the settings of one session object. */
  serversRefusedBy(settings: Settings | undefined): string[];
  problems(): readonly AgentProblem[];
  untrusted(): readonly UntrustedPart[];
  close(): Promise<void>;
}

/** Reads the files and begins to connect the servers: it waits for none of them. */
export async function openProject(root: string, options: ProjectOptions): Promise<Project> {
  const { subagents = true, mcp = true } = options;
  const connections: McpConnection[] = typeof mcp === "boolean" ? [] : [...mcp];
  // Before anything is started: settings say what must not be.
  const { settings: limits, places } = await readTrusted(placesOf(root, options), connections, options);
  const own: McpConnection[] = [];
  const refusal = limits?.restrictions.serverRefusal;
  const there = mcp === true ? projectPrograms(options) : undefined;
  const agentServers = new AgentServers(connections, places.dir, mcp === true, refusal, there);
  const closeOwn = () => Promise.all([...own, agentServers].map((connection) => connection.close()));
  try {
    if (limits) checkSettings(limits, options);
    const files = mcp === true ? await readServers(places, options, refusal) : [];
    const servers = mcp === true ? [...files, ...trustedPlugins(options).map((each) => serversOf(each, refusal))] : [];
    own.push(...distinct(servers).map((server) => connectMcp(server)));
    connections.push(...own);
    const parts = await readProjectParts(places, options, { settings: limits, agentServers, servers, connections });
    return {
      files: places.files,
      leftOut: places.leftOut,
      settings: parts.settings,
      skills: parts.skills,
      subagents: parts.agents?.subagents ?? (subagents === true ? [] : subagents || []),
      connections,
      agentServers: () => agentServers.list(),
      serversRefusedBy: (own) =>
        [...distinct(servers), ...agentServers.servers()]
          .filter((server) => own && own.restrictions.serverRefusal(server) !== null)
          .map(({ name }) => splitMcpToolName(mcpToolNames(name, ["any"]).get("any")!)!.server),
      problems: () => problemsOf(parts, options),
      untrusted: () => untrustedOf(parts, options),
      async close() {
        await Promise.all([closeOwn(), parts.settings?.close()]);
      },
    };
  } catch (error) {
    await Promise.all([closeOwn(), limits?.close()]);
    throw error;
  }
}

/** Reads the rest of the files, as far as the options want it. */
export async function readProjectParts(
  places: Places,
  options: ProjectOptions,
  known: Pick<Parts, "settings" | "agentServers" | "servers" | "connections">,
  ofAgents = options,
): Promise<Parts> {
  const { skills = true, subagents = true } = options;
  const { settings, agentServers } = known;
  return {
    ...known,
    places,
    skills: skills === false ? undefined : await readSkills(places, options, settings),
    agents: subagents === true ? await readSubagents(places, ofAgents, agentServers, settings) : undefined,
  };
}

/**
 * Settings, and the places of what may configure the agent with them. Where `flow` is on, that is nothing that may have been written from
 * untrusted content: settings that were count as those of a project that is not trusted, so that they still forbid.
 */
export async function readTrusted(places: Places, connections: readonly McpConnection[], options: ProjectOptions) {
  const { settings: wanted = true, permissions, trustProject } = options;
  const settings = wanted ? await readSettings(places, connections, options) : undefined;
  const flow = permissions?.usesLabels ? {} : joinFlow(options.flow, settings?.flow);
  const isOn = permissions ? permissions.usesLabels === true : flow !== undefined && flow !== "off";
  if (!isOn || places.files === noFiles) return { settings, places };
  const place = workspaceIn(options) ?? { root: places.dir, files: { onDisk: true } as const };
  const files = trustedFiles(places.files, place, flow === "off" ? {} : flow);
  const trusted = { ...places, files, leftOut: files.leftOut };
  const areFine = settings && trustProject ? await Promise.all(settings.files.map(isFine)) : [];
  if (areFine.every(Boolean)) return { settings, places: trusted };
  await settings!.close();
  return { settings: await readSettings(places, connections, { ...options, trustProject: false }), places: trusted };

  async function isFine(file: string) {
    const real = await files.realPath(file).catch(() => null);
    return real === null || files.mayFollow!(real);
  }
}

export function readSettings(
  { dir, files }: Places,
  connections: readonly McpConnection[],
  options: ProjectOptions,
): Promise<Settings> {
  const { home, trustProject, provider, env, sessionTitle } = options;
  return loadSettings(dir, {
    files,
    plugins: trustedPlugins(options).flatMap(({ hooks }) => hooks),
    startProgram: projectPrograms(options),
    home,
    trustProject,
    provider,
    env,
    sessionTitle,
    callTool: mcpToolCaller(connections),
    // Faults are listed; a deny rule that cannot be read makes its tool ask.
    onProblem: () => {},
  });
}

/** The project's count before the user's: they know more about the task. */
function readSkills(places: Places, options: ProjectOptions, settings: Settings | undefined): Promise<SkillCatalog> {
  const { skills, trustProject, home } = options;
  const hidden = settings?.restrictions.hiddenSkills;
  if (Array.isArray(skills)) return loadSkills({ skills, home, hidden });
  const dirs = directoriesIn("skills", projectIn(places), ...homesIn(places));
  return loadSkills({
    dirs,
    skills: trustedPlugins(options).flatMap((each) => each.skills),
    trustProject,
    home,
    hidden,
  });
}

async function readSubagents(
  places: Places,
  options: ProjectOptions,
  { connect, connectElsewhere }: AgentServers,
  settings: Settings | undefined,
): Promise<LoadedSubagents> {
  const { trustProject, home, mcp } = options;
  const models = allowedModels(options.models, settings);
  const dirs = directoriesIn("agents", ...homesIn(places), projectIn(places));
  const about = { home, models, connect: mcp === false ? undefined : connect };
  const own = await loadSubagents({ ...about, dirs, trustProject, connectElsewhere });
  const ofPlugins = await Promise.all(trustedPlugins(options).map((plugin) => subagentsOf(plugin, about)));
  const isOwn = (name: string) => own.subagents.some((agent) => agent.name === name);
  return {
    subagents: [...own.subagents, ...ofPlugins.flatMap((each) => each.subagents.filter(({ name }) => !isOwn(name)))],
    untrusted: own.untrusted,
    problems: [...own.problems, ...ofPlugins.flatMap(({ problems }) => problems)],
  };
}

/** The host's models without those that settings forbid: an agent file that names one has its parent's. */
function allowedModels(models: AgentOptions["models"], settings: Settings | undefined): AgentOptions["models"] {
  return (
    models &&
    ((name) => {
      const found = models(name);
      return found && settings?.restrictions.modelRefusal(`${found.id}/${found.model}`) ? undefined : found;
    })
  );
}

export async function readServers(
  places: Places,
  options: ProjectOptions,
  refusal: ServerRefusal,
): Promise<ReadServers[]> {
  const { trustProject, home } = options;
  const { dir, files, homes } = places;
  const own = { path: join(dir, ".mcp.json"), files };
  const users = homes.map((place) => ({ path: join(place, ".loopwright", ".mcp.json"), files: diskFiles }));
  // The first of two with one name counts: another machine's takes the place of none of the user's.
  const all = files.onDisk ? [own, ...users] : [...users, own];
  return Promise.all(
    all.map(async ({ path: file, files }) => {
      const config = await loadMcpConfig(file, { files, trustProject, home, refusal });
      const start = files.onDisk ? undefined : projectPrograms(options);
      return { file, ...(start ? serversOnMachine(file, config, { dir, start, refusal }) : config) };
    }),
  );
}

const projectIn = ({ dir, files }: Places): ProjectDirectory => ({ path: dir, files });
const homesIn = ({ homes, files }: Places): ProjectDirectory[] =>
  homes.map((path) => ({ path, files: files.onDisk ? files : diskFiles }));

/** Each once, also where the project is the user's directory. */
function directoriesIn(name: string, ...places: readonly ProjectDirectory[]): ProjectDirectory[] {
  const distinct = places.filter((place, at) => {
    return !places.slice(0, at).some(({ path, files }) => path === place.path && files === place.files);
  });
  return distinct.flatMap(({ path, files }) =>
    AGENT_DIRECTORIES.map((each) => ({ path: join(path, each, name), files })),
  );
}

/** The servers without duplicates: of two with one name, the project's. */
function distinct(configs: readonly McpConfig[]): McpConfig["servers"][number][] {
  const found = new Map<string, McpConfig["servers"][number]>();
  for (const server of configs.flatMap(({ servers }) => servers)) {
    if (!found.has(server.name)) found.set(server.name, server);
  }
  return [...found.values()];
}
