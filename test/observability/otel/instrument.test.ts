import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";
import {
  AgentEngine,
  type BaseTool,
  defineTool,
  type EngineOptions,
  type ProviderAdapter,
  ProviderError,
} from "loopwright";
import { type InstrumentOptions, instrument } from "loopwright/observability/otel";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { afterAll, beforeAll, expect, test } from "vitest";
import { play, scenario } from "../../laws/random-run.js";
import { runs } from "../../runs.js";

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

const look = defineTool({ name: "look", description: "Looks.", permission: "read_only", execute: async () => "seen" });
const deploy = defineTool({
  name: "deploy",
  description: "Deploys.",
  permission: "execute",
  execute: async () => "deployed to the moon",
});

function recorder() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const spans = () => exporter.getFinishedSpans();
  /** Spans as `parent > name`, in the order in which they began. */
  const tree = () => {
    const all = [...spans()].sort((a, b) => idOf(a).localeCompare(idOf(b)));
    const nameOf = (id: string | undefined) => all.find((span) => span.spanContext().spanId === id)?.name ?? "";
    return all.map((span) => `${nameOf(span.parentSpanContext?.spanId)} > ${span.name}`).sort();
  };
  return { tracer: provider.getTracer("test"), spans, tree, provider };
}

const idOf = (span: ReadableSpan) => span.startTime.join(".");

function traced(options: EngineOptions, more: InstrumentOptions = {}) {
  const record = recorder();
  const engine = new AgentEngine(options);
  const stop = instrument(engine, { tracer: record.tracer, ...more });
  return { ...record, engine, stop, find: (name: string) => record.spans().filter((span) => span.name === name) };
}

test("a run is invoke_agent with chat and execute_tool inside, by the conventions' names", async () => {
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 5 };
  const provider = scripted([toolCall("look"), text("Done.")], { id: "google", model: "gemini-x", usage });
  const { engine, tree, find, spans } = traced({ provider, tools: [look], prices: () => 0.5 }, { agentName: "scout" });

  await engine.run("Look.", { sessionId: "s-1" });

  expect(tree()).toEqual([
    " > invoke_agent scout",
    "invoke_agent scout > chat gemini-x",
    "invoke_agent scout > chat gemini-x",
    "invoke_agent scout > execute_tool look",
  ]);
  expect(find("chat gemini-x")[0]!.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.request.model": "gemini-x",
    "gen_ai.conversation.id": "s-1",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 20,
    "gen_ai.usage.cache_read.input_tokens": 60,
    "gen_ai.usage.cache_creation.input_tokens": 5,
    "loopwright.cost_usd": 0.5,
  });
  expect(find("execute_tool look")[0]!.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look",
    "gen_ai.tool.call.id": expect.any(String),
    "loopwright.tool.status": "success",
  });
  expect(find("invoke_agent scout")[0]!.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "scout",
    "gen_ai.conversation.id": "s-1",
    "loopwright.run.status": "completed",
  });
  expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
});

test("what a response says of itself is on its span", async () => {
  const provider = {
    id: "openai",
    model: "gpt-x",
    async *stream() {
      yield { type: "message-start", id: "resp_1", model: "gpt-x-2026" } as const;
      yield { type: "text-delta", text: "Hi." } as const;
      yield { type: "message-end", finishReason: "stop" } as const;
    },
  };
  const { engine, find } = traced({ provider });

  await engine.run("Hi.");

  expect(find("chat gpt-x")[0]!.attributes).toMatchObject({
    "gen_ai.response.id": "resp_1",
    "gen_ai.response.model": "gpt-x-2026",
    "loopwright.usage.estimated": true,
  });
});

test("sub-agents side by side are each inside the call that has started them", async () => {
  const names = ["left", "right"];
  const subagents = names.map((name) => defineSubagent({ name, description: name, systemPrompt: `You are ${name}.` }));
  const provider = scripted(
    [
      ({ system, messages }) => {
        const isChild = system[0]?.text.startsWith("You are");
        if (messages.at(-1)?.role === "tool") return text("Done.");
        return isChild
          ? toolCall("look")
          : names.map((name) => toolCall("task", { prompt: "Go.", subagent_type: name }));
      },
    ],
    { loop: true },
  );
  const { engine, spans, find } = traced({ provider, tools: [look, ...createSubagentTools({ subagents })] });

  await engine.run("Go.");

  const parentOf = (span: ReadableSpan) =>
    spans().find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId);
  const parents = names.map((name) => parentOf(find(`invoke_agent ${name}`)[0]!)!);
  expect(parents.map(({ name }) => name)).toEqual(["execute_tool task", "execute_tool task"]);
  expect(parents[0]!.spanContext().spanId).not.toBe(parents[1]!.spanContext().spanId);
  expect(
    find("execute_tool look")
      .map((span) => parentOf(span)!.name)
      .sort(),
  ).toEqual(names.map((name) => `invoke_agent ${name}`));
});

