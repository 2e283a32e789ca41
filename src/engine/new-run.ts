// A new run: what its options say, and the engine's where they say nothing. Nothing of it has begun.
import type { BaseTool, Registry } from "../contracts/tool.js";
import { Deadlines } from "../time/deadlines.js";
import type { ClaimTable } from "./calls/claims.js";
import { setupAs } from "./child-setup.js";
import { loadedLoop } from "./load-loop.js";
import { checkCostLimit, readLimits } from "./options/limits.js";
import type { EngineConfig, RunOptions } from "./options/options.js";
import { outputSchemaOf } from "./options/output-schema.js";
import { retryingProvider } from "./options/read-options.js";
import type { EventQueue } from "./run/event-queue.js";
import { EventSink, type Listeners } from "./run/event-sink.js";
import { type RunSetup, RunState } from "./run/run-state.js";
import type { LiveSessions } from "./session/live-sessions.js";
import { checkedRegistry } from "./tools/checked-registry.js";
import { ExtendedRegistry } from "./tools/extended-registry.js";
import { ToolRegistry } from "./tools/tool-registry.js";
import { Transcript } from "./transcript/transcript.js";

const ROOT_PATH: readonly string[] = Object.freeze([]);

/** What a run gets of its engine. */
export interface RunParts {
  readonly config: EngineConfig;
  readonly tools: Registry;
  readonly listeners: Listeners;
  readonly sessions: LiveSessions;
}

/** Whose run it is, who reads its events, and what its calls wait for. */
export interface RunOwner {
  readonly sessionId: string;
  readonly queue: EventQueue | null;
  readonly claims: () => ClaimTable;
}

/** @throws ConfigurationError `OPTION_INVALID` for options that do not fit the engine's, `TOOL_DUPLICATE`, `TOOL_INVALID` */
export function newRun(engine: RunParts, { sessionId, queue, claims }: RunOwner, options: RunOptions): RunState {
  const { config } = engine;
  const limits = readLimits(options.limits, config.limits);
  checkCostLimit(limits, config.prices ?? (options.provider ?? config.provider).prices);
  const deadlines = new Deadlines();
  const setup: RunSetup = {
    config,
    limits,
    runId: config.runtime.newId(),
    sessionId,
    transcriptId: sessionId,
    agentPath: ROOT_PATH,
    app: options.context,
    mode: options.mode ?? config.mode,
    provider: retryingProvider(options.provider ?? config.provider, { config, limits, deadlines, loop: loadedLoop }),
    registry: options.tools ? registryOf(options.tools) : engine.tools,
    output: options.output === undefined ? config.output : outputSchemaOf(options.output),
    transcript: new Transcript(),
    claims,
    deadlines,
    sink: new EventSink(engine.listeners, queue),
    parent: null,
    loop: loadedLoop,
    tokenBudget: options.tokenBudget,
    roster: () => engine.sessions.rosterOf(sessionId),
  };
  const { subagent, extraTools } = options;
  const narrowed = subagent ? setupAs(subagent, setup, options.limits?.maxTurns) : setup;
  return new RunState(extraTools?.length ? withTools(narrowed, extraTools) : narrowed);
}

function withTools(setup: RunSetup, extra: readonly BaseTool[]): RunSetup {
  return { ...setup, registry: new ExtendedRegistry(setup.registry, extra) };
}

/** The registry a host has given, or one of the tools it has given. */
export function registryOf(tools: readonly BaseTool[] | Registry | undefined): Registry {
  if (tools === undefined || Array.isArray(tools)) return new ToolRegistry(tools ?? []);
  return checkedRegistry(tools as Registry);
}

export function newClaims(): ClaimTable {
  return new (loadedLoop().ClaimTable)();
}
