// The parts that the user's and the project's files bring to an agent: settings, skills, sub-agents and servers. Nothing in a file
// makes it throw, and what a project asks for without being trusted is listed and not used.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { ProjectDirectory, ProjectFiles } from "../files/project-files.js";
import { diskFiles, ProjectFileError } from "../files/project-files.js";
import { loadSettings, type Settings } from "../hooks/settings/settings.js";
import type { SettingsProblem } from "../hooks/settings/settings-file.js";
import type { McpConnection } from "../mcp/client/connection.js";
import { loadMcpConfig, type McpConfig } from "../mcp/config/load-mcp-config.js";
import { connectMcp } from "../mcp/connect-mcp.js";
import { mcpToolCaller } from "../mcp/tool-caller.js";
import { mcpToolNames, splitMcpToolName } from "../mcp/tool-name.js";
import { AGENT_DIRECTORIES } from "../paths/agent-directories.js";
import { isInside } from "../paths/inside.js";
import { loadSkills } from "../skills/load-skills.js";
import type { SkillCatalog } from "../skills/skill-catalog.js";
import { type LoadedSubagents, loadSubagents } from "../subagents/load-subagents.js";
import { projectFiles } from "../workspace/project-files.js";
import type { AgentProblem, OwnServer, UntrustedPart } from "./agent.js";
import { AgentServers, type ServerRefusal } from "./agent-servers.js";
import { serversOnMachine } from "./machine-servers.js";
import { type AgentOptions, projectPrograms } from "./options.js";
import { checkSettings } from "./settings-limits.js";

export type ProjectOptions = Partial<AgentOptions<never>>;

