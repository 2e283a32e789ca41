// Spans and metrics of an engine's runs, made of its events. It listens, and can change nothing: what a tracer, a meter
// or an exporter throws ends here.
import type { Context, Link, Meter, Span, SpanContext, Tracer } from "@opentelemetry/api";
import type { EngineEvent, EventOf, EventType } from "../../contracts/event.js";
import type { AgentEngine } from "../../engine/engine.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import type { CallObserver } from "../../engine/run/event-sink.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  type OptionTable,
  optionError,
  optionOf,
  STRING,
} from "../../json/check-options.js";
import { AgentMetrics } from "./agent-metrics.js";
import { AGENT_NAME, CONVERSATION, OPERATION } from "./conventions.js";
import type { TraceSetup } from "./open-span.js";
import { checkApi, context as contexts, diag, metrics, SpanKind, trace } from "./otel-api.js";
import { RunTrace } from "./run-trace.js";

const SCOPE = "loopwright";
/** Sessions whose newest run is remembered, for the link of the next. */
const MAX_SESSIONS = 1_000;

/**
 * The store of the trace of a session's newest run, in W3C's `traceparent` form, so that a run in another process links to
 * it. A Map will do for one process; may be asynchronous, and then needs an SDK whose spans take links later, as API 1.9 has it.
 */
export interface TraceparentStore {
  get(sessionId: string): string | undefined | Promise<string | undefined>;
  set(sessionId: string, traceparent: string): unknown;
}

/** The receivers of spans and metrics, and their content. */
export interface InstrumentOptions {
  /** Default: the global provider's tracer "loopwright". */
  readonly tracer?: Tracer | undefined;
  /** Default: the global provider's meter "loopwright". */
  readonly meter?: Meter | undefined;
  /** Whether prompts, replies, and arguments and results of tools become attributes. Default: `false`. */
  readonly content?: boolean | undefined;
  /** The main agent's name. Default: none; a sub-agent's is that of its definition. */
  readonly agentName?: string | undefined;
  /** Default: the sessions of this process, the newest 1,000. */
  readonly traceparents?: TraceparentStore | undefined;
}

const OPTIONS = {
  tracer: optionOf((value) => has(value, "startSpan"), "an OpenTelemetry tracer"),
  meter: optionOf((value) => has(value, "createHistogram"), "an OpenTelemetry meter"),
  content: byDefault(false, FLAG),
  agentName: STRING,
  traceparents: optionOf((value) => has(value, "get") && has(value, "set"), "an object with get and set"),
} satisfies OptionTable<InstrumentOptions>;

type Handlers = { readonly [T in EventType]?: (event: EventOf<T>) => void };

/**
 * Traces every run of an engine from now on, until the returned function is called, by the conventions for generative AI:
 * `invoke_agent`, in it `chat` for each attempt at a model call and `execute_tool` for each call, and in that the
 * sub-agents it has started. A run's span is a child of the context that is active where the run is started, and linked
 * to the run before it in its session.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_UNSUPPORTED` for another version of `@opentelemetry/api`
 */
export function instrument(engine: Pick<AgentEngine, "on" | "off">, options: InstrumentOptions = {}): () => void {
  if (!has(engine, "on") || !has(engine, "off")) throw optionError("instrument()", "engine", engine, "an AgentEngine");
  const settings = checkOptions("instrument()", options, OPTIONS);
  checkApi();
  const { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE), content } = settings;
  const traces = new EngineTraces({ tracer, metrics: new AgentMetrics(meter), content }, settings);
  const listeners = Object.entries(traces.handlers) as [EventType, (event: EngineEvent) => void][];
  const guarded = listeners.map(([type, handle]) => {
    return [type, (event: EngineEvent) => guard(() => handle(event))] as const;
  });
  for (const [type, listen] of guarded) engine.on(type, listen);
  const leave = ENGINE_PARTS.get(engine)?.observers.add(traces.around);
  return () => {
    leave?.();
    for (const [type, listen] of guarded) engine.off(type, listen);
    traces.endAll();
  };
}

/** Errors of a tracer, a meter or an exporter end here. */
function guard<T>(trace: () => T): T | undefined {
  try {
    return trace();
  } catch (error) {
    diag.error("loopwright: an event could not be traced", error);
  }
}

/** The runs of an engine that are under way. */
class EngineTraces {
  readonly handlers: Handlers;
  readonly #runs = new Map<string, RunTrace>();
  readonly #parents = new Map<string, string>();
  /** The run of the call that the host makes in a session, or has left with a question there. */
  readonly #hostRuns = new Map<string, string>();
  readonly #newest: TraceparentStore;

  constructor(
    private readonly setup: TraceSetup,
    private readonly options: InstrumentOptions,
  ) {
    this.#newest = options.traceparents ?? newestSessions();
    this.handlers = {
      "run-start": (event) => this.#begin(event),
      "model-call-start": (event) => this.#of(event).model.start(event),
      "model-restart": (event) => this.#of(event).model.restart(event),
      "model-call-end": (event) => this.#of(event).model.end(event),
      "tool-call-start": (event) => this.#of(event).toolCallStart(event),
      "tool-call-end": (event) => this.#endCall(event),
      "permission-decision": (event) => this.#of(event).permission(event),
      "approval-requested": (event) => this.#of(event).approvalRequested(event),
      "approval-answered": (event) => this.#of(event).approvalAnswered(event),
      "hook-outcome": (event) => this.#runs.get(event.runId)?.hook(event),
      compaction: (event) => this.#compaction(event),
      notice: (event) => this.#runs.get(event.runId)?.notice(event),
      "run-end": (event) => this.#end(event.runId, event.status, event.error),
      ...(setup.content && {
        "text-delta": (event) => this.#runs.get(event.runId)?.model.addText(event.text),
        media: (event) => this.#runs.get(event.runId)?.model.addMedia(event.part),
        "turn-end": (event) => this.#runs.get(event.runId)?.model.endReply(),
      }),
    };
  }

