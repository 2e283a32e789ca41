// Tools that several presets have.

import { createCompactTool } from "../compaction/compact-tool.js";
import { createRecallTool } from "../compaction/recall/recall-tool.js";
import type { BaseTool } from "../contracts/tool.js";
import { createMemoryTools } from "../memory/memory-tools.js";
import { isReadOnlyCommand } from "../permissions/read-only-command.js";
import { createSkillTool } from "../skills/skill-tool.js";
import { createSubagentTools } from "../subagents/subagent-tools.js";
import { builtinTools } from "../tools/builtin-tools.js";
import { createWorkspace } from "../workspace/create-workspace.js";
import type { AgentParts } from "./open-agent.js";
import type { AgentOptions } from "./options.js";

/** The tools for the agent's own context: `compact`, unless nothing compacts, and `recall`. */
export function contextTools({ sessions }: AgentParts, { compaction }: AgentOptions): BaseTool[] {
  const recall = createRecallTool({ sessions });
  return compaction === false ? [recall] : [createCompactTool(), recall];
}

export function skillTools({ project: { skills } }: AgentParts): BaseTool[] {
  return skills ? [createSkillTool(skills)] : [];
}

export function factTools({ facts }: AgentParts): BaseTool[] {
  return facts ? createMemoryTools(facts) : [];
}

/** The tools that spawn sub-agents, for agents that change nothing. */
export function readingSubagentTools({ project }: AgentParts, { subagents }: AgentOptions): BaseTool[] {
  return subagents === false ? [] : createSubagentTools({ subagents: project.subagents });
}

/** The same, with work trees for those that change files beside each other. */
export function subagentTools({ project, workspace, closers }: AgentParts, options: AgentOptions): BaseTool[] {
  if (options.subagents === false) return [];
  const toolsIn = async (root: string) => {
    const tree = closers.add(await createWorkspace({ root, env: options.env }));
    return builtinTools(tree, { bash: { isReadOnlyCommand } });
  };
  const worktrees = { root: workspace.root, tools: toolsIn };
  return createSubagentTools({ subagents: project.subagents, worktrees });
}
