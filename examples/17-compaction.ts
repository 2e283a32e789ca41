// Shows: a run far longer than the model's window: compaction keeps each request small and the transcript whole.
// Run:   npx tsx examples/17-compaction.ts
// Expect: 120 turns in a window of 8,000 tokens; what the user said at the start is still in the last request.
import assert from "node:assert/strict";
import { AgentEngine, defineTool } from "loopwright";
import { createCompactionPipeline, createCompactTool } from "loopwright/compaction";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const TURNS = 120;
const readPage = defineTool({
  name: "read_page",
  description: "Reads a page of the log.",
  permission: "read_only",
  execute: async (_input, { turn }) => `Page ${turn}\n${"nothing to see on this line\n".repeat(60)}`,
});
const pages = Array.from({ length: TURNS - 2 }, (_, page) => toolCall("read_page", { page }));
const provider = scripted([...pages, toolCall("compact", { focus: "the ticket" }), text("Found nothing.")], {
  contextWindow: 8_000,
  maxOutputTokens: 1_000,
});
const engine = new AgentEngine({
  provider,
  tools: [readPage, createCompactTool()],
  compaction: createCompactionPipeline(), // no summarizer: no model is asked
  limits: { maxTurns: 2 * TURNS },
});
engine.on("compaction", ({ turn, report }) => {
  console.log(`turn ${turn}: ${report.stage}, ${report.beforeTokens} to ${report.afterTokens} tokens`);
});

const result = await engine.run("Read the whole log for ticket PAY-913. Never print customer names.", {
  sessionId: "log",
});
const usage = await engine.contextUsage("log");
console.log(
  `${result.turns} turns, ${result.messages().length} messages, ${usage.used} of ${usage.contextWindow} tokens`,
);

assert.equal(result.status, "completed");
assert.equal(result.messages().length, 2 * TURNS, "the transcript is whole");
assert.ok(usage.used < 7_000);
const last = provider.requests.at(-1)!;
assert.ok(last.messages.length < 60);
assert.match(JSON.stringify(last.messages), /PAY-913. Never print customer names/);
provider.assertExhausted();
