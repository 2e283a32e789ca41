import { PATH, required } from "../json/check-options.js";
import { isReadOnlyCommand } from "../permissions/shell/read-only-command.js";
import { builtinTools } from "../tools/builtin-tools.js";
import type { Agent } from "./agent.js";
import { openAgent } from "./open-agent.js";
import { type AgentOptions, checkAgentOptions } from "./options.js";
import { contextTools, factTools, skillTools, subagentTools } from "./preset-tools.js";
import { CODING_PROMPT } from "./prompts.js";

/** Options of `createCodingAgent()`. */
export interface CodingAgentOptions<Context = unknown> extends AgentOptions<Context> {
  /** The project: the directory that the agent reads and changes. It has to exist. Default: that of `workspace`; without one it is needed. */
  readonly root?: string | undefined;
}

/**
 * An agent that works on the files of a project: the built-in tools and `web_fetch`, skills, facts, sub-agents with work trees,
 * servers, a compaction pipeline, and a permission checker with the rules of settings.
 *
 * Reading runs; what changes something, runs a program or reaches the network asks the approver, or suspends the run without
 * one. Sessions are in memory unless `sessions` says otherwise. Close the agent when it is not needed any more.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function createCodingAgent<Context = unknown>(options: CodingAgentOptions<Context>): Promise<Agent> {
  checkAgentOptions("createCodingAgent()", options, { root: Object(options).workspace ? PATH : required(PATH) });
  return openAgent(options.root, options, {
    systemPrompt: CODING_PROMPT,
    tools: (parts) => [
      ...parts.workspaces.tools(({ workspace }) =>
        builtinTools(workspace, { bash: { isReadOnlyCommand }, webFetch: {} }),
      ),
      ...contextTools(parts, options),
      ...skillTools(parts),
      ...factTools(parts),
      ...subagentTools(parts, options),
    ],
  });
}
