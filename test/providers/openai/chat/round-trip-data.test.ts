import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { chatChunks, sse } from "../../../../src/testing/fault-server/index.js";
import { play } from "../streams.js";

type Sent = { readonly role: string; readonly tool_calls?: readonly object[] } & JsonObject;

/** The assistant message that goes back after an answer in these deltas. */
async function replayed(deltas: readonly object[]): Promise<Sent> {
  const chunks = [...deltas, {}].map((delta, index) => ({
    choices: [{ index: 0, delta, finish_reason: index === deltas.length ? "tool_calls" : null }],
  })) as unknown as JsonObject[];
  const { provider, server } = await play([{ body: sse(chunks) }, { body: sse(chatChunks({ text: "Done." })) }]);
  const read = defineTool({ name: "read", description: "Reads.", permission: "read_only", execute: async () => "x" });

  const { status } = await new AgentEngine({ provider, tools: [read] }).run("Go.");

  expect(status).toBe("completed");
  const { messages } = server.requests[1]!.body as { messages: Sent[] };
  return messages.find(({ role }) => role === "assistant")!;
}

const call = (index: number, more: object = {}) => ({
  index,
  id: `call-${index}`,
  function: { name: "read", arguments: "{}" },
  ...more,
});

test("reasoning details go back as they came, the pieces of one text joined", async () => {
  const text = (piece: object) => ({ type: "reasoning.text", index: 0, format: "f", ...piece });
  const encrypted = { type: "reasoning.encrypted", id: "call-0", data: "abc", index: 1 };

  const message = await replayed([
    { reasoning: "Let me", reasoning_details: [text({ text: "Let me" })] },
    { reasoning: " see.", reasoning_details: [text({ text: " see.", signature: null })] },
    { content: "", reasoning_details: [text({ signature: "signed" })] },
    { tool_calls: [call(0)], reasoning_details: [encrypted] },
  ]);

  expect(message.reasoning_details).toEqual([text({ text: "Let me see.", signature: "signed" }), encrypted]);
  expect(message).not.toHaveProperty("reasoning");
});

test("encrypted details that name two calls stay two, though their index is one", async () => {
  const encrypted = (place: number) => ({ type: "reasoning.encrypted", id: `call-${place}`, data: "abc", index: 0 });

  const message = await replayed([0, 1].map((n) => ({ tool_calls: [call(n)], reasoning_details: [encrypted(n)] })));

  expect(message.reasoning_details).toEqual([encrypted(0), encrypted(1)]);
});

test("what a server puts on a call goes back on the same call", async () => {
  const extra_content = { google: { thought_signature: "signed" } };

  const message = await replayed([{ tool_calls: [call(0), call(1, { extra_content })] }]);

  expect(message.tool_calls).toEqual([
    { id: "call-0", type: "function", function: { name: "read", arguments: "{}" } },
    { id: "call-1", type: "function", function: { name: "read", arguments: "{}" }, extra_content },
  ]);
});

test("details that would fill the memory, or are not, do not go back", async () => {
  const huge = { type: "reasoning.text", index: 0, text: "x".repeat(1_000_000) };
  const tooMuch = Array.from({ length: 5 }, () => ({ reasoning_details: [huge] }));

  for (const deltas of [tooMuch, [{ reasoning_details: ["text", null, 7] }], [{ reasoning_details: {} }]]) {
    expect(await replayed([...deltas, { tool_calls: [call(0)] }])).not.toHaveProperty("reasoning_details");
  }
});

test("opaque reasoning goes back whole, beside the text it belongs to", async () => {
  const message = await replayed([
    { reasoning_text: "Let me", reasoning_opaque: "abc" },
    { reasoning_text: " see.", reasoning_opaque: "def" },
    { tool_calls: [call(0)] },
  ]);

  expect(message).toMatchObject({ reasoning_text: "Let me see.", reasoning_opaque: "abcdef" });
});
