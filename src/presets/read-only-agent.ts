import type { PermissionGate, ToolPermission } from "../contracts/permission.js";
import { PATH, required } from "../json/check-options.js";
import { builtinTools } from "../tools/builtin-tools.js";
import type { Agent } from "./agent.js";
import { openAgent } from "./open-agent.js";
import { type AgentOptions, checkAgentOptions } from "./options.js";
import { contextTools, factTools, readingSubagentTools, skillTools } from "./preset-tools.js";
import { READ_ONLY_PROMPT } from "./prompts.js";

/** Options of `createReadOnlyAgent()`. */
export interface ReadOnlyAgentOptions<Context = unknown> extends AgentOptions<Context> {
  /** The project: the directory that the agent reads. It has to exist. Default: that of `workspace`; without one it is needed. */
  readonly root?: string | undefined;
}

/**
 * An agent that answers questions about a project and can change nothing: no rule, mode, approver or added tool makes a call
 * run that writes a file, runs a program or reaches the network. Servers are not connected unless `mcp` is `true`, and only
 * hooks run programs.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function createReadOnlyAgent<Context = unknown>(options: ReadOnlyAgentOptions<Context>): Promise<Agent> {
  checkAgentOptions("createReadOnlyAgent()", options, { root: Object(options).workspace ? PATH : required(PATH) });
  const reading = { ...options, mcp: options.mcp ?? false };
  return openAgent(options.root, reading, {
    systemPrompt: READ_ONLY_PROMPT,
    tools: (parts) =>
      [
        ...parts.workspaces.tools(({ workspace }) => builtinTools(workspace)),
        ...contextTools(parts, options),
        ...skillTools(parts),
        ...factTools(parts),
        ...readingSubagentTools(parts, options),
      ].filter(({ permission }) => isReading(permission)),
    narrow: onlyReading,
  });
}

function isReading(permission: ToolPermission): boolean {
  return permission === "none" || permission === "read_only";
}

/** The gate, asked only about calls of tools that change nothing. */
function onlyReading(inner: PermissionGate): PermissionGate {
  return {
    usesLabels: inner.usesLabels,
    understandsAddedRules: inner.understandsAddedRules,
    decide(request) {
      const { tool } = request;
      if (typeof tool !== "string" && isReading(tool.permission)) return inner.decide(request);
      const name = typeof tool === "string" ? tool : tool.name;
      return { behavior: "deny", reason: `This agent can only read, so "${name}" was not run.` };
    },
    ...(inner.remember && { remember: inner.remember.bind(inner) }),
  };
}
