import type { SubagentDefinition } from "../contracts/subagent.js";
import { outputSchemaOf } from "./options/output-schema.js";
import { retryingProvider } from "./options/read-options.js";
import type { RunSetup } from "./run/run-state.js";
import { childRegistry, DEFAULT_CHILD_TURNS, stricterOf } from "./subagents/child-rights.js";

/** A main agent's run as a sub-agent that has no parent: `setup`, narrowed to what `definition` says. */
export function setupAs(definition: SubagentDefinition, setup: RunSetup, maxTurns?: number): RunSetup {
  const { config, limits, registry } = setup;
  const { systemPrompt, model, permissions, output } = definition;
  return {
    ...setup,
    config: {
      ...config,
      system: Object.freeze([Object.freeze({ id: "system", text: systemPrompt })]),
      contextSources: [],
      gate: permissions ? stricterOf(config.gate, permissions) : config.gate,
    },
    limits: { ...limits, maxTurns: maxTurns ?? definition.maxTurns ?? DEFAULT_CHILD_TURNS },
    provider: model ? retryingProvider(model, setup) : setup.provider,
    registry: childRegistry(registry, definition, 0),
    output: output === undefined ? setup.output : outputSchemaOf(output as never),
  };
}