test("calls that a tool makes are inside its span", async () => {
  const survey = defineTool({
    name: "survey",
    description: "Looks around.",
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    execute: async (_input, { calls }) => {
      const seen = await calls!.run([
        { name: "look", input: {} },
        { name: "look", input: {} },
      ]);
      return seen.map(({ output }) => String(output)).join();
    },
  });
  const { engine, tree } = traced({ provider: scripted([toolCall("survey"), text("Done.")]), tools: [look, survey] });

  await engine.run("Go.");

  expect(tree().filter((line) => line.includes("execute_tool"))).toEqual([
    "execute_tool survey > execute_tool look",
    "execute_tool survey > execute_tool look",
    "invoke_agent > execute_tool survey",
  ]);
});

test("each attempt at a model call is a chat span; those that failed say why", async () => {
  const overloaded = () => new ProviderError("OVERLOADED", { message: "busy", retryable: true });
  const provider = scripted([{ error: overloaded() } as never, { error: overloaded() } as never, text("At last.")]);
  const { engine, find } = traced({ provider, retry: { baseMs: 1, maxMs: 1 } });

  await engine.run("Hi.");

  const attempts = find("chat scripted");
  expect(attempts.map(({ attributes }) => attributes["error.type"])).toEqual(["OVERLOADED", "OVERLOADED", undefined]);
  expect(attempts.map(({ status }) => status.code)).toEqual([
    SpanStatusCode.ERROR,
    SpanStatusCode.ERROR,
    SpanStatusCode.UNSET,
  ]);
});

test("what a provider traces after a wait is inside the attempt that has waited", async () => {
  const record = recorder();
  let attempts = 0;
  const provider: ProviderAdapter = {
    id: "own",
    model: "m",
    async *stream(request) {
      record.tracer.startSpan("request").end();
      if (++attempts === 1) throw new ProviderError("OVERLOADED", { message: "busy", retryable: true });
      yield* scripted([text("At last.")]).stream(request);
    },
  };
  // The wait is longer than a quarter of the silence that is allowed: the timer of the first attempt is used again.
  const retry = { baseMs: 1_500, maxMs: 1_500, jitter: 0, idleTimeoutMs: 4_000 };
  const engine = new AgentEngine({ provider, retry });
  instrument(engine, { tracer: record.tracer });

  await engine.run("Hi.");

  const named = (name: string) => record.spans().filter((span) => span.name === name);
  const chats = named("chat m").map((span) => span.spanContext().spanId);
  expect(chats).toHaveLength(attempts);
  expect(named("request").map((span) => span.parentSpanContext?.spanId)).toEqual(chats);
});

test("a run that fails has its error's code, and no message of the model or a tool", async () => {
  const provider = scripted([{ error: new ProviderError("AUTH", { message: "key sk-secret is wrong" }) } as never]);
  const { engine, find, spans } = traced({ provider });

  const { status } = await engine.run("Hi.");

  expect(status).toBe("failed");
  expect(find("invoke_agent")[0]).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "AUTH", "loopwright.run.status": "failed" },
  });
  expect(
    JSON.stringify(spans().map(({ attributes, status, events }) => ({ attributes, status, events }))),
  ).not.toContain("sk-secret");
});

test("a wait for an approval is a span inside its call, with who answered what", async () => {
  const provider = scripted([toolCall("deploy"), text("Done.")]);
  const approver = async () => ({ decision: "allow" as const, by: "ada" });
  const { engine, find, tree } = traced({ provider, tools: [deploy], approver });

  await engine.run("Deploy.");

  expect(tree()).toContain("execute_tool deploy > wait_for_approval");
  expect(find("wait_for_approval")[0]!.attributes).toMatchObject({
    "loopwright.approval.outcome": "allow",
    "loopwright.approval.by": "ada",
    "loopwright.approval.wait_s": expect.any(Number),
  });
});