  /** The code of tools and providers runs inside the span of its call, so that what it traces is part of it. */
  readonly around: CallObserver = {
    aroundTool: (runId, toolCallId, work) => {
      const run = this.#runs.get(runId);
      return run ? contexts.with(run.contextOfCall(toolCallId), work) : work();
    },
    aroundModel: (runId, request, work) => {
      const run = this.#runs.get(runId);
      if (!run) return work();
      if (this.setup.content) guard(() => run.model.request(request));
      return contexts.with(run.model.context, work);
    },
    onChunk: (runId) => guard(() => this.#runs.get(runId)?.model.chunk()),
  };

  endAll(): void {
    for (const [id, run] of [...this.#runs]) {
      this.#runs.delete(id);
      try {
        run.end("unwatched");
      } catch (error) {
        diag.error("loopwright: a run's spans could not be ended", error);
      }
    }
  }

  #begin({ runId, sessionId, agentPath, resumed, subagent }: EventOf<"run-start">): void {
    const parent = subagent?.parent;
    const name = agentPath.at(-1) ?? this.options.agentName;
    const attributes = { [OPERATION]: "invoke_agent", ...(name !== undefined && { [AGENT_NAME]: name }) };
    const above = parent && this.#runs.get(parent.runId);
    const isRoot = agentPath.length === 0;
    if (isRoot) this.#endHostRun(sessionId);
    const outside = above ? above.contextOfCall(parent.toolCallId) : contexts.active();
    const before = isRoot ? guard(() => this.#newest.get(sessionId)) : undefined;
    const span = this.setup.tracer.startSpan(
      name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
      {
        kind: SpanKind.INTERNAL,
        links: typeof before === "string" ? linksTo(before) : [],
        attributes: {
          ...attributes,
          [CONVERSATION]: sessionId,
          "loopwright.run.id": runId,
          "loopwright.run.resumed": resumed,
        },
      },
      outside,
    );
    const context = trace.setSpan(outside, span);
    this.#runs.set(runId, new RunTrace(this.setup, span, context, sessionId, attributes));
    if (above) this.#parents.set(runId, parent.runId);
    if (isRoot) this.#remember(sessionId, span, before);
  }

  #remember(sessionId: string, span: Span, before: string | undefined | Promise<string | undefined>): void {
    const { traceId, spanId, traceFlags } = span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    const kept = async () => {
      if (before instanceof Promise) for (const link of linksTo(await before)) span.addLink?.(link);
      await this.#newest.set(sessionId, traceparent);
    };
    kept().catch((error) => diag.error("loopwright: a traceparent could not be kept", error));
  }

  /** The run of an event. Calls that a host makes outside runs get one without a span. */
  #of({ runId, sessionId, agentPath }: EngineEvent): RunTrace {
    const known = this.#runs.get(runId);
    if (known) return known;
    if (agentPath.length === 0) {
      this.#endHostRun(sessionId);
      this.#hostRuns.set(sessionId, runId);
      if (this.#hostRuns.size > MAX_SESSIONS) this.#endHostRun(this.#hostRuns.keys().next().value!);
    }
    const outside: Context = contexts.active();
    const run = new RunTrace(this.setup, null, outside, sessionId);
    this.#runs.set(runId, run);
    return run;
  }

  #endCall(event: EventOf<"tool-call-end">): void {
    const run = this.#of(event);
    run.toolCallEnd(event);
    if (run.span || !run.isQuiet) return;
    this.#runs.delete(event.runId);
    if (this.#hostRuns.get(event.sessionId) === event.runId) this.#hostRuns.delete(event.sessionId);
  }

  /** Ends the span of a host's call that was left with its question, which only the next events of its session show. */
  #endHostRun(sessionId: string): void {
    const runId = this.#hostRuns.get(sessionId);
    if (runId === undefined) return;
    this.#hostRuns.delete(sessionId);
    const run = this.#runs.get(runId);
    this.#runs.delete(runId);
    run?.end("needs-approval");
  }

  #compaction(event: EventOf<"compaction">): void {
    const known = this.#runs.get(event.runId);
    (known ?? new RunTrace(this.setup, null, contexts.active(), event.sessionId)).compaction(event);
  }

  /** Ends a run, and sub-agents that it has left behind. */
  #end(runId: string, status: string, error?: { readonly code: string }): void {
    const run = this.#runs.get(runId);
    this.#runs.delete(runId);
    this.#parents.delete(runId);
    for (const [child, parent] of [...this.#parents]) if (parent === runId) this.#end(child, "left");
    run?.end(status, error);
  }
}

/** A traceparent as a link; nothing for what is not one. */
function linksTo(traceparent: string | undefined): Link[] {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return [{ context, attributes: { "loopwright.link": "earlier run of the session" } }];
}

/** The newest run of each session of this process; the oldest sessions are forgotten first. */
function newestSessions(): TraceparentStore {
  const known = new Map<string, string>();
  return {
    get: (sessionId) => known.get(sessionId),
    set(sessionId, traceparent) {
      known.delete(sessionId);
      known.set(sessionId, traceparent);
      if (known.size > MAX_SESSIONS) known.delete(known.keys().next().value!);
    },
  };
}

function has(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
}
