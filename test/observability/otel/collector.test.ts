// One round trip over the collectors' own protocol: what an OpenTelemetry SDK exports of a run, read by a server.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { AgentEngine, defineTool } from "loopwright";
import { instrument } from "loopwright/observability/otel";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { expect, test } from "vitest";

interface Sent {
  readonly resourceSpans?: {
    scopeSpans: { spans: { name: string; spanId: string; parentSpanId?: string; attributes: Attribute[] }[] }[];
  }[];
  readonly resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[];
}
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

test("a collector receives the spans and metrics of a run", async () => {
  const received = new Map<string, Sent>();
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received.set(request.url!, JSON.parse(body) as Sent);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const tracers = new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
    exportIntervalMillis: 3_600_000,
  });
  const meters = new MeterProvider({ readers: [reader] });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    execute: async () => "seen",
  });
  const engine = new AgentEngine({ provider: scripted([toolCall("look"), text("Done.")]), tools: [look] });
  instrument(engine, { tracer: tracers.getTracer("app"), meter: meters.getMeter("app") });

  await engine.run("Look.", { sessionId: "s" });
  await Promise.all([tracers.forceFlush(), meters.forceFlush()]);
  await Promise.all([tracers.shutdown(), meters.shutdown()]);
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));

  const spans = received
    .get("/v1/traces")!
    .resourceSpans!.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const run = spans.find(({ name }) => name === "invoke_agent")!;
  const metrics = received
    .get("/v1/metrics")!
    .resourceMetrics!.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(spans.map(({ name }) => name).sort()).toEqual([
    "chat scripted",
    "chat scripted",
    "execute_tool look",
    "invoke_agent",
  ]);
  for (const span of spans) if (span !== run) expect(span.parentSpanId).toBe(run.spanId);
  expect(run.attributes).toContainEqual({ key: "gen_ai.conversation.id", value: { stringValue: "s" } });
  expect(metrics.map(({ name }) => name).sort()).toEqual([
    "gen_ai.client.operation.duration",
    "gen_ai.client.operation.time_to_first_chunk",
    "gen_ai.client.token.usage",
    "gen_ai.execute_tool.duration",
  ]);
});
