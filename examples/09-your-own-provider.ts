// Shows: a provider written by hand. This one needs no model: it answers by rules.
// Run:   npx tsx examples/09-your-own-provider.ts
// Expect: "6 × 7 = 42"
import assert from "node:assert/strict";
import {
  AgentEngine,
  defineTool,
  type ProviderAdapter,
  ProviderError,
  type ProviderEvent,
  type ProviderRequest,
} from "loopwright";
import * as z from "zod";

/** Turns "6 times 7" into a tool call, and the tool's result into text. */
const calculator: ProviderAdapter = {
  id: "by-rules",
  model: "calculator-1",
  async *stream({ messages }: ProviderRequest): AsyncGenerator<ProviderEvent> {
    const last = messages.at(-1);
    const usage = { inputTokens: messages.length, outputTokens: 1 };
    yield { type: "message-start" };
    if (last?.role === "tool") {
      for (const { output } of last.content) yield { type: "text-delta", text: String(output) };
      yield { type: "message-end", finishReason: "stop", usage };
      return;
    }
    const question = last?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
    const [, a, b] = /(\d+) times (\d+)/.exec(question) ?? [];
    // A failure is thrown, never yielded. One marked `retryable` would be tried again.
    if (!a || !b) throw new ProviderError("BAD_REQUEST", { message: `"${question}" is not a multiplication.` });
    yield { type: "tool-call-start", index: 0, id: "call_1", name: "multiply" };
    const call = { id: "call_1", name: "multiply", arguments: { a: Number(a), b: Number(b) } };
    yield { type: "tool-call-delta", index: 0, json: JSON.stringify(call.arguments) };
    yield { type: "tool-call-end", index: 0, call };
    yield { type: "message-end", finishReason: "tool-calls", usage };
  },
};

const multiply = defineTool({
  name: "multiply",
  description: "Multiplies two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  permission: "none",
  execute: async ({ a, b }) => `${a} × ${b} = ${a * b}`,
});

const engine = new AgentEngine({ provider: calculator, tools: [multiply] });
const result = await engine.run("What is 6 times 7?");
const refused = await engine.run("Write a poem.");
console.log(`${result.text}\n${refused.status}: ${refused.error?.message}`);

assert.equal(result.text, "6 × 7 = 42");
assert.equal(refused.status, "failed");
assert.equal(refused.error?.code, "BAD_REQUEST");
