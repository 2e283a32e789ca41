// A new run: what it is asked to be, and the engine's options where the request says nothing. Nothing of it has begun.
import type { RunGiven } from "../contracts/session.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { givenOf, withKept } from "./options/given-options.js";
import { checkCostLimit, readLimits } from "./options/limits.js";
import { outputSchemaOf } from "./options/output-schema.js";
import { retryingProvider } from "./options/retrying-provider.js";
import { type RunSetup, RunState } from "./run/run-state.js";
import type { RequestedRun } from "./run-request.js";
import { childRegistry, DEFAULT_CHILD_TURNS, stricterOf } from "./subagents/child-rights.js";
import { ExtendedRegistry } from "./tools/extended-registry.js";
import { Transcript } from "./transcript/transcript.js";

const ROOT_PATH: readonly string[] = Object.freeze([]);

/** @throws ConfigurationError `OPTION_INVALID` for a sub-agent that cannot be run, `TOOL_DUPLICATE`, `TOOL_INVALID` */
export function newRun(request: RequestedRun): RunState {
  return new RunState(setupOf(request));
}

/** @throws ConfigurationError `OPTION_INVALID` for a limit that cannot be enforced, `SCHEMA_UNSUPPORTED` */
function requestWith(request: RequestedRun, kept: RunGiven): RequestedRun {
  const { config } = request.engine;
  const options = withKept(request.options, kept);
  const limits = readLimits(options.limits, config.limits);
  checkCostLimit(limits, config.prices ?? (options.provider ?? config.provider).prices);
  return { ...request, options, limits, output: options.output ? outputSchemaOf(options.output) : request.output };
}

function setupOf(request: RequestedRun): RunSetup {
  const { engine, options, sessionId, limits, registry, deadlines } = request;
  const { config, loop } = engine;
  const { subagent, extraTools } = options;
  const setup: RunSetup = {
    config,
    limits,
    runId: request.runId,
    sessionId,
    transcriptId: sessionId,
    agentPath: ROOT_PATH,
    app: options.context,
    mode: options.mode ?? config.mode,
    isModeStated: options.mode !== undefined,
    given: givenOf(options),
    withGiven: (kept) => setupOf(requestWith(request, kept)),
    provider: retryingProvider(options.provider ?? config.provider, { config, limits, deadlines, loop }),
    registry,
    output: request.output,
    transcript: new Transcript(),
    claims: request.claims,
    deadlines,
    sink: request.sink,
    askedAt: request.askedAt,
    parent: null,
    loop,
    tokenBudget: options.tokenBudget,
    roster: () => engine.sessions.rosterOf(sessionId),
  };
  const narrowed = subagent ? setupAs(subagent, setup, options.limits?.maxTurns) : setup;
  if (!extraTools?.length) return narrowed;
  return { ...narrowed, registry: new ExtendedRegistry(narrowed.registry, extraTools) };
}

/** A main agent's run as a sub-agent that has no parent: `setup`, narrowed to what `definition` says. */
function setupAs(definition: SubagentDefinition, setup: RunSetup, maxTurns?: number): RunSetup {
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