test("a run that goes on in another process is linked to the one before it by its traceparent", async () => {
  const sessions = createMemorySessionStore();
  const kept = new Map<string, string>();
  const traceparents = {
    get: async (id: string) => kept.get(id),
    set: async (id: string, traceparent: string) => void kept.set(id, traceparent),
  };
  const first = traced({ provider: scripted([toolCall("deploy")]), tools: [deploy], sessions }, { traceparents });
  const { pending } = await first.engine.run("Deploy.", { sessionId: "s" });
  const second = traced({ provider: scripted([text("Done.")]), tools: [deploy], sessions }, { traceparents });

  const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, by: "ada" }));
  await second.engine.resume("s", { answers }).result;

  const [before, after] = [first.find("invoke_agent")[0]!, second.find("invoke_agent")[0]!];
  const { traceId, spanId } = before.spanContext();
  expect(before.attributes["loopwright.run.status"]).toBe("needs-approval");
  expect(first.find("wait_for_approval")[0]!.attributes["loopwright.approval.outcome"]).toBe("suspended");
  expect(after.links).toEqual([
    expect.objectContaining({ context: expect.objectContaining({ traceId, spanId, isRemote: true }) }),
  ]);
  expect(after.events.map(({ name }) => name)).toContain("loopwright.approval_answered");
  expect(second.find("execute_tool deploy")).toHaveLength(1);
});

test.each([
  ["throws", () => raise()],
  ["rejects", async () => raise()],
])("a run whose traceparents.get %s has its spans", async (_how, get) => {
  const traceparents = { get, set: () => {} };
  const { engine, find } = traced({ provider: scripted([text("Hi.")]) }, { traceparents });

  await engine.run("Hi.");

  expect(find("invoke_agent")).toHaveLength(1);
});

function raise(): never {
  throw new Error("store");
}

test("a run is part of the trace that is active where it is started", async () => {
  const { engine, tracer, spans } = traced({ provider: scripted([text("Hi.")]) });
  const request = tracer.startSpan("POST /chat");

  await context.with(trace.setSpan(context.active(), request), () => engine.run("Hi."));
  request.end();

  expect(spans().map((span) => span.spanContext().traceId)).toEqual(Array(3).fill(request.spanContext().traceId));
});

test("content is written down only where it is asked for", async () => {
  const turns = () =>
    scripted([{ text: "A word.", toolCalls: [{ name: "deploy", arguments: { to: "moon" } }] } as never, text("Fin.")]);
  const approver = async () => ({ decision: "allow" as const });
  const quiet = traced({ provider: turns(), tools: [deploy], approver });
  const open = traced({ provider: turns(), tools: [deploy], approver }, { content: true });

  await quiet.engine.run("Deploy.");
  await open.engine.run("Deploy.");

  const all = (spans: readonly ReadableSpan[]) =>
    JSON.stringify(spans.map(({ attributes, events }) => ({ attributes, events })));
  expect(all(quiet.spans())).not.toMatch(/moon|word|Fin/);
  expect(open.find("execute_tool deploy")[0]!.attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"to":"moon"}',
    "gen_ai.tool.call.result": "deployed to the moon",
  });
  expect(JSON.parse(String(open.find("chat scripted")[0]!.attributes["gen_ai.output.messages"]))).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "text", content: "A word." },
        { type: "tool_call", id: expect.any(String), name: "deploy", arguments: { to: "moon" } },
      ],
      finish_reason: "tool_calls",
    },
  ]);
});

test("with content, a model call says what the model was sent: system, newest messages, without secrets", async () => {
  const provider = scripted([{ text: "A word.", toolCalls: [{ name: "look", arguments: {} }] } as never, text("Fin.")]);
  const record = traced({ provider, tools: [look], systemPrompt: "Be brief." }, { content: true });

  await record.engine.run([
    { type: "text", text: "My key is ghp_abcdefghijklmnopqrstuvwxyz0123456789." },
    { type: "image", mediaType: "image/png", data: "AAAA" },
  ]);

  const [first, second] = record.find("chat scripted").map(({ attributes }) => attributes);
  expect(JSON.parse(String(first!["gen_ai.system_instructions"]))).toEqual([{ type: "text", content: "Be brief." }]);
  const asked = {
    role: "user",
    parts: [
      { type: "text", content: "My key is [redacted GitHub token]." },
      { type: "image", mime_type: "image/png", base64_chars: 4 },
    ],
  };
  expect(JSON.parse(String(first!["gen_ai.input.messages"]))).toEqual([asked]);
  expect(JSON.parse(String(second!["gen_ai.input.messages"]))).toEqual([
    asked,
    {
      role: "assistant",
      parts: [
        { type: "text", content: "A word." },
        { type: "tool_call", id: expect.any(String), name: "look", arguments: {} },
      ],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: expect.any(String), response: "seen" }] },
  ]);
  expect(second).not.toHaveProperty("loopwright.input.omitted_messages");
});

