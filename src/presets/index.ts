export type { Agent, AgentPart, AgentProblem, OwnServer, UntrustedPart } from "./agent.js";
export { type CodingAgentOptions, createCodingAgent } from "./coding-agent.js";
export type { AgentOptions } from "./options.js";
export { createReadOnlyAgent, type ReadOnlyAgentOptions } from "./read-only-agent.js";
export { createResearchAgent, type ResearchAgentOptions } from "./research-agent.js";
export type {
  LostWorkspace,
  OpenSessionWorkspace,
  SessionWorkspaceOptions,
  WorkspaceSession,
} from "./workspaces/session-workspace-options.js";
