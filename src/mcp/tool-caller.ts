import { ToolError } from "../contracts/errors.js";
import type { JsonObject } from "../contracts/json.js";
import { checkOptions, listOf, required, withMethods } from "../json/check-options.js";
import type { McpConnection } from "./client/connection.js";

/** Calls a tool of a connected server by the names the server has for itself and its tool. */
export type CallMcpTool = (
  call: { readonly server: string; readonly tool: string; readonly input: JsonObject },
  context: { readonly signal: AbortSignal },
) => Promise<string>;

/**
 * The `callTool` of `loadSettings`: hooks of the type `mcp_tool` then call tools of these servers. Such a call is the
 * host's own, as a hook is: it goes through no gate.
 *
 * The returned function rejects with a `ToolError` when the server is not there, or the call fails.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function mcpToolCaller(connections: readonly McpConnection[]): CallMcpTool {
  const rule = required(listOf(withMethods("tools", "on", "call"), "connections, as of connectMcp()"));
  checkOptions("mcpToolCaller()", { connections }, { connections: rule });
  return async ({ server, tool, input }, { signal }) => {
    const connection = connections.find(({ name }) => name === server);
    if (connection) return connection.call(tool, input, { signal });
    const known = connections.map(({ name }) => `"${name}"`).join(", ") || "none";
    throw new ToolError("MCP_FAILED", { message: `There is no MCP server "${server}". Connected are: ${known}.` });
  };
}
