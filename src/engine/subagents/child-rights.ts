// The rights of a child: never more than its parent's.
import type { PermissionDecision, PermissionGate } from "../../contracts/permission.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import { stricterHints } from "../../labels/read-label.js";
import { readDecision } from "../calls/permission/gate.js";
import { ExtendedRegistry } from "../tools/extended-registry.js";
import { ToolRegistry } from "../tools/tool-registry.js";

/** The most turns of a sub-agent whose definition does not set `maxTurns`. */
export const DEFAULT_CHILD_TURNS = 20;

/** The greatest depth of sub-agents for a tool that does not set `spawns.maxDepth`. */
export const DEFAULT_MAX_DEPTH = 1;

type ToolRights = Pick<BaseTool, "name" | "permission" | "spawns">;

/** The tools of the vendor's server that a child may use: those its parent may, and its definition lets it have. */
export function serverToolRights(
  parents: ((name: string) => boolean) | undefined,
  definition: SubagentDefinition,
  depth: number,
): (name: string) => boolean {
  // A server that is offered as a whole can call each of its tools.
  const isForbiddenInPart = (name: string) => definition.disallowedTools?.some((each) => each.startsWith(`${name}__`));
  return (name) =>
    parents?.(name) !== false && mayUse({ name, permission: "execute" }, definition, depth) && !isForbiddenInPart(name);
}

/** Whether a child at `depth`, 1 being the main agent's, may use a tool of its parent. */
export function mayUse(tool: ToolRights, definition: SubagentDefinition, depth: number): boolean {
  const { tools, disallowedTools, readOnly } = definition;
  if (tool.spawns && depth >= tool.spawns.maxDepth) return false;
  if (readOnly && tool.permission !== "none" && tool.permission !== "read_only") return false;
  if (tools && !isNamed(tool.name, tools)) return false;
  return !disallowedTools || !isNamed(tool.name, disallowedTools);
}

/** The name of a server, as `mcp__github`, means all of its tools. */
function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((each) => {
    if (each.endsWith("*")) return name.startsWith(each.slice(0, -1));
    return each === name || (each.startsWith("mcp__") && name.startsWith(`${each}__`));
  });
}

/** The tools of a child: of its parent's, and its own. */
export function childRegistry(
  parent: Registry,
  definition: SubagentDefinition,
  depth: number,
  instead: readonly BaseTool[] = [],
): Registry {
  const inherited = inheritedTools(parent, definition, depth, instead);
  if (!definition.ownTools) return inherited;
  const ofOwn = { ...definition, tools: undefined };
  return new RegistryWithOwnTools(inherited, definition.ownTools, (tool) => mayUse(tool, ofOwn, depth));
}

/** The parent's registry itself where it is a plain one and the child may use all of it. */
function inheritedTools(
  parent: Registry,
  definition: SubagentDefinition,
  depth: number,
  instead: readonly BaseTool[],
): Registry {
  const instance = (tool: BaseTool) => instead.find(({ name }) => name === tool.name) ?? tool;
  if (parent.narrow) {
    const pick = (tool: BaseTool) => (mayUse(tool, definition, depth) ? instance(tool) : undefined);
    return parent.narrow(pick, (name) => isNamed(name, definition.disallowedTools ?? []));
  }
  const all = parent.list();
  const allowed = all.filter((tool) => mayUse(tool, definition, depth));
  if (allowed.length === all.length && instead.length === 0) return parent;
  return new ToolRegistry(allowed.map(instance));
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** Both gates are asked; the stricter decision counts, and one that throws denies. */
export function stricterOf(parent: PermissionGate, child: PermissionGate): PermissionGate {
  return {
    usesLabels: parent.usesLabels === true || child.usesLabels === true,
    async decide(request): Promise<PermissionDecision> {
      const [first, second] = (await Promise.all([parent.decide(request), child.decide(request)])).map(readDecision);
      const stricter = STRICTNESS[second!.behavior] > STRICTNESS[first!.behavior] ? second! : first!;
      const provisional = first!.provisional || second!.provisional;
      const label = stricterHints(first!.label, second!.label);
      return provisional || label
        ? { ...stricter, ...(provisional && { provisional }), ...(label && { label }) }
        : stricter;
    },
    async remember(updates, about) {
      await parent.remember?.(updates, about);
      await child.remember?.(updates, about);
    },
  };
}

/** A fork is shown all of its parent's tools, so that the request's beginning stays the same; here it may not use them all. */
export function forkGate(registry: Registry, definition: SubagentDefinition, depth: number): PermissionGate {
  return {
    decide({ tool }): PermissionDecision {
      const name = typeof tool === "string" ? tool : tool.name;
      const known: ToolRights | undefined = registry.get(name) ?? (typeof tool === "string" ? undefined : tool);
      if (known && mayUse(known, definition, depth)) return { behavior: "allow" };
      return { behavior: "deny", reason: `You are the sub-agent "${definition.name}", which may not use "${name}".` };
    },
  };
}

type OwnTools = NonNullable<SubagentDefinition["ownTools"]>;

/** The parent's tools that a child may use and, once they are loaded, its own. A parent's tool of the same name comes first. */
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