test("content that is too long is cut and stays JSON; of many messages the newest are kept", async () => {
  const echo = defineTool({
    name: "echo",
    description: "Echoes.",
    permission: "read_only",
    execute: async () => "\ud83d\ude00".repeat(4_000),
  });
  const calls = Array.from({ length: 6 }, (_, n) => toolCall("echo", { n, long: '"'.repeat(30_000) }));
  const { engine, find } = traced(
    { provider: scripted([...calls, text("\u0001".repeat(50_000))]), tools: [echo] },
    { content: true },
  );

  await engine.run("Go.");

  const chats = find("chat scripted").map(({ attributes }) => attributes);
  const last = JSON.parse(String(chats.at(-1)!["gen_ai.input.messages"])) as {
    role: string;
    parts: { response: string }[];
  }[];
  expect(last.at(-1)!.role).toBe("tool");
  expect(last.at(-1)!.parts[0]!.response).toHaveLength(8_000);
  expect(chats.at(-1)!["loopwright.input.omitted_messages"]).toBe(13 - last.length);
  for (const attributes of chats) {
    const output = String(attributes["gen_ai.output.messages"]);
    expect(JSON.parse(output)).toHaveLength(1);
    expect(output.length + String(attributes["gen_ai.input.messages"]).length).toBeLessThan(200_000);
  }
});

test("what tools and providers trace by themselves is inside their call's span", async () => {
  const record = recorder();
  const inner = (name: string) => record.tracer.startSpan(name).end();
  const work = (name: string) =>
    defineTool({
      name,
      description: "Works.",
      permission: "read_only",
      async execute() {
        inner(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        inner(`${name} ends`);
        return "done";
      },
    });
  const steps: BaseTool = {
    name: "steps",
    permission: "read_only",
    definition: () => ({ name: "steps", description: "Steps.", inputSchema: { type: "object" } }),
    async *execute() {
      inner("step 1");
      yield { at: 1 };
      inner("step 2");
      return "done";
    },
  };
  const turns = scripted([[toolCall("left"), toolCall("right"), toolCall("steps")], text("Done.")]);
  const provider: ProviderAdapter = {
    id: "own",
    model: "m",
    async *stream(request) {
      inner("request");
      for await (const event of turns.stream(request)) {
        if (event.type === "message-end") inner("reply");
        yield event;
      }
    },
  };
  const engine = new AgentEngine({ provider, tools: [work("left"), work("right"), steps] });
  instrument(engine, { tracer: record.tracer });

  await engine.run("Go.");
  inner("afterwards");

  expect(record.tree().filter((line) => !line.startsWith("invoke_agent"))).toEqual([
    " > afterwards",
    " > invoke_agent",
    "chat m > reply",
    "chat m > reply",
    "chat m > request",
    "chat m > request",
    "execute_tool left > left begins",
    "execute_tool left > left ends",
    "execute_tool right > right begins",
    "execute_tool right > right ends",
    "execute_tool steps > step 1",
    "execute_tool steps > step 2",
  ]);
});

test("what a tool throws, and what it returns, is what it was, and a tool outside a run is inside its span, too", async () => {
  const record = recorder();
  const fail = defineTool({
    name: "fail",
    description: "Fails.",
    permission: "read_only",
    execute: () => {
      record.tracer.startSpan("inner").end();
      throw new Error("broken on purpose");
    },
  });
  const engine = new AgentEngine({ provider: scripted([]), tools: [fail] });
  const stop = instrument(engine, { tracer: record.tracer });

  const result = await engine.execute({ id: "c", name: "fail", arguments: {} });
  stop();
  await engine.execute({ id: "d", name: "fail", arguments: {} });

  expect(result).toMatchObject({ status: "failure", output: expect.stringContaining("broken on purpose") });
  expect(record.tree()).toEqual([" > execute_tool fail", " > inner", "execute_tool fail > inner"]);
});

test("calls outside a run are spans of their own", async () => {
  const { engine, tree } = traced({ provider: scripted([]), tools: [look] });

  await engine.execute({ id: "c", name: "look", arguments: {} });

  expect(tree()).toEqual([" > execute_tool look"]);
});

test("a call that is left with its question ends its spans when its session goes on", async () => {
  const { engine, find, spans } = traced({ provider: scripted([]), tools: [deploy] });
  const call = { id: "c", name: "deploy", arguments: {} };
  const left = await engine.execute(call, { sessionId: "s", suspend: true });
  const [{ id }] = Reflect.get(Object(left.details), "pending") as [{ id: string }];
  expect(spans()).toEqual([]);

  await engine.execute(call, { sessionId: "s", suspend: true, answers: [{ id, decision: "allow" }] });

  expect(find("execute_tool deploy").map(({ attributes }) => attributes["loopwright.tool.status"])).toEqual([
    "suspended",
    "success",
  ]);
  expect(find("wait_for_approval")).toHaveLength(1);
});

test("what is no engine is refused", () => {
  for (const wrong of [undefined, {}, "engine"])
    expect(() => instrument(wrong as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});

test("tokens, durations and cost are measured", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const provider = scripted([toolCall("look"), text("Done.")], { usage: { inputTokens: 7, outputTokens: 3 } });
  const { engine, find } = traced({ provider, tools: [look], prices: () => 0.25 }, { meter: meters.getMeter("test") });

  await engine.run("Look.");
  await reader.forceFlush();
  const measured = exporter.getMetrics().at(-1)!.scopeMetrics[0]!.metrics;
  await meters.shutdown();

  const points = (name: string) => measured.find(({ descriptor }) => descriptor.name === name)!.dataPoints;
  expect(
    points("gen_ai.client.token.usage").map(({ attributes, value }) => [
      attributes["gen_ai.token.type"],
      (value as { sum: number }).sum,
    ]),
  ).toEqual([
    ["input", 14],
    ["output", 6],
  ]);
  expect(
    points("gen_ai.client.operation.duration").map(({ attributes }) => attributes["gen_ai.operation.name"]),
  ).toEqual(["chat", "invoke_agent"]);
  expect(points("gen_ai.execute_tool.duration")[0]!.attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look",
  });
  expect(points("loopwright.cost")[0]!.value).toBe(0.5);
  const [firstChunk] = points("gen_ai.client.operation.time_to_first_chunk");
  expect(firstChunk).toMatchObject({
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "scripted" },
    value: { count: 2 },
  });
  for (const { attributes } of find("chat scripted"))
    expect(attributes["gen_ai.response.time_to_first_chunk"]).toBeGreaterThanOrEqual(0);
});

