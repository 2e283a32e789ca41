export type { Agent, OwnServer } from "./agent.js";
export type { AgentPart, AgentProblem, UntrustedPart } from "./agent-problems.js";
export { type CodingAgentOptions, createCodingAgent } from "./coding-agent.js";
export type { AgentOptions } from "./options.js";
export {
  type LoadedPlugins,
  type LoadPluginsOptions,
  loadPlugins,
  type Plugin,
  type PluginPart,
} from "./plugins/load-plugins.js";
export { createReadOnlyAgent, type ReadOnlyAgentOptions } from "./read-only-agent.js";
export { createResearchAgent, type ResearchAgentOptions } from "./research-agent.js";
export type {
  LostWorkspace,
  OpenSessionWorkspace,
  SessionWorkspaceOptions,
  WorkspaceSession,
} from "./workspaces/session-workspace-options.js";
