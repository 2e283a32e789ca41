// Shows: an agent with a tool of its own, run to its final answer.
// Run:   npx tsx examples/01-hello.ts (the model is scripted: no key, no network)
// Expect: "It is 14:05 in Lisbon."
import assert from "node:assert/strict";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

const localTime = defineTool({
  name: "local_time",
  description: "Tells the time of day in a city.",
  input: z.object({ city: z.string() }),
  permission: "read_only",
  execute: async ({ city }) => `14:05 in ${city}`,
});

// What a model would answer: first a tool call, then, once it has the result, text.
const provider = scripted([toolCall("local_time", { city: "Lisbon" }), text("It is 14:05 in Lisbon.")]);

const engine = new AgentEngine({ provider, tools: [localTime], systemPrompt: "Answer in one sentence." });
const result = await engine.run("What time is it in Lisbon?");

console.log(result.text);

assert.equal(result.status, "completed");
assert.equal(provider.requests[1]?.lastToolResult?.output, "14:05 in Lisbon");
