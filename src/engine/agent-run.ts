import { RunAbortedError } from "../contracts/errors.js";
import type { EngineEvent } from "../contracts/event.js";
import type { RunResult } from "../contracts/run.js";
import { ENGINE_PARTS } from "./engine-parts.js";
import { EventQueue } from "./run/event-queue.js";
import { RunSuspendedError } from "./run/run-suspended.js";
import { NO_PROGRESS, type RunHandle, type RunProgress } from "./run-handle.js";

/**
 * A run under way. It goes on whether or not anybody iterates it; leaving the iteration early aborts it.
 *
 * Iterating yields the run's events until `run-end`. The queue holds 1,024 events: when a consumer falls behind,
 * deltas are joined, then the oldest events are dropped and counted in a `notice`.
 */
export interface AgentRun<T = unknown> extends AsyncIterable<EngineEvent> {
  readonly id: string;
  readonly sessionId: string;
  /** Settles when the run has ended. Rejects only for misuse: wrong options, or `SESSION_BUSY`. */
  readonly result: Promise<RunResult<T>>;
  /** Resolves after `result`, when nothing the run started is left; at most `limits.abandonMs` later. Never rejects. */
  readonly idle: Promise<void>;
  readonly state: RunProgress;
  /**
   * The main agent's text as it streams, and nothing else; reads the same events as iterating the run, so use one of the
   * two. Throws the run's error if it ends as `failed`. When a model call is tried again, its text comes again.
   */
  readonly textStream: AsyncIterable<string>;
  /** Sends the model a message at the next turn. `false`: the run has ended, and the message was not taken. */
  steer(text: string): boolean;
  /** Continues with this prompt when the run would have ended. `false`: it has ended, and the prompt was not taken. */
  followUp(text: string): boolean;
  /** Takes back the last message of this text, to change it. `false`: the model was sent it already, or there is not one. */
  takeBack(text: string): boolean;
  /** Ends the run as `aborted`. Every open call gets its result, and everything is recorded. Safe to call twice. */
  abort(reason?: string): void;
}

/**
 * Starts a run whose events can be iterated. Misuse is reported by the run, not thrown (docs/decisions/0003). What observes the run
 * finds its engine's parts by it.
 */
export function offerRun<T>(engine: object, start: (queue: EventQueue) => RunHandle): AgentRun<T> {
  const run = startedRun<T>(start);
  ENGINE_PARTS.set(run, ENGINE_PARTS.get(engine)!);
  return run;
}

function startedRun<T>(start: (queue: EventQueue) => RunHandle): AgentRun<T> {
  const queue = new EventQueue();
  try {
    return agentRunOf(start(queue), queue);
  } catch (error) {
    return refusedRun(error);
  }
}

/** A run as the host sees it. */
function agentRunOf<T>(handle: RunHandle, events: EventQueue): AgentRun<T> {
  const abort = (reason: string) => handle.stop("aborted", new RunAbortedError(reason));
  const run: AgentRun<T> = {
    id: handle.id,
    sessionId: handle.sessionId,
    result: handle.result as Promise<RunResult<T>>,
    idle: handle.idle,
    get state(): RunProgress {
      return handle.progress;
    },
    get textStream() {
      return textOfEvents(eventsOf(abort, events), handle.result);
    },
    steer: (text) => handle.say(text, "steering"),
    followUp: (text) => handle.say(text, "followUps"),
    takeBack: (text) => handle.takeBack(text),
    abort: (reason = "the host asked for it") => abort(String(reason)),
    [Symbol.asyncIterator]: () => eventsOf(abort, events),
  };
  HANDLES.set(run, handle);
  return run;
}

const HANDLES = new WeakMap<object, RunHandle>();

/**
 * Ends a run as `aborted` without results for its open calls: resumed, each follows the `onUnknown` of its tool, as after a crash.
 * Resolves when nothing of the run is left.
 */
export function suspendRun(run: AgentRun): Promise<void> {
  HANDLES.get(run)?.stop("aborted", new RunSuspendedError("it was suspended"));
  return run.idle;
}

/** The result of a misused `stream()` or `resume()`: a run that never started. */
function refusedRun<T>(error: unknown): AgentRun<T> {
  const result = Promise.reject<RunResult<T>>(error);
  result.catch(() => {}); // A consumer that only iterates gets the error there.
  return {
    id: "",
    sessionId: "",
    result,
    idle: Promise.resolve(),
    state: { ...NO_PROGRESS, status: "failed", transition: "failed", costUsd: null },
    textStream: { [Symbol.asyncIterator]: () => ({ next: () => result as Promise<never> }) },
    steer: () => false,
    followUp: () => false,
    takeBack: () => false,
    abort: () => {},
    [Symbol.asyncIterator]: () => ({ next: () => result as Promise<never> }),
  };
}

async function* textOfEvents(events: AsyncIterator<EngineEvent>, result: Promise<RunResult>): AsyncGenerator<string> {
  try {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      const { value: event } = step;
      if (event.type === "text-delta" && event.agentPath.length === 0) yield event.text;
    }
    const { status, error } = await result;
    if (status === "failed") throw error;
  } finally {
    await events.return?.();
  }
}

function eventsOf(abort: (reason: string) => void, queue: EventQueue): AsyncIterator<EngineEvent> {
  return {
    next: () => queue.next(),
    async return() {
      abort("its consumer stopped reading");
      queue.discard();
      return { value: undefined, done: true };
    },
  };
}
