// What newer Claude models refuse although older ones take it: they are asked once more in the words that they take.
import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import { anthropicEvents, type FaultReply, namedSse } from "../../../src/testing/fault-server/index.js";
import { outcome, request } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { playAnthropic } from "./streams.js";

const ANSWER: FaultReply = { body: namedSse(anthropicEvents({ text: "Yes." })) };

const refusal = (message: string): FaultReply => ({
  status: 400,
  body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
});

const user = { role: "user", content: [{ type: "text", text: "Go on." }] };
const thought = {
  type: "reasoning",
  text: "Hm.",
  provider: "anthropic",
  providerData: { by: "anthropic/claude-fable-5-1", signature: "c2ln" },
};
const THOUGHT = [
  user,
  {
    role: "assistant",
    content: [thought, { type: "text", text: "Yes." }],
    finishReason: "stop",
    provider: "anthropic",
    model: "claude-fable-5-1",
  },
  user,
] as unknown as Message[];

const STALE =
  "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove it, or set `thinking.block_binding.prefix_mismatch_behavior`.";

test("thinking whose conversation has changed since is dropped by the API, with what it wants for that", async () => {
  const { provider, server } = await playAnthropic([refusal(STALE), ANSWER], {
    model: "claude-fable-5-1",
    betas: ["mine-2026-01-01"],
  });

  const { error } = await outcome(provider.stream(request({ messages: THOUGHT, reasoning: "high" })));
  await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  const [, asked, fresh] = server.requests;
  expect((asked!.body as WireBody).thinking).toEqual({
    type: "adaptive",
    display: "summarized",
    block_binding: { prefix_mismatch_behavior: "drop_block" },
  });
  expect((asked!.body as WireBody).messages[1].content[0].type).toBe("thinking");
  expect(asked!.headers["anthropic-beta"]).toBe("mine-2026-01-01,thinking-binding-controls-2026-08-01");
  expect((fresh!.body as WireBody).thinking).toBeUndefined();
  expect(fresh!.headers["anthropic-beta"]).toBe("mine-2026-01-01");
});

test.each([
  ["does not know how to drop it", "thinking.adaptive.block_binding: Extra inputs are not permitted"],
  ["refuses it all the same", STALE],
])("where the API %s, stale thinking stays away", async (_what, message) => {
  const { provider, server } = await playAnthropic([refusal(STALE), refusal(message), ANSWER], {
    model: "claude-fable-5-1",
  });

  const { error } = await outcome(provider.stream(request({ messages: THOUGHT })));

  expect(error).toBeUndefined();
  const { messages, thinking } = server.requests[2]!.body as WireBody;
  expect(messages[1].content.map(({ type }: { type: string }) => type)).toEqual(["text"]);
  expect(thinking).toBeUndefined();
});

test("a model that cannot be made to call a tool is left to call one", async () => {
  const { provider, server } = await playAnthropic([
    refusal('tool_choice: type "tool" and "any" are not supported for this model'),
    ANSWER,
  ]);

  const { error } = await outcome(provider.stream(request({ toolChoice: "required" }, "look")));
  await outcome(provider.stream(request({ toolChoice: "none" }, "look")));

  expect(error).toBeUndefined();
  expect(server.requests.map(({ body }) => (body as WireBody).tool_choice?.type)).toEqual(["any", undefined, "none"]);
});

test.each([
  ["names another way", "thinking.type: `disabled` is not supported; use `between_tools`.", { type: "between_tools" }],
  ["names none", "thinking.type: `disabled` is not supported for this model.", undefined],
])("a model that cannot stop thinking thinks as little as it can, where the API %s", async (_what, said, thinking) => {
  const { provider, server } = await playAnthropic([refusal(said), ANSWER], { model: "claude-sonnet-5-5" });

  const { error } = await outcome(provider.stream(request({ reasoning: "none" })));

  expect(error).toBeUndefined();
  expect((server.requests[1]!.body as WireBody).thinking).toEqual(thinking);
});

test.each([
  ["messages.1.content.0: Input tag 'fallback' found using 'type' does not match any of the expected tags: 'text'"],
  ["Tool reference 'lookup' not found in available tools"],
])("the server's own work that it does not know any more stays away, and thinking goes back: %s", async (message) => {
  const { provider, server } = await playAnthropic([refusal(message), ANSWER], { model: "claude-fable-5-1" });
  const [first, answer, last] = THOUGHT as [Message, { content: object[] }, Message];
  const block = { type: "fallback", from: { model: "claude-fable-5-1" }, to: { model: "claude-opus-4-8" } };
  const work = { ...thought, text: "", providerData: { by: "anthropic/claude-fable-5-1", block } };
  const messages = [first, { ...answer, content: [work, ...answer.content] }, last] as Message[];

  const { error } = await outcome(provider.stream(request({ messages })));

  expect(error).toBeUndefined();
  const kinds = server.requests.map(({ body }) =>
    (body as WireBody).messages[1].content.map(({ type }: object & { type: string }) => type),
  );
  expect(kinds).toEqual([
    ["fallback", "thinking", "text"],
    ["thinking", "text"],
  ]);
});
