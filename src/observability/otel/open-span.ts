import type { Attributes, Context, Span, SpanKind, Tracer } from "@opentelemetry/api";
import type { AgentMetrics } from "./agent-metrics.js";
import { trace } from "./otel-api.js";

export interface TraceSetup {
  readonly tracer: Tracer;
  readonly metrics: AgentMetrics;
  /** Whether prompts, arguments, results and replies are written down. */
  readonly content: boolean;
}

/** A span that has not ended. */
export interface OpenSpan {
  readonly span: Span;
  /** The spans inside it. */
  readonly context: Context;
  /** The attributes that metrics have, too. */
  readonly attributes: Attributes;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: Context;
  /** The attributes that metrics have, too. */
  readonly attributes: Attributes;
  /** The span's alone. */
  readonly more: Attributes;
}

export function openSpan({ tracer }: TraceSetup, { name, kind, parent, attributes, more }: SpanStart): OpenSpan {
  const span = tracer.startSpan(name, { kind, attributes: { ...attributes, ...more } }, parent);
  return { span, context: trace.setSpan(parent, span), attributes, startedAt: performance.now() };
}

export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
