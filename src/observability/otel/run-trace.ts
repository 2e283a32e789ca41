// The spans of one run: invoke_agent, and inside it each attempt at a model call, each tool call and each wait for an
// answer. Every span that begins ends with the run at the latest.
import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { EventOf } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import { toolArguments, toolOutput } from "./content.js";
import {
  CONVERSATION,
  ERROR_TYPE,
  OPERATION,
  TOOL_ARGUMENTS,
  TOOL_CALL_ID,
  TOOL_NAME,
  TOOL_RESULT,
  TOOL_TYPE,
} from "./conventions.js";
import { ModelTrace } from "./model-trace.js";
import { type OpenSpan, openSpan, secondsSince, type TraceSetup } from "./open-span.js";
import { SpanKind, SpanStatusCode } from "./otel-api.js";

/** One run, or calls that a host has made outside any run. */
export class RunTrace {
  readonly model: ModelTrace;
  readonly #calls = new Map<string, OpenSpan>();
  readonly #waits = new Map<string, OpenSpan>();
  readonly #startedAt = performance.now();
  #isEnded = false;

  /** `span`: of the run; `null` outside one. `context`: what its spans are children of. */
  constructor(
    private readonly setup: TraceSetup,
    readonly span: Span | null,
    readonly context: Context,
    readonly sessionId: string,
    private readonly attributes: Attributes = {},
  ) {
    this.model = new ModelTrace(setup, context, sessionId);
  }

  get isQuiet(): boolean {
    return this.#calls.size === 0 && !this.model.isOpen;
  }

  /** The context of a call's tool, and the parent of a sub-agent's spans. */
  contextOfCall(toolCallId: string | undefined): Context {
    return (toolCallId !== undefined && this.#calls.get(toolCallId)?.context) || this.context;
  }

  toolCallStart({ call, within }: EventOf<"tool-call-start">): void {
    const { id, name, arguments: input } = call;
    if (this.setup.content) this.model.addCall({ id, name, arguments: input });
    // A call is announced again when a new attempt of the model adopts it.
    if (this.#calls.has(id)) return;
    const attributes = { [OPERATION]: "execute_tool", [TOOL_NAME]: name };
    const more = {
      [TOOL_CALL_ID]: id,
      [TOOL_TYPE]: "function",
      [CONVERSATION]: this.sessionId,
      ...(this.setup.content && { [TOOL_ARGUMENTS]: toolArguments(input) }),
    };
    this.#calls.set(id, this.#inside(this.contextOfCall(within), `execute_tool ${name}`, attributes, more));
  }

  toolCallEnd({ result }: EventOf<"tool-call-end">): void {
    const { toolCallId, status, isError, durationMs, details, output, artifact } = result;
    const call = this.#calls.get(toolCallId);
    if (!call) return;
    this.#calls.delete(toolCallId);
    this.#endWait(toolCallId, "cancelled");
    const code = (details as { readonly code?: JsonValue } | null | undefined)?.code;
    const failure = isError ? { [ERROR_TYPE]: typeof code === "string" ? code : status } : {};
    this.setup.metrics.toolCall({ ...call.attributes, ...failure }, durationMs / 1_000);
    call.span.setAttributes({
      ...failure,
      "loopwright.tool.status": status,
      "loopwright.tool.duration_ms": durationMs,
      ...(artifact && { "loopwright.tool.artifact_bytes": artifact.bytes }),
      ...(this.setup.content && { [TOOL_RESULT]: toolOutput(output) }),
    });
    if (isError) call.span.setStatus({ code: SpanStatusCode.ERROR });
    call.span.end();
  }

  permission({ toolCallId, decision, by }: EventOf<"permission-decision">): void {
    this.#calls.get(toolCallId)?.span.addEvent("loopwright.permission", {
      "loopwright.permission.behavior": decision.behavior,
      ...(decision.rule && { "loopwright.permission.rule_source": decision.rule.source }),
      ...(by !== undefined && { "loopwright.permission.by": by }),
    });
    if (by !== undefined) this.#endWait(toolCallId, decision.behavior);
  }

