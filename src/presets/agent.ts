import type { FactStore } from "../contracts/fact.js";
import type { PermissionGate } from "../contracts/permission.js";
import type { SessionStore } from "../contracts/session.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { Workspace } from "../contracts/workspace.js";
import type { AgentEngine } from "../engine/engine.js";
import type { Settings } from "../hooks/settings/settings.js";
import type { McpConnection } from "../mcp/client/connection.js";
import type { PermissionChecker } from "../permissions/checker.js";
import type { SkillCatalog } from "../skills/skill-catalog.js";
import type { AgentProblem, UntrustedPart } from "./agent-problems.js";
import type { Plugin } from "./plugins/load-plugins.js";

/** A server that agent files bring along. */
export interface OwnServer {
  readonly name: string;
  /** The agents whose files bring it. */
  readonly agents: readonly string[];
  /** Not before the first of them has started. */
  readonly connection?: McpConnection | undefined;
}

/** An engine with everything that was wired to it. */
export interface Agent {
  readonly engine: AgentEngine;
  /** With a workspace per session, one that fails whatever it is asked. */
  readonly workspace: Workspace;
  /** The workspace of a session: the agent's, or the session's own while that is open. */
  workspaceOf(sessionId: string): Workspace | undefined;
  readonly sessions: SessionStore;
  /** The store of facts; not without `memory`. */
  readonly facts?: FactStore | undefined;
  /** The gate of the engine, with what skills add. */
  readonly permissions: PermissionGate;
  /** The checker behind the gate, to explain decisions and to switch modes; not with a gate of the host's own. */
  readonly checker?: PermissionChecker | undefined;
  readonly settings?: Settings | undefined;
  readonly skills?: SkillCatalog | undefined;
  /** The plugins of the option, trusted or not. */
  readonly plugins: readonly Plugin[];
  /** The sub-agents that files or the host define; the built-in ones are there beside them. */
  readonly subagents: readonly SubagentDefinition[];
  readonly connections: readonly McpConnection[];
  /** The servers of agents' own, as they are now. */
  readonly agentServers: readonly OwnServer[];
  /** As it is now: servers come and go, and skills are read again when a run begins. */
  readonly problems: readonly AgentProblem[];
  readonly untrusted: readonly UntrustedPart[];
  /** Ends runs, commands, servers and hooks, and removes temporary files. Safe to call twice. */
  close(): Promise<void>;
}
