import { ConfigurationError } from "../contracts/errors.js";
import type { BaseTool, Registry, ToolContext } from "../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../contracts/tool-call.js";
import { executeIn, ToolRegistry } from "../engine/tools/tool-registry.js";
import { checkOptions, listOf, type OptionTable, required, withMethods } from "../json/check-options.js";
import type { McpConnection } from "./client/connection.js";
import { mcpDisconnected } from "./client/mcp-errors.js";
import { mcpToolNames } from "./tool-name.js";

interface Given {
  readonly connections: readonly McpConnection[];
  readonly base: Registry | undefined;
}

const OPTIONS = {
  connections: required(listOf(withMethods("tools", "on"), "connections, as of connectMcp()")),
  base: withMethods("register", "list", "definitions", "execute"),
} satisfies OptionTable<Given>;

/**
 * A registry of the tools of `base`, then those of each connection, as they are at the moment: a list that changes, or a
 * server that joins late, reaches a running engine at its next turn. No run waits for a server.
 *
 * The first of two tools with one name counts. `base` may be changed directly, or through the registry.
 *
 * @throws ConfigurationError `OPTION_INVALID`, also for two connections of one name
 */
export function createMcpRegistry(
  connections: readonly McpConnection[],
  base: Registry = new ToolRegistry(),
): Registry {
  checkOptions("createMcpRegistry()", { connections, base }, OPTIONS);
  const names = connections.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `createMcpRegistry() got two connections named "${twice}". Give one of them another name.`,
      details: { option: "connections" },
    });
  }
  return new McpRegistry([...connections], base);
}

class McpRegistry implements Registry {
  readonly #connections: readonly McpConnection[];
  readonly #base: Registry;
  #parts: readonly (readonly BaseTool[])[] = [];
  #tools: ReadonlyMap<string, BaseTool> = new Map();
  #list: readonly BaseTool[] = [];
  #definitions: readonly ToolDefinition[] | null = null;

  constructor(connections: readonly McpConnection[], base: Registry) {
    this.#connections = connections;
    this.#base = base;
  }

  register(tool: BaseTool): this {
    this.#base.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#base.unregister(name);
  }

  get(name: string): BaseTool | undefined {
    this.#follow();
    return this.#tools.get(name);
  }

  list(): readonly BaseTool[] {
    this.#follow();
    return this.#list;
  }

  async ready(): Promise<void> {
    await (this.#base.ready?.() ?? Promise.all(this.#base.list().map((tool) => tool.ready?.())));
  }

  /** A model may remember a tool of a server that is not there yet. @throws ToolError `MCP_DISCONNECTED` */
  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    const resolved = this.#base.resolve?.(call, others) ?? call;
    if (this.get(resolved.name)) return resolved;
    const server = this.#connections.find(({ name }) => resolved.name.startsWith(prefixOf(name)));
    if (server && server.status !== "connected") {
      throw mcpDisconnected(
        server.name,
        `${server.problems[0] ?? ""} Its tools are not known yet; try again in a moment.`,
      );
    }
    return resolved;
  }

  definitions(): readonly ToolDefinition[] {
    this.#follow();
    this.#definitions ??= Object.freeze(this.#list.map((tool) => tool.definition()));
    return this.#definitions;
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return executeIn(this, call, context);
  }

  /** Looks whether a list is another one: each stays the same array until it changes. */
  #follow(): void {
    const parts = [this.#base.list(), ...this.#connections.map((connection) => connection.tools())];
    if (parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index])) return;
    const tools = new Map<string, BaseTool>();
    for (const tool of parts.flat()) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    this.#parts = parts;
    this.#tools = tools;
    this.#list = Object.freeze([...tools.values()]);
    this.#definitions = null;
  }
}

/** The beginning of the names of a server's tools. */
function prefixOf(server: string): string {
  return (mcpToolNames(server, ["x"]).get("x") ?? "").slice(0, -1);
}
