// The wiring that the presets share: open what an agent stands on, make an engine of it, and close it all in order.
import { createCompactionPipeline } from "../compaction/pipeline.js";
import type { ContextSource } from "../contracts/context.js";
import type { FactStore } from "../contracts/fact.js";
import type { PermissionGate } from "../contracts/permission.js";
import type { SessionStore } from "../contracts/session.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { AgentEngine } from "../engine/engine.js";
import { createMemorySessionStore } from "../engine/transcript/memory-session-store.js";
import type { SettingsProblem } from "../hooks/settings/settings-file.js";
import { mcpInstructions } from "../mcp/instructions-source.js";
import { factSource } from "../memory/fact-source.js";
import { instructionFiles } from "../memory/instruction-files.js";
import { createMemoryFactStore } from "../memory/memory-fact-store.js";
import { createPermissionChecker } from "../permissions/checker.js";
import type { PermissionRules, SourcedRules } from "../permissions/rules/rules.js";
import { createPrices } from "../providers/prices.js";
import type { Agent, AgentProblem } from "./agent.js";
import { openAgentWorkspace, readFileOf } from "./agent-workspace.js";
import { Closers } from "./close-in-order.js";
import { openProject, type Project } from "./configuration-files.js";
import { environmentSource } from "./environment-source.js";
import { mergedHooks } from "./merged-hooks.js";
import { type AgentOptions, engineOptionsOf } from "./options.js";
import { registryWithServers } from "./server-registry.js";
import {
  denyQuestions,
  planSandbox,
  withoutAddedAllows,
  withoutQuestions,
  withRestrictions,
} from "./settings-limits.js";

/** The parts from which the tools of a preset are made. */
export interface AgentParts {
  readonly project: Project;
  readonly workspace: Workspace;
  readonly sessions: SessionStore;
  /** Not without `memory`. */
  readonly facts: FactStore | undefined;
  /** For what tools open: it is closed after the engine. */
  readonly closers: Closers;
}

/** In what one preset differs from another. */
export interface Preset {
  readonly systemPrompt: string;
  tools(parts: AgentParts): readonly BaseTool[];
  /** Beside the rules of host and settings. */
  readonly rules?: PermissionRules;
  /** Around the gate, also around one of the host's own. */
  narrow?(gate: PermissionGate): PermissionGate;
}

/** Opens an agent on a directory. If that fails, what was opened is closed. */
export async function openAgent(root: string, options: AgentOptions, preset: Preset): Promise<Agent> {
  const closers = new Closers();
  try {
    return await wireAgent(root, options, preset, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function wireAgent(root: string, options: AgentOptions, preset: Preset, closers: Closers): Promise<Agent> {
  const { provider, sessions = createMemorySessionStore(), memory = true } = options;
  const project = closers.add(await openProject(root, options));
  const plan = await planSandbox(project.settings, options);
  const workspace = options.workspace ?? closers.add(await openAgentWorkspace(root, project, options, plan));
  const facts = memory === true ? createMemoryFactStore() : memory || undefined;
  const { settings, skills, connections } = project;
  const parts = { project, workspace, sessions, facts, closers: closers.add(new Closers()) };

  const mode = options.mode ?? settings?.mode;
  const checker = options.permissions
    ? undefined
    : createPermissionChecker({
        mode,
        workspace,
        sources: [
          { source: "flag", ...preset.rules },
          ...plan.rules,
          ...sourcedRules(options),
          ...(settings?.sources ?? []),
        ],
      });
  const limits = settings?.restrictions;
  const hosts = options.permissions;
  const own = checker ?? (settings ? withRestrictions(hosts!, settings, workspace) : hosts!);
  const ungated = limits?.onlyManagedAllowRules ? withoutAddedAllows(own) : own;
  const gate = skills?.gate(ungated) ?? ungated;
  const permissions = preset.narrow?.(gate) ?? gate;

  const { tools: given = [] } = options;
  const offered = preset.tools(parts);
  const chosen = typeof given === "function" ? given(offered) : replaced(offered, given);
  const tools = limits?.denyInsteadOfPrompting ? withoutQuestions(chosen) : chosen;
  const { compaction = createCompactionPipeline({ summarizer: provider, readFile: readFileOf(workspace) }) } = options;
  const engine = new AgentEngine({
    ...engineOptionsOf(options),
    approver: limits?.denyInsteadOfPrompting ? denyQuestions : options.approver,
    tools: registryWithServers(tools, connections),
    systemPrompt: options.systemPrompt ?? preset.systemPrompt,
    contextSources: [...contextSourcesOf(parts), ...(options.contextSources ?? [])],
    permissions,
    // The checker knows the mode, so that a session can change it.
    mode: checker ? undefined : mode,
    hooks: mergedHooks(settings?.hooks, options.hooks),
    compaction: compaction || undefined,
    sessions,
    artifacts: options.artifacts ?? workspace.artifacts,
    // A provider that knows its prices is asked itself, also one that a run changes to.
    prices: options.prices ?? (provider.prices ? undefined : createPrices()),
  });
  closers.add(engine);

  return {
    engine,
    workspace,
    sessions,
    facts,
    permissions,
    checker,
    settings,
    skills,
    subagents: project.subagents,
    connections,
    get agentServers() {
      return project.agentServers();
    },
    get problems() {
      return [...project.problems(), ...plan.problems.map(settingsProblem)];
    },
    get untrusted() {
      return project.untrusted();
    },
    close: () => closers.close(),
  };
}

function settingsProblem({ file, line, key, message }: SettingsProblem): AgentProblem {
  return { part: "settings", source: file, line, message: `${key}: ${message}` };
}

function sourcedRules({ rules = [] }: AgentOptions): readonly SourcedRules[] {
  return "length" in rules ? rules : [{ source: "flag", ...rules }];
}

/** The preset's tools, each in its place, and the host's: a host's tool takes the place of the preset's of that name. */
function replaced(offered: readonly BaseTool[], own: readonly BaseTool[]): readonly BaseTool[] {
  const byName = new Map(own.map((tool) => [tool.name, tool]));
  const known = new Set(offered.map(({ name }) => name));
  return [...offered.map((tool) => byName.get(tool.name) ?? tool), ...own.filter(({ name }) => !known.has(name))];
}

/** The sections of every preset's prompt beside its own text: the steadiest first, so that prompt caches keep the most. */
function contextSourcesOf({ project, workspace, facts }: AgentParts): ContextSource[] {
  const { skills, connections } = project;
  return [
    environmentSource(workspace, project.files),
    ...(skills ? [skills.source] : []),
    ...(connections.length > 0 ? [mcpInstructions(connections)] : []),
    ...(facts ? [instructionFiles({ root: workspace.root, files: project.files }), factSource(facts)] : []),
  ];
}
