// The findings about a project's files, part by part.
import type { ProjectFiles } from "../../files/project-files.js";
import type { Settings } from "../../hooks/settings/settings.js";
import type { McpConnection } from "../../mcp/client/connection.js";
import type { McpConfig } from "../../mcp/config/load-mcp-config.js";
import type { LeftOutFile } from "../../permissions/flow/trusted-files.js";
import type { SkillCatalog } from "../../skills/skill-catalog.js";
import type { LoadedSubagents } from "../../subagents/load-subagents.js";
import type { AgentServers } from "../agent-servers.js";
import type { AgentOptions } from "../options.js";

export type ProjectOptions = Partial<AgentOptions<never>>;

/** The project's directory, and the user's on this machine. */
export interface Places {
  readonly dir: string;
  readonly files: ProjectFiles;
  readonly homes: readonly string[];
  /** Where `flow` is on: files that may have been written from untrusted content. */
  readonly leftOut?: (() => readonly LeftOutFile[]) | undefined;
}

export interface Parts {
  readonly places: Places;
  readonly settings: Settings | undefined;
  readonly skills: SkillCatalog | undefined;
  readonly agents: LoadedSubagents | undefined;
  readonly agentServers: AgentServers;
  readonly servers: readonly ReadServers[];
  readonly connections: readonly McpConnection[];
}

export interface ReadServers extends McpConfig {
  readonly file: string;
}
