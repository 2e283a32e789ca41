// The spans of one run: invoke_agent, and inside it each attempt at a model call, each tool call and each wait for an
// answer. Every span that begins ends with the run at the latest.
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { EventOf } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import type { AgentMetrics } from "./agent-metrics.js";
import { contentAttribute, MAX_CONTENT_CHARS, outputMessages } from "./content.js";
import {
  CONVERSATION,
  ERROR_TYPE,
  finishReason,
  OPERATION,
  OUTPUT_MESSAGES,
  PROVIDER,
  providerName,
  REQUEST_MODEL,
  RESPONSE_FINISH_REASONS,
  RESPONSE_ID,
  RESPONSE_MODEL,
  TOOL_ARGUMENTS,
  TOOL_CALL_ID,
  TOOL_NAME,
  TOOL_RESULT,
  TOOL_TYPE,
  usageAttributes,
} from "./conventions.js";

export interface TraceSetup {
  readonly tracer: Tracer;
  readonly metrics: AgentMetrics;
  /** Whether arguments, results and replies are written down. */
  readonly content: boolean;
}

interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
  readonly attributes: Attributes;
  readonly startedAt: number;
}

interface OpenReply extends OpenSpan {
  text: string;
  readonly calls: JsonValue[];
}

/** One run, or calls that a host has made outside any run. */
export class RunTrace {
  #chat: OpenReply | null = null;
  /** With content: the reply whose calls are being announced. */
  #replied: { readonly chat: OpenReply; readonly reason: string; readonly endedAt: number } | null = null;
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
  ) {}

  get isQuiet(): boolean {
    return this.#calls.size === 0 && this.#chat === null;
  }

  /** What a sub-agent's spans are children of. */
  contextOfCall(toolCallId: string | undefined): Context {
    return (toolCallId !== undefined && this.#calls.get(toolCallId)?.context) || this.context;
  }

  modelCallStart({ provider, model }: Pick<EventOf<"model-call-start">, "provider" | "model">): void {
    this.endReply();
    // The one before has failed without a word, as when the request was too long and is sent again.
    this.#endChat({ [ERROR_TYPE]: "_OTHER" });
    const attributes = { [OPERATION]: "chat", [PROVIDER]: providerName(provider), [REQUEST_MODEL]: model };
    const open = this.#open(`chat ${model}`, SpanKind.CLIENT, attributes, this.context, {
      [CONVERSATION]: this.sessionId,
      "gen_ai.request.stream": true,
    });
    this.#chat = { ...open, text: "", calls: [] };
  }

  /** An attempt failed; the next one is a span of its own. */
  modelRestart({ attempt, error }: EventOf<"model-restart">): void {
    const { [PROVIDER]: provider, [REQUEST_MODEL]: model } = this.#chat?.attributes ?? {};
    this.#endChat({ [ERROR_TYPE]: error.code });
    if (typeof provider !== "string" || typeof model !== "string") return;
    this.modelCallStart({ provider, model });
    this.#chat?.span.setAttribute("loopwright.retry", attempt);
  }

  modelCallEnd({ finishReason: reason, usage, costUsd, response = {} }: EventOf<"model-call-end">): void {
    const chat = this.#chat;
    if (!chat) return;
    chat.span.setAttributes({
      ...usageAttributes(usage),
      [RESPONSE_FINISH_REASONS]: [finishReason(reason)],
      [RESPONSE_MODEL]: response.model ?? chat.attributes[REQUEST_MODEL],
      ...(response.id !== undefined && { [RESPONSE_ID]: response.id }),
      ...(costUsd !== null && { "loopwright.cost_usd": costUsd }),
    });
    this.setup.metrics.modelCall(chat.attributes, secondsSince(chat.startedAt), usage, costUsd);
    this.#chat = null;
    if (!this.setup.content) chat.span.end();
    else this.#replied = { chat, reason: finishReason(reason), endedAt: Date.now() };
  }

  /** Ends the span of a reply once all of its calls are known. */
  endReply(): void {
    if (!this.#replied) return;
    const { chat, reason, endedAt } = this.#replied;
    this.#replied = null;
    chat.span.setAttribute(OUTPUT_MESSAGES, outputMessages(chat, reason));
    chat.span.end(endedAt);
  }

  /** Text of the reply under way, when content is written down. */
  addText(text: string): void {
    if (this.#chat && this.#chat.text.length < MAX_CONTENT_CHARS) this.#chat.text += text;
  }

  toolCallStart({ call }: EventOf<"tool-call-start">): void {
    const { id, name, arguments: input } = call;
    if (this.setup.content)
      (this.#chat ?? this.#replied?.chat)?.calls.push({ type: "tool_call", id, name, arguments: input });
    // A call is announced again when a new attempt of the model adopts it.
    if (this.#calls.has(id)) return;
    const attributes = { [OPERATION]: "execute_tool", [TOOL_NAME]: name };
    const open = this.#open(`execute_tool ${name}`, SpanKind.INTERNAL, attributes, this.context, {
      [TOOL_CALL_ID]: id,
      [TOOL_TYPE]: "function",
      [CONVERSATION]: this.sessionId,
      ...(this.setup.content && { [TOOL_ARGUMENTS]: contentAttribute(input) }),
    });
    this.#calls.set(id, open);
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
      ...(this.setup.content && { [TOOL_RESULT]: contentAttribute(output as JsonValue) }),
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
    this.#waits.set(toolCallId, this.#open(`wait_for_${kind}`, SpanKind.INTERNAL, attributes, call.context, more));
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
    this.endReply();
    const isFailed = failure !== undefined && (status === "failed" || status === "output-invalid");
    this.#endChat({ [ERROR_TYPE]: failure?.code ?? status });
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

  /** Of an attempt that failed or was cut off. */
  #endChat(attributes: Attributes): void {
    const chat = this.#chat;
    if (!chat) return;
    this.#chat = null;
    chat.span.setAttributes(attributes);
    chat.span.setStatus({ code: SpanStatusCode.ERROR });
    this.setup.metrics.modelCall({ ...chat.attributes, ...attributes }, secondsSince(chat.startedAt), undefined, null);
    chat.span.end();
  }

  /** `attributes` are those that metrics have, too; `more` are the span's alone. */
  #open(name: string, kind: SpanKind, attributes: Attributes, parent: Context, more: Attributes): OpenSpan {
    const span = this.setup.tracer.startSpan(name, { kind, attributes: { ...attributes, ...more } }, parent);
    return { span, context: trace.setSpan(parent, span), attributes, startedAt: performance.now() };
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
