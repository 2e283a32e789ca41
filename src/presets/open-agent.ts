// The wiring that the presets share: open what an agent stands on, make an engine of it, and close it all in order.
import type { ContextSource } from "../contracts/context.js";
import type { FactStore } from "../contracts/fact.js";
import type { Hook, HookDispatcher, HookMap, HookPoint } from "../contracts/hook.js";
import type { PermissionMode } from "../contracts/permission.js";
import type { SessionStore } from "../contracts/session.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { AgentEngine } from "../engine/engine.js";
import { createMemorySessionStore } from "../engine/transcript/memory-session-store.js";
import { mcpInstructions } from "../mcp/instructions-source.js";
import { factSource } from "../memory/fact-source.js";
import { instructionFiles } from "../memory/instruction-files.js";
import { createMemoryFactStore } from "../memory/memory-fact-store.js";
import { createPrices } from "../providers/prices.js";
import type { Agent } from "./agent.js";
import { Closers } from "./close-in-order.js";
import { environmentSource } from "./environment-source.js";
import { type AgentOptions, engineOptionsOf, workspaceIn } from "./options.js";
import { allowedFiles } from "./project/allowed-files.js";
import { openProject, type Project } from "./project/configuration-files.js";
import { openSessionProject } from "./project/read-project.js";
import { registryWithServers } from "./server-registry.js";
import { denyQuestions, planSandbox, withoutQuestions, withSessionLimits } from "./settings-limits.js";
import { openAgentWorkspace } from "./workspaces/agent-workspace.js";
import { NO_WORKSPACE, onePerSession } from "./workspaces/per-session.js";
import { type SessionParts, SessionWorkspaces } from "./workspaces/session-workspaces.js";
import {
  type AgentWorkspaces,
  type GateOfPreset,
  MadeTools,
  oneForAll,
  type WorkspaceParts,
  workspaceParts,
} from "./workspaces/workspace-parts.js";

/** The parts from which the tools of a preset are made. */
export interface AgentParts {
  readonly project: Project;
  /** Makes tools that work in a workspace. */
  readonly workspaces: AgentWorkspaces;
  readonly sessions: SessionStore;
  /** Not without `memory`. */
  readonly facts: FactStore | undefined;
  /** For what tools open: it is closed after the engine. */
  readonly closers: Closers;
}

/** In what one preset differs from another. */
interface Preset extends GateOfPreset {
  readonly systemPrompt: string;
  tools(parts: AgentParts): readonly BaseTool[];
}

