// A new run: what its request says, and the engine's options where the request says nothing. Nothing of it has begun.
import type { ContextSource } from "../contracts/context.js";
import type { JsonSchema } from "../contracts/json.js";
import type { RunGiven, UnstoredOption } from "../contracts/session.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { checkOptions, oneOf, tableOf } from "../json/check-options.js";
import { copyJson } from "../json/copy.js";
import { isPlainJsonSchema } from "../schema/recognise-schema.js";
import { BackgroundChildren } from "./background-children.js";
import { spawnChild } from "./child-run.js";
import { retryingProvider } from "./model/with-retry.js";
import { callsOf } from "./nested-calls.js";
import { LIMITS_TABLE } from "./options/limits.js";
import { PERMISSION_MODES } from "./options/option-tables.js";
import type { EngineConfig, RunOptions } from "./options/options.js";
import { outputSchemaOf } from "./options/output-schema.js";
import { checkCostLimit, readLimits } from "./options/read-options.js";
import type { RunChildren } from "./run/run-parts.js";
import type { RunSetup } from "./run/run-setup.js";
import { RunState } from "./run/run-state.js";
import type { RequestedRun } from "./run-handle.js";
import { childRegistry, DEFAULT_CHILD_TURNS, serverToolRights, stricterOf } from "./subagents/child-rights.js";
import { ExtendedRegistry } from "./tools/extended-registry.js";
import { Transcript } from "./transcript/transcript.js";

const ROOT_PATH: readonly string[] = Object.freeze([]);

const CHILDREN: RunChildren<RunState> = {
  spawn: spawnChild,
  inBackground: (run) => new BackgroundChildren(run),
  calls: callsOf,
};

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
  const { subagent, extraTools, contextSources } = options;
  const config = contextSources ? withSources(engine.config, contextSources) : engine.config;
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
    provider: retryingProvider(options.provider ?? config.provider, { config, limits, deadlines }),
    registry,
    output: request.output,
    transcript: new Transcript(),
    claims: request.claims,
    deadlines,
    sink: request.sink,
    askedAt: request.askedAt,
    parent: null,
    children: CHILDREN,
    tokenBudget: options.tokenBudget,
    roster: () => engine.sessions.rosterOf(sessionId),
  };
  const narrowed = subagent ? setupAs(subagent, setup, options.limits?.maxTurns) : setup;
  if (!extraTools?.length) return narrowed;
  return { ...narrowed, registry: new ExtendedRegistry(narrowed.registry, extraTools) };
}

function withSources(config: EngineConfig, sources: readonly ContextSource[]): EngineConfig {
  return { ...config, contextSources: [...config.contextSources, ...sources] };
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
    mayUseServerTool: serverToolRights(undefined, definition, 0),
    output: output === undefined ? setup.output : outputSchemaOf(output as never),
  };
}

// ── what is recorded of a run's options, and how a resume gets it back ─────────────────────────────────────────────

/** The options that a session never holds: a host puts users and tokens into a context, and code cannot be kept, also of a sub-agent. */
const UNSTORED: readonly UnstoredOption[] = ["context", "tools", "extraTools", "subagent"];

/** The options of a run that are recorded. `undefined`: none. */
function givenOf(options: RunOptions): RunGiven | undefined {
  const limits = Object.entries(options.limits ?? {}).filter(([, value]) => Number.isFinite(value));
  const { mode, output } = options;
  const isKept = output !== undefined && isPlainJsonSchema(output);
  const unstored: UnstoredOption[] = UNSTORED.filter((name) => options[name] !== undefined);
  if (output !== undefined && !isKept) unstored.push("output");
  const given: RunGiven = {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(mode !== undefined && { mode }),
    ...(isKept && { output: copyJson(output, true) as JsonSchema }),
    ...(unstored.length > 0 && { unstored }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}

const KEPT = { limits: tableOf(LIMITS_TABLE), mode: oneOf(...PERMISSION_MODES) };

/** A resume's options, and of those that it leaves out what the session has. @throws ConfigurationError `OPTION_INVALID` */
function withKept(options: RunOptions, { limits, mode, output }: RunGiven): RunOptions {
  checkOptions("the session's run-start", { limits, mode }, KEPT);
  return {
    ...options,
    limits: { ...limits, ...options.limits },
    ...(mode !== undefined && options.mode === undefined && { mode }),
    ...(output !== undefined && options.output === undefined && { output: output as never }),
  };
}
