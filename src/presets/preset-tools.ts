// Tools that several presets have.

import { createCompactTool } from "../compaction/compact-tool.js";
import { createRecallTool } from "../compaction/recall/recall-tool.js";
import { ToolError } from "../contracts/errors.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { createMemoryTools } from "../memory/memory-tools.js";
import { isReadOnlyCommand } from "../permissions/read-only-command.js";
import { createSkillTool } from "../skills/skill-tool.js";
import { createSubagentTools } from "../subagents/subagent-tools.js";
import { builtinTools } from "../tools/builtin-tools.js";
import { createWorkspace } from "../workspace/create-workspace.js";
import type { AgentParts } from "./open-agent.js";
import type { AgentOptions } from "./options.js";

/** The tools for the agent's own context: `compact`, unless nothing compacts, and `recall`. */
export function contextTools({ sessions }: AgentParts, { compaction }: AgentOptions<never>): BaseTool[] {
  const recall = createRecallTool({ sessions });
  return compaction === false ? [recall] : [createCompactTool(), recall];
}

export function skillTools({ workspaces }: AgentParts): readonly BaseTool[] {
  return workspaces.tools(({ project: { skills } }) => (skills ? [createSkillTool(skills)] : []));
}

export function factTools({ facts }: AgentParts): BaseTool[] {
  return facts ? createMemoryTools(facts) : [];
}

/** The tools that spawn sub-agents, for agents that change nothing. */
export function readingSubagentTools({ project }: AgentParts, { subagents }: AgentOptions<never>): BaseTool[] {
  return subagents === false ? [] : createSubagentTools({ subagents: project.subagents });
}

/** The same, with work trees for those that change files beside each other. */
export function subagentTools({ project, workspaces, closers }: AgentParts, options: AgentOptions<never>): BaseTool[] {
  if (options.subagents === false) return [];
  const toolsIn = async (root: string, there?: Workspace) => {
    const tree = there ?? closers.add(await createWorkspace({ root, env: options.env }));
    return builtinTools(tree, { bash: { isReadOnlyCommand } });
  };
  const worktrees = { root: (sessionId: string) => openIn(workspaces.of(sessionId)?.workspace), tools: toolsIn };
  return createSubagentTools({ subagents: project.subagents, worktrees });
}

/** @throws ToolError `TOOL_FAILED` for a session whose workspace is not open */
function openIn(workspace: Workspace | undefined): Workspace {
  if (workspace) return workspace;
  throw new ToolError("TOOL_FAILED", { message: "There are no work trees here: the session's workspace is not open." });
}
