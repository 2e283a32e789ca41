import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import { ExtendedRegistry } from "../tools/extended-registry.js";
import { ToolRegistry } from "../tools/tool-registry.js";

type OwnTools = NonNullable<SubagentDefinition["ownTools"]>;

/** What a child may use of its parent's tools and, once it is ready, its own. A parent's tool of the same name comes first. */
export class RegistryWithOwnTools extends ExtendedRegistry {
  #isLoaded = false;

  constructor(
    private readonly parents: Registry,
    private readonly load: OwnTools,
    private readonly mayUse: (tool: BaseTool) => boolean,
  ) {
    super(parents, []);
  }

  /** Throws what loading throws: the run fails. */
  override async ready(): Promise<void> {
    if (!this.#isLoaded) {
      const own = new ToolRegistry((await this.load()) as readonly BaseTool[]).list();
      this.#isLoaded = true;
      this.extend(own.filter((tool) => this.parents.get(tool.name) === undefined && this.mayUse(tool)));
    }
    await super.ready();
  }
}
