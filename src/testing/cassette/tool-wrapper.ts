import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";

/** Methods of a tool's context that do something for the run. */
export const CONTEXT_EFFECTS: ReadonlySet<string> = new Set([
  "progress",
  "notify",
  "requestCompaction",
  "deliver",
  "record",
]);

/** The same tools with each as `wrap` makes it; a registry goes on to follow its changes. */
export function withWrappedTools(
  tools: readonly BaseTool[] | Registry | undefined,
  wrap: (tool: BaseTool) => BaseTool,
): readonly BaseTool[] | Registry | undefined {
  if (tools === undefined) return undefined;
  const known = new WeakMap<BaseTool, BaseTool>();
  const wrapped = (tool: BaseTool): BaseTool => {
    const own = known.get(tool) ?? wrap(tool);
    known.set(tool, own);
    return own;
  };
  if (Array.isArray(tools)) return (tools as readonly BaseTool[]).map(wrapped);
  const registry = tools as Registry;
  return overriding(registry, {
    get: (name: string) => {
      const tool = registry.get(name);
      return tool && wrapped(tool);
    },
    list: () => registry.list().map(wrapped),
  });
}

/** `target` with some methods replaced; the others run on `target` itself, private fields and all. */
export function overriding<T extends object>(target: T, replaced: { readonly [method: string]: unknown }): T {
  return readThrough(target, (name, value) => {
    if (typeof name === "string" && Object.hasOwn(replaced, name)) return replaced[name];
    return typeof value === "function" ? value.bind(target) : value;
  });
}

/** `target` with each property as `show` makes it. It may be frozen, which a proxy of itself would have to respect. */
export function readThrough<T extends object>(target: T, show: (name: string | symbol, value: unknown) => unknown): T {
  return new Proxy({} as T, {
    get: (_, name) => show(name, Reflect.get(target, name, target)),
    has: (_, name) => Reflect.has(target, name),
    getPrototypeOf: () => Reflect.getPrototypeOf(target),
  });
}

/** Names one call of a tool among all calls of all agents. */
export function callKey(tool: BaseTool, { transcriptId, toolCallId }: ToolContext): string {
  return `execute ${tool.name} ${transcriptId}/${toolCallId}`;
}
