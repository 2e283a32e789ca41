// Adapters of every wire format, composed: each fails in the way of its vendor, and the run goes on with the next.
import { expect, test } from "vitest";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { google } from "../../../src/providers/google/index.js";
import { withFallback, withRateLimit } from "../../../src/providers/index.js";
import { openai } from "../../../src/providers/openai/index.js";
import {
  anthropicEvents,
  createFaultServer,
  googleChunks,
  namedSse,
  responseEvents,
  sse,
} from "../../../src/testing/fault-server/index.js";

test("each vendor's failure in the middle hands over to the next; no call runs twice, and no text is doubled", async () => {
  const calls = [{ name: "look", arguments: { a: 1 } }];
  const half = namedSse(anthropicEvents({ text: "Let me", toolCalls: calls, stopReason: null }));
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const failed = { type: "response.failed", response: { error: { code: "server_error", message: "Broke." } } };
  await using claude = await createFaultServer({ body: half + namedSse([overloaded]) });
  await using gpt = await createFaultServer({
    body: sse([...responseEvents({ text: "I will", toolCalls: calls, finishReason: null }), failed], {
      named: true,
      done: false,
    }),
  });
  await using gemini = await createFaultServer((_, index) => ({
    body: sse(googleChunks(index === 0 ? { text: "Looking.", toolCalls: calls } : { text: "Done." }), { done: false }),
    splitEvery: 47,
  }));
  const provider = withFallback([
    withRateLimit(anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: claude.url }), { concurrent: 1 }),
    withRateLimit(openai({ model: "gpt-5.1", api: "responses", apiKey: "k", baseURL: gpt.url }), { concurrent: 1 }),
    withRateLimit(google({ model: "gemini-3-pro", apiKey: "k", baseURL: gemini.url }), { concurrent: 1 }),
  ]);
  const inputs: unknown[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "none",
    input: { type: "object", properties: { a: { type: "number" } } },
    execute: async (input: unknown) => {
      inputs.push(input);
      return "seen";
    },
  });

  const engine = new AgentEngine({ provider, tools: [look] });
  const result = await engine.run("Look.");

  expect(result).toMatchObject({ status: "completed", text: "Done.", turns: 2 });
  expect(inputs).toEqual([{ a: 1 }]);
  expect([claude, gpt, gemini].map(({ requests }) => requests.length)).toEqual([1, 1, 2]);
  const wire = JSON.stringify(gemini.requests[1]!.body);
  expect(wire).toContain("Looking.");
  expect(wire).not.toMatch(/Let me|I will/);
});

test("an account without credit hands over, although its vendor answers with 400", async () => {
  const message = "Your credit balance is too low to access the Anthropic API.";
  await using claude = await createFaultServer({
    status: 400,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
  });
  await using gemini = await createFaultServer({ body: sse(googleChunks({ text: "Yes." }), { done: false }) });
  const provider = withFallback([
    anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: claude.url }),
    google({ model: "gemini-3-pro", apiKey: "k", baseURL: gemini.url }),
  ]);

  expect(await new AgentEngine({ provider }).run("?")).toMatchObject({ status: "completed", text: "Yes." });
});
