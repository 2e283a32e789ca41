// What spans and metrics cost a run, with an SDK that keeps them in memory: three spans and a few counts for each turn.
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { AgentEngine, defineTool } from "loopwright";
import { instrument } from "loopwright/observability/otel";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const TURNS = 200;
const plan = { rounds: isQuick ? 3 : 9, warmups: 1 };
const look = defineTool({
  name: "look",
  description: "Looks.",
  permission: "read_only",
  execute: async () => "x".repeat(1_000),
});
const exporter = new InMemorySpanExporter();
const tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = tracers.getTracer("bench");

async function run(watch?: (engine: AgentEngine) => () => void): Promise<void> {
  const calls = Array.from({ length: TURNS }, (_, n) => toolCall("look", { n }));
  const engine = new AgentEngine({
    provider: scripted([...calls, text("done")]),
    tools: [look],
    limits: { maxTurns: TURNS + 1 },
  });
  const stop = watch?.(engine);
  await engine.run("go");
  stop?.();
  exporter.reset();
}

const measured = await interleave(
  {
    floor: () => run(),
    unheard: () => run((engine) => instrument(engine)),
    heard: () => run((engine) => instrument(engine, { tracer })),
  },
  plan,
);
await tracers.shutdown();

const perTurn = (ms: number) => (ms * 1_000) / TURNS;
report([
  {
    what: "a turn with one call, traced by OpenTelemetry's SDK in memory (floor: not traced)",
    unit: "µs",
    floor: perTurn(measured.floor),
    ours: perTurn(measured.heard),
    budgets: [],
  },
  {
    what: "the same, instrumented without an SDK",
    unit: "µs",
    floor: perTurn(measured.floor),
    ours: perTurn(measured.unheard),
    budgets: [],
  },
]);