/** Opens an agent on a directory, or on the workspace that the options have. If that fails, what was opened is closed. */
export async function openAgent(
  root: string | undefined,
  options: AgentOptions<never>,
  preset: Preset,
): Promise<Agent> {
  const closers = new Closers();
  try {
    return await wireAgent(root ?? workspaceIn(options)?.root ?? "/", options, preset, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function wireAgent(root: string, options: AgentOptions<never>, preset: Preset, closers: Closers): Promise<Agent> {
  const { provider, sessions = createMemorySessionStore(), memory = true } = options;
  const project = closers.add(await openProject(root, options));
  const { settings, skills, connections } = project;
  const opened = await openWorkspaces({ root, project, sessions }, options, preset, closers);
  const { workspaces } = opened;
  const facts = memory === true ? createMemoryFactStore() : memory || undefined;
  const parts = { project, workspaces, sessions, facts, closers: closers.add(new Closers()) };
  const { permissions, checker, artifacts } = workspaces;
  const limits = settings?.restrictions;

  const { tools: given = [] } = options;
  const offered = preset.tools(parts);
  const chosen = typeof given === "function" ? given(offered) : replaced(offered, given);
  const tools = limits?.denyInsteadOfPrompting ? withoutQuestions(chosen) : chosen;
  const { compaction = workspaces.compaction } = options;
  const engine = new AgentEngine({
    ...engineOptionsOf(options),
    approver: limits?.denyInsteadOfPrompting ? denyQuestions : options.approver,
    tools: registryWithServers(tools, connections),
    systemPrompt: options.systemPrompt ?? preset.systemPrompt,
    contextSources: [...contextSourcesOf(parts, options), ...(options.contextSources ?? [])],
    permissions,
    // The checker knows the mode, so that a session can change it.
    mode: checker ? undefined : opened.mode,
    hooks: mergedHooks(settings?.hooks, options.hooks),
    compaction: compaction || undefined,
    sessions: opened.sessions,
    artifacts: options.artifacts ?? artifacts,
    // A provider that knows its prices is asked itself, also one that a run changes to.
    prices: options.prices ?? (provider.prices ? undefined : createPrices()),
  });
  closers.add(engine);

  return {
    engine,
    workspace: workspaces.workspace,
    workspaceOf: (sessionId) => workspaces.of(sessionId)?.workspace,
    sessions,
    facts,
    permissions,
    checker,
    settings,
    skills,
    plugins: options.plugins?.plugins ?? [],
    subagents: project.subagents,
    connections,
    get agentServers() {
      return project.agentServers();
    },
    get problems() {
      return workspaces.problems();
    },
    get untrusted() {
      return workspaces.untrusted();
    },
    close: () => closers.close(),
  };
}

interface OpenedWorkspaces {
  readonly workspaces: AgentWorkspaces;
  /** For the engine. */
  readonly sessions: SessionStore;
  readonly mode: PermissionMode | undefined;
}

/** The agent's workspace, or those of its sessions. */
async function openWorkspaces(
  { root, project, sessions }: { readonly root: string; readonly project: Project; readonly sessions: SessionStore },
  options: AgentOptions<never>,
  preset: Preset,
  closers: Closers,
): Promise<OpenedWorkspaces> {
  const plan = await planSandbox(project.settings, options);
  if (typeof options.workspace !== "function") {
    const workspace = options.workspace ?? closers.add(await openAgentWorkspace(root, project, options, plan));
    const workspaces = oneForAll(workspaceParts(workspace, project, plan, options, preset));
    return { workspaces, sessions, mode: options.mode ?? project.settings?.mode };
  }
  const wire = (workspace: Workspace) => wireSession(workspace, project, options, preset);
  const opened = closers.add(new SessionWorkspaces({ ...options.workspaces, sessions, open: options.workspace, wire }));
  const template = workspaceParts(NO_WORKSPACE, project, plan, options, preset);
  return { workspaces: onePerSession(opened, template), sessions: opened.sessions, mode: options.mode };
}

/** The parts of a session for its workspace: the rules, instructions and skills that lie there count for it alone. */
async function wireSession(
  workspace: Workspace,
  agents: Project,
  options: AgentOptions<never>,
  preset: Preset,
): Promise<SessionParts> {
  const own = { ...options, workspace };
  const project = await openSessionProject(workspace, own);
  try {
    const plan = await planSandbox(project.settings, own);
    const refused = { source: "project", deny: agents.serversRefusedBy(project.settings) } as const;
    const parts = workspaceParts(workspace, project, { ...plan, rules: [...plan.rules, refused] }, own, preset);
    const limits = { settings: project.settings, agents: agents.settings, isHosts: !parts.checker };
    const permissions = withSessionLimits(parts.permissions, limits);
    return { ...parts, permissions, made: new MadeTools(), close: () => project.close() };
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** The preset's tools, each in its place, and the host's: a host's tool takes the place of the preset's of that name. */
function replaced(offered: readonly BaseTool[], own: readonly BaseTool[]): readonly BaseTool[] {
  const byName = new Map(own.map((tool) => [tool.name, tool]));
  const known = new Set(offered.map(({ name }) => name));
  return [...offered.map((tool) => byName.get(tool.name) ?? tool), ...own.filter(({ name }) => !known.has(name))];
}

/** The sections of every preset's prompt beside its own text: the steadiest first, so that prompt caches keep the most. */
function contextSourcesOf({ project, workspaces, facts }: AgentParts, options: AgentOptions<never>): ContextSource[] {
  const { otherInstructions: otherAgents } = options;
  const instructionsOf = ({ workspace: { root }, project: { files }, reading }: WorkspaceParts): ContextSource => ({
    id: "instructions",
    load: (run) =>
      instructionFiles({ root, files: allowedFiles(files, reading, run.sessionId), otherAgents }).load(run),
  });
  const { skills, connections } = project;
  return [
    workspaces.source("environment", (own) => environmentSource(own.workspace, own.project.files)),
    ...(skills ? [workspaces.source("skills", (own) => own.project.skills!.source)] : []),
    ...(connections.length > 0 ? [mcpInstructions(connections)] : []),
    ...(facts ? [workspaces.source("instructions", instructionsOf), factSource(facts)] : []),
    ...(workspaces.permissions.usesLabels ? [workspaces.source("left-out", leftOutSource)] : []),
  ];
}

/** Adds nothing, and tells the host which files the sources before it have left out. */
function leftOutSource({ project: { leftOut = () => [] } }: WorkspaceParts): ContextSource {
  return {
    id: "left-out",
    async load({ agentPath, notice }) {
      if (agentPath.length === 0) for (const { path, why } of leftOut()) notice?.(`"${path}" is left out: ${why}.`);
      return null;
    },
  };
}

/** The hooks of settings, then the host's. A dispatcher of the host's own takes the place of both. */
function mergedHooks(
  settings: HookMap | undefined,
  own: HookMap | HookDispatcher | undefined,
): HookMap | HookDispatcher | undefined {
  if (!settings || !own) return own ?? settings;
  if (typeof Reflect.get(own, "run") === "function") return own;
  const merged: { [P in HookPoint]?: Hook[] } = {};
  for (const hooks of [settings, own]) {
    for (const [point, list] of Object.entries(hooks) as [HookPoint, readonly Hook[]][]) {
      merged[point] = [...(merged[point] ?? []), ...list];
    }
  }
  return merged as HookMap;
}
