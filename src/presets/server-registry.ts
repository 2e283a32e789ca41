import type { BaseTool, Registry } from "../contracts/tool.js";
import { ToolRegistry } from "../engine/tools/tool-registry.js";
import type { McpConnection } from "../mcp/client/connection.js";
import { createMcpRegistry } from "../mcp/mcp-registry.js";
import { settlesWithin } from "../time/settles-within.js";

/** A server that takes longer joins at a later turn. */
const PATIENCE_MS = 5_000;

/** The agent's own tools and those of its servers. The first run waits a moment for servers that are still starting. */
export function registryWithServers(tools: readonly BaseTool[], connections: readonly McpConnection[]): Registry {
  if (connections.length === 0) return new ToolRegistry(tools);
  return createMcpRegistry(connections, new PatientRegistry(tools, connections));
}

class PatientRegistry extends ToolRegistry {
  #servers: Promise<unknown> | undefined;

  constructor(
    tools: readonly BaseTool[],
    private readonly connections: readonly McpConnection[],
  ) {
    super(tools);
  }

  override async ready(): Promise<void> {
    this.#servers ??= settlesWithin(Promise.allSettled(this.connections.map(({ ready }) => ready)), PATIENCE_MS);
    await Promise.all([super.ready(), this.#servers]);
  }
}
