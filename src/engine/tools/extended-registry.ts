import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { ToolRegistry } from "./tool-registry.js";

/** A registry's tools and some more of one run. Follows the registry when it changes. */
export class ExtendedRegistry implements Registry {
  readonly #base: Registry;
  readonly #extra: ToolRegistry;
  #list: readonly BaseTool[] = [];
  #listOf: readonly BaseTool[] | null = null;
  #definitions: readonly ToolDefinition[] = [];
  #definitionsOf: readonly ToolDefinition[] | null = null;

  /** @throws ConfigurationError `TOOL_DUPLICATE`, `TOOL_INVALID` */
  constructor(base: Registry, extra: readonly BaseTool[]) {
    this.#base = base;
    this.#extra = new ToolRegistry(extra);
    new ToolRegistry([...base.list(), ...extra]);
  }

  /** Adds tools whose names the base does not have. */
  protected extend(tools: readonly BaseTool[]): void {
    for (const tool of tools) this.#extra.register(tool);
    this.#listOf = null;
    this.#definitionsOf = null;
  }

  register(tool: BaseTool): this {
    this.#base.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#base.unregister(name);
  }

  get(name: string): BaseTool | undefined {
    return this.#extra.get(name) ?? this.#base.get(name);
  }

  list(): readonly BaseTool[] {
    const base = this.#base.list();
    if (base !== this.#listOf) this.#list = Object.freeze([...base, ...this.#extra.list()]);
    this.#listOf = base;
    return this.#list;
  }

  async ready(): Promise<void> {
    await (this.#base.ready?.() ?? Promise.all(this.#base.list().map((tool) => tool.ready?.())));
    await this.#extra.ready();
  }

  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    if (this.#extra.get(call.name)) return call;
    const has = (name: string) => this.#extra.get(name) !== undefined || others?.has(name) === true;
    return this.#base.resolve?.(call, { has }) ?? call;
  }

  narrow(pick: (tool: BaseTool) => BaseTool | undefined, isDisallowed: (name: string) => boolean): Registry {
    const picked = (tools: readonly BaseTool[]) => tools.flatMap((tool) => pick(tool) ?? []);
    const base = this.#base.narrow?.(pick, isDisallowed) ?? new ToolRegistry(picked(this.#base.list()));
    return new ExtendedRegistry(base, picked(this.#extra.list()));
  }

  definitions(): readonly ToolDefinition[] {
    const base = this.#base.definitions();
    if (base !== this.#definitionsOf) this.#definitions = Object.freeze([...base, ...this.#extra.definitions()]);
    this.#definitionsOf = base;
    return this.#definitions;
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return (this.#extra.get(call.name) ? this.#extra : this.#base).execute(call, context);
  }
}
