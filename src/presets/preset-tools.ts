// Tools that several presets have.

import { createCompactTool } from "../compaction/compact-tool.js";
import { createRecallTool } from "../compaction/recall/recall-tool.js";
import { ToolError } from "../contracts/errors.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { createMemoryTools } from "../memory/memory-tools.js";
import { isReadOnlyCommand } from "../permissions/shell/read-only-command.js";
import { createSkillTool } from "../skills/skill-tool.js";
import { createSubagentTools } from "../subagents/subagent-tools.js";
import { quoteName } from "../text/quote-name.js";
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
  const toolsIn = async (root: string) => {
    const tree = closers.add(await createWorkspace({ root, env: options.env }));
    return builtinTools(tree, { bash: { isReadOnlyCommand } });
  };
  const rootOf = (sessionId: string) => rootOnDisk(workspaces.of(sessionId)?.workspace);
  const worktrees = { root: rootOf, tools: toolsIn };
  return createSubagentTools({ subagents: project.subagents, worktrees });
}

/** @throws ToolError `TOOL_FAILED` where git of this machine would be run in a directory of another one */
function rootOnDisk(workspace: Workspace | undefined): string {
  if (workspace?.files.onDisk) return workspace.root;
  const where = workspace ? `${quoteName(workspace.root)} is not a directory of this machine's disk` : "it is not open";
  throw new ToolError("TOOL_FAILED", {
    message: `There are no work trees in this workspace: ${where}. Leave out isolation: the sub-agent works in the workspace itself.`,
  });
}
