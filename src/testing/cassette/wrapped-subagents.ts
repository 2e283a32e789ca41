import type { ProviderAdapter } from "../../contracts/provider.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BackgroundSubagents, BaseTool, SpawnOptions, SpawnSubagent, ToolContext } from "../../contracts/tool.js";
import { overriding, readThrough } from "./tool-wrapper.js";

/** The recorder, or player, of the parts that a sub-agent brings along. */
export interface Wrapping {
  model(model: ProviderAdapter): ProviderAdapter;
  tool(tool: BaseTool): BaseTool;
  /** The tools of the sub-agent of this name, which `supply` has or had. */
  ownTools(agent: string, supply: NonNullable<SubagentDefinition["ownTools"]>): Promise<BaseTool[]>;
}

/** A tool whose sub-agents have the models and tools of their own wrapped. */
export function withWrappedSubagents(tool: BaseTool, wrapping: Wrapping): BaseTool {
  const known = new WeakMap<SubagentDefinition, SubagentDefinition>();
  const wrapped = (definition: SubagentDefinition): SubagentDefinition => {
    const own = known.get(definition) ?? wrappedDefinition(definition, wrapping);
    known.set(definition, own);
    return own;
  };
  const { spawns } = tool;
  const find = (name: string) => {
    const definition = spawns?.find?.(name);
    return definition && wrapped(definition);
  };
  return overriding(tool, {
    execute: (input: unknown, context: ToolContext) => tool.execute(input, withWrapped(context, wrapped, wrapping)),
    ...(spawns && { spawns: { ...spawns, ...(spawns.find && { find }) } }),
  });
}

function wrappedDefinition(definition: SubagentDefinition, wrapping: Wrapping): SubagentDefinition {
  const { model, ownTools } = definition;
  if (!model && !ownTools) return definition;
  return {
    ...definition,
    ...(model && { model: wrapping.model(model) }),
    ...(ownTools && {
      ownTools: async () => (await wrapping.ownTools(definition.name, ownTools)).map(wrapping.tool),
    }),
  };
}

function withWrapped(
  context: ToolContext,
  wrapped: (definition: SubagentDefinition) => SubagentDefinition,
  { tool }: Wrapping,
): ToolContext {
  const optionsOf = (options: SpawnOptions = {}): SpawnOptions =>
    options.tools ? { ...options, tools: options.tools.map(tool) } : options;
  return readThrough(context, (name, value) => {
    if (name === "background" && value) {
      const background = value as BackgroundSubagents;
      const start: BackgroundSubagents["start"] = (definition, prompt, options) =>
        background.start(wrapped(definition), prompt, optionsOf(options));
      return overriding(background, { start });
    }
    if (typeof value !== "function") return value;
    const method = value.bind(context);
    const spawn: SpawnSubagent = (definition, prompt, options) =>
      method(wrapped(definition), prompt, optionsOf(options));
    return name === "spawn" ? spawn : method;
  });
}
