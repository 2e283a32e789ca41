import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { ExtendedRegistry } from "../tools/extended-registry.js";
import { ToolRegistry } from "../tools/tool-registry.js";

type OwnTools = NonNullable<SubagentDefinition["ownTools"]>;

/** What a child may use of its parent's tools and, once it is ready, its own. A parent's tool of the same name comes first. */
export class RegistryWithOwnTools implements Registry {
  #whole: Registry;
  #isLoaded = false;

  constructor(
    base: Registry,
    private readonly load: OwnTools,
    private readonly mayUse: (tool: BaseTool) => boolean,
  ) {
    this.#whole = base;
  }

  register(tool: BaseTool): this {
    this.#whole.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#whole.unregister(name);
  }

  get(name: string): BaseTool | undefined {
    return this.#whole.get(name);
  }

  list(): readonly BaseTool[] {
    return this.#whole.list();
  }

  /** Throws what loading throws: the run fails. */
  async ready(): Promise<void> {
    if (!this.#isLoaded) {
      const own = new ToolRegistry((await this.load()) as readonly BaseTool[]).list();
      const base = this.#whole;
      const added = own.filter((tool) => base.get(tool.name) === undefined && this.mayUse(tool));
      this.#isLoaded = true;
      if (added.length > 0) this.#whole = new ExtendedRegistry(base, added);
    }
    await (this.#whole.ready?.() ?? Promise.all(this.#whole.list().map((tool) => tool.ready?.())));
  }

  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    return this.#whole.resolve?.(call, others) ?? call;
  }

  narrow(pick: (tool: BaseTool) => BaseTool | undefined, isDisallowed: (name: string) => boolean): Registry {
    const picked = this.#whole.narrow?.(pick, isDisallowed);
    return picked ?? new ToolRegistry(this.#whole.list().flatMap((tool) => pick(tool) ?? []));
  }

  definitions(): readonly ToolDefinition[] {
    return this.#whole.definitions();
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return this.#whole.execute(call, context);
  }
}
