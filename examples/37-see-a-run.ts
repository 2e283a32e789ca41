// Shows: one run as an HTML page to read, and as OpenTelemetry spans.
// Run:   npx tsx examples/37-see-a-run.ts [page.html]
// Expect: the tree of spans, and a page with a sub-agent inside its call; with a file name the page is kept there.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { AgentEngine, defineTool, type ProviderRequest } from "loopwright";
import { renderSession } from "loopwright/observability";
import { instrument } from "loopwright/observability/otel";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";

const lookUp = defineTool({
  name: "look_up",
  description: "Looks a word up.",
  permission: "read_only",
  execute: async () => "Loom: a machine for weaving.",
});
const librarian = defineSubagent({
  name: "librarian",
  description: "Knows words.",
  systemPrompt: "You look words up.",
});

// Without a key a script plays the models; any provider would do.
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      const isLibrarian = system[0]?.text.startsWith("You look") ?? false;
      if (messages.at(-1)?.role === "tool") return text(isLibrarian ? "A machine for weaving." : "A loom weaves.");
      return isLibrarian
        ? toolCall("look_up", { word: "loom" })
        : toolCall("task", { prompt: "What is a loom?", subagent_type: "librarian" });
    },
  ],
  { loop: true },
);
const sessions = createMemorySessionStore();
const engine = new AgentEngine({
  provider,
  sessions,
  tools: [lookUp, ...createSubagentTools({ subagents: [librarian] })],
});

const exporter = new InMemorySpanExporter();
const tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
instrument(engine, { tracer: tracers.getTracer("example"), agentName: "main" });
await engine.run("What is a loom?", { sessionId: "loom" });
await engine.close();

const spans = exporter.getFinishedSpans();
function show(parent: string | undefined, depth: number): void {
  for (const span of spans.filter((one) => one.parentSpanContext?.spanId === parent)) {
    console.log("  ".repeat(depth) + span.name);
    show(span.spanContext().spanId, depth + 1);
  }
}
show(undefined, 0);

const page = await renderSession(sessions.read("loom"), { sessions, title: "What is a loom?" });
const [file] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
if (file) await writeFile(file, page);
console.log(`a page of ${Math.round(page.length / 1_024)} KB`);

const librarianSpan = spans.find(({ name }) => name === "invoke_agent librarian");
const task = spans.find(({ name }) => name === "execute_tool task");
assert.equal(librarianSpan?.parentSpanContext?.spanId, task?.spanContext().spanId, "the sub-agent is inside its call");
assert.match(page, /Content-Security-Policy/);
assert.match(page, /a machine for weaving/i);
