import type { ContextSource } from "../contracts/context.js";
import { mcpInstructions } from "../mcp/instructions-source.js";
import { factSource } from "../memory/fact-source.js";
import { instructionFiles } from "../memory/instruction-files.js";
import { environmentSource } from "./environment-source.js";
import type { AgentParts } from "./open-agent.js";

/** What the prompt of every preset says beside its own text: the steadiest first, so that prompt caches keep the most. */
export function contextSourcesOf({ project, workspace, facts }: AgentParts): ContextSource[] {
  const { skills, connections } = project;
  return [
    environmentSource(workspace.root, workspace.temporaryDirectory !== undefined),
    ...(skills ? [skills.source] : []),
    ...(connections.length > 0 ? [mcpInstructions(connections)] : []),
    ...(facts ? [instructionFiles({ root: workspace.root }), factSource(facts)] : []),
  ];
}
