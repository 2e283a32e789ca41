import { ConfigurationError } from "../../contracts/errors.js";
import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { assertTool } from "./define-tool.js";

/** The tools of an engine, by name, in order of registration. */
export class ToolRegistry implements Registry {
  readonly #tools = new Map<string, BaseTool>();
  readonly #unready = new Set<BaseTool>();
  #definitions: readonly ToolDefinition[] | null = null;
  #list: readonly BaseTool[] | null = null;

  /** @throws ConfigurationError `TOOL_DUPLICATE`, `TOOL_INVALID` */
  constructor(tools: readonly BaseTool[] = []) {
    for (const tool of tools) this.register(tool);
  }

  /** @throws ConfigurationError `TOOL_DUPLICATE`, `TOOL_INVALID` */
  register(tool: BaseTool): this {
    assertTool(tool);
    if (this.#tools.has(tool.name)) {
      throw new ConfigurationError("TOOL_DUPLICATE", {
        message: `There are two tools named "${tool.name}". Rename one, or unregister the other first.`,
        details: { tool: tool.name },
      });
    }
    this.#tools.set(tool.name, tool);
    if (tool.ready) this.#unready.add(tool);
    this.#changed();
    return this;
  }

  /** Returns whether there was such a tool. */
  unregister(name: string): boolean {
    const tool = this.#tools.get(name);
    if (!tool) return false;
    this.#tools.delete(name);
    this.#unready.delete(tool);
    this.#changed();
    return true;
  }

  /** The tool of that name. */
  get(name: string): BaseTool | undefined {
    return this.#tools.get(name);
  }

  /** All tools, in the order they were registered. */
  list(): readonly BaseTool[] {
    this.#list ??= Object.freeze([...this.#tools.values()]);
    return this.#list;
  }

  /** Waits for tools that have something to load before `definitions()`. */
  async ready(): Promise<void> {
    if (this.#unready.size === 0) return;
    await Promise.all(
      [...this.#unready].map(async (tool) => {
        await tool.ready?.();
        this.#unready.delete(tool);
      }),
    );
  }

  /** The definitions the model is sent, in the order of `list()`. */
  definitions(): readonly ToolDefinition[] {
    this.#definitions ??= Object.freeze(this.list().flatMap((tool) => shownToModel(tool)));
    return this.#definitions;
  }

  /** Runs one call without an engine, through the same checks. Failures are results, not exceptions. */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return executeIn(this, call, context);
  }

  #changed(): void {
    this.#definitions = null;
    this.#list = null;
  }
}

function shownToModel(tool: BaseTool): ToolDefinition | readonly [] {
  if (tool.callers?.includes("model") === false) return [];
  const definition = tool.definition();
  const callers = tool.callers?.includes("program") ? { callers: tool.callers } : undefined;
  if (definition?.outputSchema === undefined && !callers) return definition;
  const { outputSchema: _, ...shown } = definition;
  return Object.freeze({ ...shown, ...callers });
}

/** Runs one call of a registry without an engine; the code for that is loaded with the first. Never rejects. */
export async function executeIn(registry: Registry, call: ToolCall, context: ToolContext): Promise<ToolResult> {
  const { runBareCall } = await import("../direct-call.js");
  return runBareCall(registry, call, context);
}
