// A run from the moment it is asked for. Its options are checked at once, so that misuse is reported before any of it has begun.
// The code of runs may still be loading then: what the host does to the run meanwhile waits here, and is done to it first of all.
import { type HarnessError, RunAbortedError } from "../contracts/errors.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import type { BaseTool, Registry } from "../contracts/tool.js";
import type { Usage } from "../contracts/usage.js";
import { Deadlines } from "../time/deadlines.js";
import { abortReason, followSignal } from "../time/follow-signal.js";
import type { ResolvedLimits } from "./options/limits.js";
import type { EngineConfig, RunOptions } from "./options/options.js";
import { type OutputSchema, outputSchemaOf } from "./options/output-schema.js";
import { checkCostLimit, readLimits } from "./options/read-options.js";
import type { ClaimTable } from "./run/claims.js";
import type { EventQueue } from "./run/event-queue.js";
import { EventSink, type Listeners } from "./run/event-sink.js";
import type { Queue } from "./run/inbox.js";
import type { Ending } from "./run/run-lifetime.js";
import type { RunState } from "./run/run-state.js";
import type { LiveSessions } from "./session/live-sessions.js";
import { checkedRegistry } from "./tools/checked-registry.js";
import { ToolRegistry } from "./tools/tool-registry.js";

/** The parts of the engine that a run gets. */
export interface RunParts {
  readonly config: EngineConfig;
  readonly tools: Registry;
  readonly listeners: Listeners;
  readonly sessions: LiveSessions;
}

/** The session of a run, the queue for its reader, and the claims that its calls wait for. */
interface RunOwner {
  readonly sessionId: string;
  readonly queue: EventQueue | null;
  readonly claims: () => ClaimTable;
}

/** The same as the engine is asked for it: by default nobody reads the events, and calls wait for those of the session. */
export type RunPlace = Pick<RunOwner, "sessionId"> & Partial<RunOwner>;

/** A run that has been asked for. */
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
  /** The moment at which it was asked for, by `performance.now()`. */
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

/** The progress of a run. A snapshot: read it again for newer values. */
export interface RunProgress {
  readonly status: RunStatus | "running";
  readonly turn: number;
  /** The step that followed the last turn. */
  readonly transition: Transition;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

/** Before its first model call. */
export const NO_PROGRESS: RunProgress = Object.freeze({
  status: "running",
  turn: 0,
  transition: "next-turn",
  usage: Object.freeze({ inputTokens: 0, outputTokens: 0 }),
  costUsd: 0,
});

/** A run as the engine holds it. */
export class RunHandle {
  /** Settles when the run has ended. */
  result!: Promise<RunResult>;
  /** Resolves when nothing the run started is left. */
  idle!: Promise<void>;
  #run: RunState | null = null;
  #ending: Ending | null = null;
  readonly #said: (readonly [text: string, queue: Queue])[] = [];

  constructor(
    readonly id: string,
    readonly sessionId: string,
  ) {}

  /** The run; `null` until its code is loaded. */
  get runOrNull(): RunState | null {
    return this.#run;
  }

  /** The run, which has begun. */
  get run(): RunState {
    return this.#run!;
  }

  /** The run exists: what waited for that is done now. */
  begin(run: RunState): RunState {
    this.#run = run;
    for (const [text, queue] of this.#said) run.inbox.add(text, queue);
    if (this.#ending) run.stop(this.#ending.status, this.#ending.error);
    return run;
  }

  /** Ends the run from outside; the first call wins. */
  stop(status: RunStatus, error?: HarnessError): void {
    if (this.#run) this.#run.stop(status, error);
    else this.#ending ??= { status, error };
  }

  /** Aborts the run for a reason that follows "The run was aborted:". */
  abort(reason: string): void {
    this.stop("aborted", new RunAbortedError(reason));
  }

  /** Aborts the run when a signal of the host does. Returns what ends this. */
  follow(signal: AbortSignal): () => void {
    return followSignal(signal, () => this.abort(abortReason(signal)));
  }

  /** Sends the model a message. `false`: the run has ended, and it was not taken. */
  say(text: string, queue: Queue): boolean {
    const isOver = this.#run ? this.#run.lifetime.ended || this.#run.lifetime.ending : this.#ending;
    if (typeof text !== "string" || text === "" || isOver) return false;
    if (this.#run) this.#run.inbox.add(text, queue);
    else this.#said.push([text, queue]);
    return true;
  }

  /** Takes back the last message of this text. `false`: the model was sent it, or there is not one. */
  takeBack(text: string): boolean {
    if (this.#run) return this.#run.inbox.takeBack(text);
    const at = this.#said.findLastIndex(([said]) => said === text);
    return at >= 0 && this.#said.splice(at, 1).length > 0;
  }

  get progress(): RunProgress {
    if (!this.#run) return NO_PROGRESS;
    const { turn, transition, lifetime, meter } = this.#run;
    return { status: lifetime.ended ?? "running", turn, transition, usage: meter.usage, costUsd: meter.costUsd };
  }
}
