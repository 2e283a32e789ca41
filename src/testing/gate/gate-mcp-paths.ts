// The ways between this library and other programs: to a tool of an MCP server, and from a client of ours.
import type { BaseTool } from "../../contracts/tool.js";
import { ToolRegistry } from "../../engine/tools/tool-registry.js";
import type { McpConnection } from "../../mcp/client/connection.js";
import { createMcpRegistry } from "../../mcp/mcp-registry.js";
import { createToolSource } from "../../mcp/server/tool-source.js";
import { scripted, text } from "../../providers/scripted/index.js";
import { call, type GatePath, run } from "./gate-drive.js";

export const MCP_PATHS: Readonly<Record<string, GatePath>> = {
  async "a tool of an MCP server"(drive) {
    const provider = scripted([call(drive, drive.input), text("Done.")]);
    await run(drive, provider, { tools: createMcpRegistry([connectionOf(drive.tool)]) });
  },

  async "a client of serveMcp"({ gate, hooks, tool, input }) {
    const approver = () => ({ decision: "allow" as const });
    const source = createToolSource(new ToolRegistry([tool]), { gate, hooks, approver });
    const client = source.openClient("client");
    const signal = new AbortController().signal;
    await client.call({ id: "call_1", name: tool.name, arguments: input }, signal, () => {});
    await client.end();
    await source.close();
  },
};

/** A server that is there, and has one tool. */
function connectionOf(tool: BaseTool): McpConnection {
  const tools = Object.freeze([tool]);
  return {
    name: "server",
    status: "connected",
    ready: Promise.resolve(),
    instructions: undefined,
    problems: [],
    tools: () => tools,
    on: () => () => {},
    call: async () => "",
    resources: async () => [],
    close: async () => {},
  };
}
