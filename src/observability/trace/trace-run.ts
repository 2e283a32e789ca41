// A run as lines to read while it happens. It listens, and can change nothing: what it or its writer throws ends here.
import { type EngineEvent, EVENT_TYPES } from "../../contracts/event.js";
import type { AgentRun } from "../../engine/agent-run.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import type { CallObserver } from "../../engine/run/event-sink.js";
import { checkOptions, listOf, type OptionTable, optionError, optionOf } from "../../json/check-options.js";
import { TraceLines } from "./trace-lines.js";
import { TraceText } from "./trace-text.js";

/** The parts that a trace leaves out. */
export interface TraceOptions {
  /** Further shapes of secrets, as those of an audit trail. */
  readonly redact?: readonly RegExp[] | undefined;
}

const OPTIONS = {
  redact: listOf(
    optionOf((value) => value instanceof RegExp, "a regular expression"),
    "regular expressions",
  ),
} satisfies OptionTable<TraceOptions>;

/**
 * Writes what a run does, stage by stage, each line with the time since the run began: prompt, turn, request, the model's
 * reply in figures, and of each call its hooks, the permission decision with its reason, the start and the size of the
 * result; compactions, and why the run ended.
 *
 * `run`: what `stream()` or `resume()` has returned, traced with its sub-agents until it is idle; call it at once, since what
 * has happened before is not shown. Or an engine: every run from now on, each line with the end of its run's id. The
 * run's events are still there to be iterated.
 *
 * `write` gets one line without its line break, of at most 600 characters, without control characters. Inputs, prompts and
 * reasons are cut at 200 characters and cleaned of secrets as in an audit trail; of replies and results there is only the size,
 * of a failed call the beginning of what the model reads. A `write` that throws or rejects ends the trace, which is reported
 * once by `console.error`; the run goes on.
 *
 * Returns what ends the trace.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function traceRun(
  run: AgentRun | Pick<AgentEngine, "on" | "off">,
  write: (line: string) => unknown,
  options: TraceOptions = {},
): () => void {
  const parts = ENGINE_PARTS.get(Object(run));
  if (!parts) throw optionError("traceRun()", "run", run, "a run of engine.stream() or engine.resume(), or an engine");
  if (typeof write !== "function") throw optionError("traceRun()", "write", write, "a function");
  checkOptions("traceRun()", options, OPTIONS);
  const { listeners, observers, config } = parts;
  const only = "idle" in run ? run : null;
  const traced = new Set(only ? [only.id] : []);
  let isOver = false;
  const lines = new TraceLines(() => config.runtime.now(), new TraceText(options.redact ?? []), only === null);

  /** Whether an event is of this run or of a sub-agent that it has started. */
  function isTraced(event: EngineEvent): boolean {
    if (!only) return true;
    const parent = event.type === "run-start" && event.subagent?.parent;
    if (parent && traced.has(parent.runId)) traced.add(event.runId);
    return traced.has(event.runId);
  }

  function say(describe: () => readonly string[]): void {
    if (isOver) return;
    try {
      for (const line of describe()) {
        const written = write(line);
        if (written instanceof Promise) written.catch(fail);
      }
    } catch (error) {
      fail(error);
    }
  }

  const listen = (event: EngineEvent) => {
    if (isTraced(event)) say(() => lines.ofEvent(event));
  };
  const around: CallObserver = {
    aroundModel(runId, request, work) {
      if (!only || traced.has(runId)) say(() => lines.ofRequest(runId, request));
      return work();
    },
    aroundTool(runId, toolCallId, work) {
      if (!only || traced.has(runId)) say(() => lines.ofExecution(runId, toolCallId));
      return work();
    },
    onChunk: (runId) => lines.chunk(runId),
  };
  for (const type of EVENT_TYPES) listeners.add(type, listen);
  const leave = observers.add(around);

  function stop(): void {
    if (isOver) return;
    isOver = true;
    leave();
    for (const type of EVENT_TYPES) listeners.remove(type, listen);
  }

  function fail(error: unknown): void {
    if (!isOver) console.error("loopwright: the trace has ended, because it could not be written:", error);
    stop();
  }

  if (only) void only.idle.then(stop);
  return stop;
}
