export type { FrontmatterProblem } from "../frontmatter/frontmatter.js";
export type { LoadedSubagent } from "./agent-file.js";
export type { AgentServer, ConnectingAgent, ConnectServers } from "./agent-servers.js";
export { BUILTIN_SUBAGENTS, EXPLORER, GENERAL_PURPOSE } from "./builtin-subagents.js";
export { defineSubagent } from "./define-subagent.js";
export { type LoadedSubagents, type LoadSubagentsOptions, loadSubagents } from "./load-subagents.js";
export { subagentSessionId } from "./subagent-id.js";
export { createSubagentTools, type SubagentToolsOptions } from "./subagent-tools.js";
export type { WorktreeOptions } from "./worktrees/worktree-options.js";