  approvalRequested({ request }: EventOf<"approval-requested">): void {
    const { toolCallId, kind, id, tool } = request;
    const call = this.#calls.get(toolCallId);
    if (!call) return;
    this.#endWait(toolCallId, "replaced");
    const attributes = { [TOOL_NAME]: tool, "loopwright.approval.kind": kind };
    const more = { "loopwright.approval.id": id, [TOOL_CALL_ID]: toolCallId };
    this.#waits.set(toolCallId, this.#inside(call.context, `wait_for_${kind}`, attributes, more));
  }

  approvalAnswered({ request, answer }: EventOf<"approval-answered">): void {
    const outcome = "decision" in answer ? answer.decision : "answered";
    if (this.#waits.has(request.toolCallId)) {
      this.#endWait(request.toolCallId, outcome, answer.by);
      return;
    }
    // It answers what an earlier run has asked, perhaps in another process.
    this.span?.addEvent("loopwright.approval_answered", {
      "loopwright.approval.id": request.id,
      "loopwright.approval.outcome": outcome,
      [TOOL_CALL_ID]: request.toolCallId,
      ...(answer.by !== undefined && { "loopwright.approval.by": answer.by }),
    });
  }

  hook({ point, outcome, durationMs, toolCallId }: EventOf<"hook-outcome">): void {
    const span = (toolCallId !== undefined && this.#calls.get(toolCallId)?.span) || this.span;
    span?.addEvent("loopwright.hook", {
      "loopwright.hook.point": point,
      "loopwright.hook.outcome": outcome,
      "loopwright.hook.duration_ms": durationMs,
    });
  }

  /** It is over when it is reported: its span begins as long ago as it took. */
  compaction({ report }: EventOf<"compaction">): void {
    const { stage, beforeTokens, afterTokens, removedTurns, durationMs, costUsd } = report;
    const now = Date.now();
    const attributes = {
      "loopwright.compaction.stage": stage,
      "loopwright.compaction.before_tokens": beforeTokens,
      "loopwright.compaction.after_tokens": afterTokens,
      "loopwright.compaction.removed_turns": removedTurns,
      ...(costUsd !== null && { "loopwright.cost_usd": costUsd }),
    };
    const startTime = now - Math.max(0, durationMs);
    this.setup.tracer.startSpan(`compact ${stage}`, { startTime, attributes }, this.context).end(now);
  }

  notice({ code }: EventOf<"notice">): void {
    this.span?.addEvent("loopwright.notice", { "loopwright.notice.code": code });
  }

  /** Ends what is open, and the run. Safe to call twice. */
  end(status: string, failure?: { readonly code: string }): void {
    this.model.endReply();
    const isFailed = failure !== undefined && (status === "failed" || status === "output-invalid");
    this.model.fail({ [ERROR_TYPE]: failure?.code ?? status });
    for (const id of [...this.#waits.keys()]) this.#endWait(id, "suspended");
    for (const { span } of this.#calls.values()) {
      span.setAttribute("loopwright.tool.status", status === "needs-approval" ? "suspended" : "open");
      span.end();
    }
    this.#calls.clear();
    const { span } = this;
    if (!span || this.#isEnded) return;
    this.#isEnded = true;
    const error = isFailed ? { [ERROR_TYPE]: failure.code } : {};
    this.setup.metrics.run({ ...this.attributes, ...error }, secondsSince(this.#startedAt));
    span.setAttributes({ ...error, "loopwright.run.status": status });
    if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.code });
    span.end();
  }

  #endWait(toolCallId: string, outcome: string, by?: string): void {
    const wait = this.#waits.get(toolCallId);
    if (!wait) return;
    this.#waits.delete(toolCallId);
    const waited = secondsSince(wait.startedAt);
    const how = { "loopwright.approval.outcome": outcome };
    if (outcome !== "suspended") this.setup.metrics.approval({ ...wait.attributes, ...how }, waited);
    wait.span.setAttributes({
      ...how,
      "loopwright.approval.wait_s": waited,
      ...(by !== undefined && { "loopwright.approval.by": by }),
    });
    wait.span.end();
  }

  #inside(parent: Context, name: string, attributes: Attributes, more: Attributes): OpenSpan {
    return openSpan(this.setup, { name, kind: SpanKind.INTERNAL, parent, attributes, more });
  }
}