/** The project's directory, and the user's on this machine. */
export interface Places {
  readonly dir: string;
  readonly files: ProjectFiles;
  readonly homes: readonly string[];
}

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
  const { settings = true, subagents = true, mcp = true } = options;
  const places = placesOf(root, options);
  const connections: McpConnection[] = typeof mcp === "boolean" ? [] : [...mcp];
  // Before anything is started: settings say what must not be.
  const limits = settings ? await readSettings(places, connections, options) : undefined;
  const own: McpConnection[] = [];
  const refusal = limits?.restrictions.serverRefusal;
  const there = mcp === true ? projectPrograms(options) : undefined;
  const agentServers = new AgentServers(connections, places.dir, mcp === true, refusal, there);
  const closeOwn = () => Promise.all([...own, agentServers].map((connection) => connection.close()));
  try {
    if (limits) checkSettings(limits, options);
    const servers = mcp === true ? await readServers(places, options, refusal) : [];
    own.push(...distinct(servers).map((server) => connectMcp(server)));
    connections.push(...own);
    const parts = await readProjectParts(places, options, { settings: limits, agentServers, servers, connections });
    return {
      files: places.files,
      settings: parts.settings,
      skills: parts.skills,
      subagents: parts.agents?.subagents ?? (subagents === true ? [] : subagents || []),
      connections,
      agentServers: () => agentServers.list(),
      serversRefusedBy: (own) =>
        [...distinct(servers), ...agentServers.servers()]
          .filter((server) => own && own.restrictions.serverRefusal(server) !== null)
          .map(({ name }) => splitMcpToolName(mcpToolNames(name, ["any"]).get("any")!)!.server),
      problems: () => problemsOf(parts),
      untrusted: () => untrustedOf(parts),
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

interface Parts {
  readonly places: Places;
  readonly settings: Settings | undefined;
  readonly skills: SkillCatalog | undefined;
  readonly agents: LoadedSubagents | undefined;
  readonly agentServers: AgentServers;
  readonly servers: readonly ReadServers[];
  readonly connections: readonly McpConnection[];
}

interface ReadServers extends McpConfig {
  readonly file: string;
}

export function readSettings(
  { dir, files }: Places,
  connections: readonly McpConnection[],
  options: ProjectOptions,
): Promise<Settings> {
  const { home, trustProject, provider, env } = options;
  return loadSettings(dir, {
    files,
    startProgram: projectPrograms(options),
    home,
    trustProject,
    provider,
    env,
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
  return loadSkills({ dirs, trustProject, home, hidden });
}

function readSubagents(
  places: Places,
  options: ProjectOptions,
  { connect, connectElsewhere }: AgentServers,
  settings: Settings | undefined,
): Promise<LoadedSubagents> {
  const { trustProject, home, mcp } = options;
  const models = allowedModels(options.models, settings);
  const dirs = directoriesIn("agents", ...homesIn(places), projectIn(places));
  return loadSubagents({
    dirs,
    trustProject,
    home,
    models,
    connect: mcp === false ? undefined : connect,
    connectElsewhere,
  });
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
  // Of two of one name the first counts: another machine's takes the place of none of the user's.
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
const homesIn = ({ homes }: Places): ProjectDirectory[] => homes.map((path) => ({ path, files: diskFiles }));

/** Each once, also where the project is the user's directory. */
function directoriesIn(name: string, ...places: readonly ProjectDirectory[]): ProjectDirectory[] {
  const distinct = places.filter((place, at) => {
    return !places.slice(0, at).some(({ path, files }) => path === place.path && files === place.files);
  });
  return distinct.flatMap(({ path, files }) =>
    AGENT_DIRECTORIES.map((each) => ({ path: join(path, each, name), files })),
  );
}

/** Of two servers of one name, the project's. */
function distinct(configs: readonly McpConfig[]): McpConfig["servers"][number][] {
  const found = new Map<string, McpConfig["servers"][number]>();
  for (const server of configs.flatMap(({ servers }) => servers)) {
    if (!found.has(server.name)) found.set(server.name, server);
  }
  return [...found.values()];
}

export function problemsOf({ settings, skills, agents, agentServers, servers, connections }: Parts): AgentProblem[] {
  const inFile = (part: AgentProblem["part"], problems: readonly SettingsProblem[] = []) =>
    problems.map(({ file, line, key, message }) => ({
      part,
      source: file,
      line,
      message: key ? `${key}: ${message}` : message,
    }));
  const inServers = servers.flatMap(({ problems }) => problems);
  return [
    ...inFile("settings", settings?.problems),
    ...inFile(
      "settings",
      settings?.unsupported.map((setting) => ({ ...setting, message: setting.why })),
    ),
    ...inFile("skills", skills?.problems),
    ...inFile("subagents", agents?.problems),
    ...inFile(
      "mcp",
      inServers.map((each) => ({ ...each, key: [each.server, each.field].filter(Boolean).join(".") })),
    ),
    ...connections
      .filter(({ status }) => status !== "connecting")
      .flatMap(({ name, problems }) => problems.map((message) => ({ part: "mcp" as const, source: name, message }))),
    ...agentServers.problems().map((problem) => ({ part: "mcp" as const, ...problem })),
  ];
}

export function untrustedOf({ places, settings, skills, agents, agentServers, servers }: Parts): UntrustedPart[] {
  const isElsewhere = (file: string) => !places.files.onDisk && isInside(file, places.dir);
  return [
    ...(settings?.untrusted ?? []).map(({ file, key, value }) => {
      return { part: "settings" as const, source: file, what: `${key}: ${JSON.stringify(value)}` };
    }),
    ...(skills?.untrusted ?? []).map(({ name, file }) => ({ part: "skills" as const, source: file ?? "", what: name })),
    ...(skills?.skills ?? []).flatMap(({ name, file, isTrusted, allowedTools }) => {
      const what = `${name}: allowed-tools: ${allowedTools.join(", ")}`;
      return isTrusted || allowedTools.length === 0 ? [] : [{ part: "skills" as const, source: file ?? "", what }];
    }),
    ...[...(agents?.untrusted ?? []), ...(agents?.subagents ?? [])].flatMap((agent) => {
      const { name, file, servers = [] } = agent;
      const isStarted =
        agentServers.startThere !== undefined && isElsewhere(file) && !agents?.untrusted.includes(agent);
      const asking = servers.filter(({ entry }) => entry && !(isStarted && "command" in entry));
      const own = asking.map(({ name, entry = {} }) => `${name}: ${addressIn(entry)}`);
      // Of another machine's agents that are used, the servers are not.
      const isListed = agents?.untrusted.includes(agent) || (own.length > 0 && isElsewhere(file));
      return isListed ? [{ part: "subagents" as const, source: file, what: [name, ...own].join(" · ") }] : [];
    }),
    ...servers.flatMap(({ file, untrusted }) =>
      untrusted.map((server) => ({
        part: "mcp" as const,
        source: file,
        what: `${server.name}: ${addressIn({ ...server })}`,
      })),
    ),
  ];
}

/** Without its variables and headers, which may be secrets. */
function addressIn({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return [url ?? command ?? "", ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}
