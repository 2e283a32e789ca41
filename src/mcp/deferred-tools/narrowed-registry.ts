import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { executeIn } from "../../engine/tools/tool-registry.js";

/** The tools of another registry that an agent may use; changes of that registry are followed: for each of its tools, that tool, another one, or nothing. */
export class NarrowedRegistry implements Registry {
  readonly #whole: Registry;
  readonly #pick: (tool: BaseTool) => BaseTool | undefined;
  #readOf: readonly ToolDefinition[] | undefined;
  #list: readonly BaseTool[] = [];
  #definitions: readonly ToolDefinition[] = [];

  constructor(whole: Registry, pick: (tool: BaseTool) => BaseTool | undefined) {
    this.#whole = whole;
    this.#pick = pick;
  }

  register(tool: BaseTool): this {
    this.#whole.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#whole.unregister(name);
  }

  get(name: string): BaseTool | undefined {
    const tool = this.#whole.get(name);
    return tool && this.#pick(tool);
  }

  list(): readonly BaseTool[] {
    return this.#read().#list;
  }

  definitions(): readonly ToolDefinition[] {
    return this.#read().#definitions;
  }

  ready(): Promise<void> {
    return readyIn(this.#whole);
  }

  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    return this.#whole.resolve?.(call, others) ?? call;
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return executeIn(this, call, context);
  }

  #read(): this {
    const all = this.#whole.definitions();
    if (all === this.#readOf) return this;
    this.#readOf = all;
    this.#list = Object.freeze(this.#whole.list().flatMap((tool) => this.#pick(tool) ?? []));
    const names = new Set(this.#list.map(({ name }) => name));
    this.#definitions = Object.freeze(all.filter(({ name }) => names.has(name)));
    return this;
  }
}

/** Waits for the tools of a registry, and for others beside them, that have something to load. */
export async function readyIn(registry: Registry, others: readonly BaseTool[] = []): Promise<void> {
  const own = registry.ready ? [registry.ready()] : registry.list().map((tool) => tool.ready?.());
  await Promise.all([...own, ...others.map((tool) => tool.ready?.())]);
}