test("an exporter, tracer or store that throws changes nothing, and what was stopped records nothing", async () => {
  const broken: SpanExporter = {
    export() {
      throw new Error("exporter");
    },
    shutdown: async () => {},
  };
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(broken)] });
  const throwing = {
    startSpan: () => {
      throw new Error("tracer");
    },
    startActiveSpan: () => {},
  };
  const traceparents = {
    get: () => {
      throw new Error("store");
    },
    set: () => {},
  };
  for (const options of [{ tracer: provider.getTracer("x") }, { tracer: throwing as never }, { traceparents }]) {
    const engine = new AgentEngine({ provider: scripted([toolCall("look"), text("Done.")]), tools: [look] });
    instrument(engine, options);

    expect((await engine.run("Look.")).orThrow().text).toBe("Done.");
  }
  const { engine, stop, spans } = traced({ provider: scripted([text("Done.")]) });
  stop();
  await engine.run("Hi.");
  expect(spans()).toEqual([]);
});

test("over random runs: every span ends, and every call and reply of a run has one inside it", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const { events } = await play(plan);
      const { tracer, spans } = recorder();
      const listeners = new Map<string, (event: unknown) => void>();
      const engine = { on: (type: string, listen: never) => void listeners.set(type, listen), off: () => {} };
      const stop = instrument(engine as never, { tracer });
      for (const event of events) listeners.get(event.type)?.(event);
      stop();

      const count = (name: string) => spans().filter((span) => span.name.startsWith(name)).length;
      const started = new Set(
        events.flatMap((event) => (event.type === "tool-call-start" ? [`${event.runId} ${event.call.id}`] : [])),
      );
      expect(count("invoke_agent")).toBe(events.filter(({ type }) => type === "run-start").length);
      expect(count("chat")).toBe(
        events.filter(({ type }) => type === "model-call-start" || type === "model-restart").length,
      );
      expect(count("execute_tool")).toBeGreaterThanOrEqual(started.size);
      const ids = new Set(spans().map((span) => span.spanContext().spanId));
      for (const span of spans())
        if (!span.name.startsWith("invoke_agent")) expect(ids).toContain(span.parentSpanContext?.spanId);
    }),
    { numRuns: runs(12, 200, 2_000) },
  );
});

test("of a picture that the model makes, spans with content have the kind and the size", async () => {
  const provider = scripted([["Here:", { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }]]);
  const { engine, find } = traced({ provider }, { content: true });

  await engine.run("Draw.");

  expect(JSON.parse(String(find("chat scripted")[0]!.attributes["gen_ai.output.messages"]))).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "text", content: "Here:" },
        { type: "image", mime_type: "image/png", base64_chars: 12 },
      ],
      finish_reason: "stop",
    },
  ]);
});
