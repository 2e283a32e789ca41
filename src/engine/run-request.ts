// What a run is asked to be. Its options are checked at once, so that misuse is reported before any of it has begun; the rest
// is read when the code of runs is there.
import type { BaseTool, Registry } from "../contracts/tool.js";
import { Deadlines } from "../time/deadlines.js";
import type { ClaimTable } from "./calls/claims.js";
import type { Loop } from "./loading/loaded-loop.js";
import { checkCostLimit, type ResolvedLimits, readLimits } from "./options/limits.js";
import type { EngineConfig, RunOptions } from "./options/options.js";
import { type OutputSchema, outputSchemaOf } from "./options/output-schema.js";
import type { EventQueue } from "./run/event-queue.js";
import { EventSink, type Listeners } from "./run/event-sink.js";
import type { LiveSessions } from "./session/live-sessions.js";
import { checkedRegistry } from "./tools/checked-registry.js";
import { ToolRegistry } from "./tools/tool-registry.js";

/** What a run gets of its engine. */
export interface RunParts {
  readonly config: EngineConfig;
  readonly tools: Registry;
  readonly listeners: Listeners;
  readonly sessions: LiveSessions;
  /** The code of runs as the engine has loaded it: a bundler may put what the engine imports into a page twice. */
  readonly loop: () => Loop;
}

/** Whose run it is, who reads its events, and what its calls wait for. */
export interface RunOwner {
  readonly sessionId: string;
  readonly queue: EventQueue | null;
  readonly claims: () => ClaimTable;
}

/** The same as the engine is asked for it: by default nobody reads the events, and calls wait for those of the session. */
export type RunPlace = Pick<RunOwner, "sessionId"> & Partial<RunOwner>;

/** A run to be. */
export interface RequestedRun extends Omit<RunOwner, "queue"> {
  readonly engine: RunParts;
  readonly options: RunOptions;
  readonly runId: string;
  readonly limits: ResolvedLimits;
  readonly registry: Registry;
  readonly output: OutputSchema | null;
  /** All that will be timed in it. */
  readonly deadlines: Deadlines;
  readonly sink: EventSink;
  /** When it was asked for, by `performance.now()`. */
  readonly askedAt: number;
}

/** @throws ConfigurationError `OPTION_INVALID` for options that do not fit the engine's, `TOOL_DUPLICATE`, `TOOL_INVALID` */
export function requestRun(
  engine: RunParts,
  { sessionId, queue, claims }: RunOwner,
  options: RunOptions,
): RequestedRun {
  const { config } = engine;
  const limits = readLimits(options.limits, config.limits);
  checkCostLimit(limits, config.prices ?? (options.provider ?? config.provider).prices);
  return {
    sessionId,
    claims,
    engine,
    options,
    runId: config.runtime.newId(),
    limits,
    registry: options.tools ? registryOf(options.tools) : engine.tools,
    output: options.output === undefined ? config.output : outputSchemaOf(options.output),
    deadlines: new Deadlines(),
    sink: new EventSink(engine.listeners, queue),
    askedAt: performance.now(),
  };
}

/** The registry a host has given, or one of the tools it has given. */
export function registryOf(tools: readonly BaseTool[] | Registry | undefined): Registry {
  if (tools === undefined || Array.isArray(tools)) return new ToolRegistry(tools ?? []);
  return checkedRegistry(tools as Registry);
}
