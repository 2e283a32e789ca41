// The tools that programs may call, and the names under which they find them.
import type { BaseTool, Registry } from "../contracts/tool.js";
import type { ToolDefinition } from "../contracts/tool-call.js";
import { RUN_PROGRAM } from "../json/program-source.js";
import { ToolFinder } from "../mcp/deferred-tools/tool-finder.js";
import { declarationOf, isIdentifier } from "./declaration.js";

export const SEARCH_TOOLS = "searchTools";
export const DESCRIBE_TOOL = "describeTool";

/** They concern the conversation, or are ways to call other tools. */
const OF_THE_MODEL = new Set(["ask_user", "compact", "todo_write"]);
const WAYS_TO_CALL = new Set([RUN_PROGRAM, "tool_search", "call_tool"]);

export const isNamed = (name: string, names: readonly string[]) =>
  names.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));

/** Whether a program may call a tool: by its `callers`, then by the names that the host has given. */
export function isCallable(tool: BaseTool, tools: readonly string[] | undefined, only: readonly string[]): boolean {
  const { name, callers, spawns } = tool;
  if (WAYS_TO_CALL.has(name)) return false;
  if (callers) return callers.includes("program");
  if (tools?.includes(name) || only.includes(name)) return true;
  if (spawns || OF_THE_MODEL.has(name)) return false;
  return tools === undefined || isNamed(name, tools) || isNamed(name, only);
}

/** Whether a call by a program goes to the engine, which knows tools of one run that `registry` does not. */
export function mayCall(
  name: string,
  registry: Registry,
  tools: readonly string[] | undefined,
  only: readonly string[],
): boolean {
  if (name === SEARCH_TOOLS || name === DESCRIBE_TOOL) return true;
  const tool = registry.get(name);
  return tool ? isCallable(tool, tools, only) : !WAYS_TO_CALL.has(name) && !OF_THE_MODEL.has(name);
}

/** Every tool of a registry, also those that it does not list. */
export function allTools(registry: Registry): readonly BaseTool[] {
  if (!registry.narrow) return registry.list();
  const all = new Map(registry.list().map((tool) => [tool.name, tool]));
  const note = (tool: BaseTool) => {
    all.set(tool.name, tool);
    return undefined;
  };
  // A narrowed registry asks about each tool that there is.
  registry.narrow(note, () => false).list();
  return [...all.values()];
}

/** The tools that programs may call, as they are at one time. */
export class CallableTools {
  readonly #byName: ReadonlyMap<string, BaseTool>;
  /** The tool's own name, by each name under which a program finds it. */
  readonly names: Readonly<Record<string, string>>;
  #finder: ToolFinder | undefined;

  constructor(readonly tools: readonly BaseTool[]) {
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    const spelled = tools.filter(({ name }) => !isIdentifier(name)).map(({ name }) => [identifierOf(name), name]);
    const own = tools.map(({ name }) => [name, name]);
    // A tool's own name comes before another one's spelling.
    this.names = Object.fromEntries([...own, ...spelled.filter(([name]) => !this.#byName.has(name!))]);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get finder(): ToolFinder {
    this.#finder ??= new ToolFinder(this.tools.map((tool) => tool.definition()));
    return this.#finder;
  }

  /** By its own name, or by that under which programs find it. */
  definition(name: string): ToolDefinition | undefined {
    return this.#byName.get(Object.hasOwn(this.names, name) ? this.names[name]! : name)?.definition();
  }
}

/** The declarations of tools as members of `tools`. */
export function declarations(definitions: readonly ToolDefinition[]): string {
  return definitions.map((definition) => declarationOf(identifierOf(definition.name), definition)).join("\n");
}

/** Such as `mcp__issues__list_all` for `mcp__issues__list-all`. */
const identifierOf = (name: string) => (isIdentifier(name) ? name : name.replace(/^(?=\d)|[^\w$]/g, "_"));

/** The error for a program that calls a tool it does not have. */
export function unknownTool(name: string, like: readonly string[]): string {
  const hint = like.length > 0 ? ` Did you mean ${like.map((each) => `"${each}"`).join(", ")}?` : "";
  return `Programs have no tool ${JSON.stringify(name)}.${hint} Find tools with searchTools("words").`;
}
