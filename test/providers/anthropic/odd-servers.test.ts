// Servers that speak the protocol with mistakes of their own.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import { playAnthropic } from "./streams.js";

async function read(events: readonly JsonObject[] | string) {
  const { provider } = await playAnthropic({ body: typeof events === "string" ? events : namedSse(events) });
  return outcome(provider.stream(request({}, "look")));
}

const START = anthropicEvents({ text: "x", stopReason: null })[0]!;
const end = (stop_reason: string): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

test("arguments whose index is wrong go to the call under way, and never to another that is over", async () => {
  const json = (index: number, partial_json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const call = (index: number, id: string) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id, name: "look", input: {} },
  });
  const stop = (index: number) => ({ type: "content_block_stop", index });

  const { events } = await read([
    START,
    ...block(0, { type: "text", text: "Let me." }),
    call(1, "a"),
    json(0, '{"n":'),
    json(7, "1}"),
    stop(1),
    call(2, "b"),
    json(1, '{"n":9}'),
    json(2, '{"n":2}'),
    stop(2),
    ...end("tool_use"),
  ]);

  expect(callsOf(events).map(({ id, arguments: given }) => [id, given])).toEqual([
    ["a", { n: 1 }],
    ["b", { n: 2 }],
  ]);
});

test("a block that begins twice in the same words is one block", async () => {
  const begun = (index: number, content_block: JsonObject) => ({ type: "content_block_start", index, content_block });
  const twice = (index: number, content_block: JsonObject, ...deltas: JsonObject[]) => [
    begun(index, content_block),
    ...block(index, content_block, ...deltas),
  ];
  const named = { type: "tool_use", id: "a", name: "look", input: {} };
  const unnamed = { type: "tool_use", name: "look", input: {} };
  const input = { type: "input_json_delta", partial_json: '{"n":1}' };

  const { events } = await read([
    START,
    ...twice(0, { type: "thinking", thinking: "" }, { type: "signature_delta", signature: "c2ln" }),
    ...twice(1, named, input),
    ...twice(2, unnamed, input),
    ...end("tool_use"),
  ]);

  const thought = events.filter(({ type }) => type === "reasoning-end");
  expect(thought).toEqual([
    { type: "reasoning-end", providerData: { by: "anthropic/claude-opus-5", signature: "c2ln" } },
  ]);
  expect(callsOf(events).map(({ id, arguments: given }) => [id, given])).toEqual([
    ["a", { n: 1 }],
    ["call_2", { n: 1 }],
    ["call_1", {}],
  ]);
});

test("thinking whose start is missing keeps its signature", async () => {
  const delta = (index: number, said: JsonObject) => ({ type: "content_block_delta", index, delta: said });
  const { events } = await read([
    START,
    delta(0, { type: "thinking_delta", thinking: "Hm." }),
    delta(0, { type: "signature_delta", signature: "c2ln" }),
    { type: "content_block_stop", index: 0 },
    delta(1, { type: "text_delta", text: "Yes." }),
    ...end("end_turn"),
  ]);

  expect(events).toContainEqual({
    type: "reasoning-end",
    providerData: { by: "anthropic/claude-opus-5", signature: "c2ln" },
  });
  expect(textOf(events)).toBe("Yes.");
});

test("blocks in the start of a message come before those that follow it, unless these count from the beginning", async () => {
  const start = { ...START, message: { ...(START.message as JsonObject), content: [{ type: "text", text: "Yes" }] } };
  const said = (index: number) => block(index, { type: "text", text: "" }, { type: "text_delta", text: ", Yes." });

  const behind = await read([start, ...said(1), ...end("end_turn")]);
  const again = await read([start, ...said(0), ...end("end_turn")]);

  expect(textOf(behind.events)).toBe("Yes, Yes.");
  expect(textOf(again.events)).toBe(", Yes.");
});

test("a start that holds the whole message says in which container it was made", async () => {
  const message = {
    ...(START.message as JsonObject),
    content: [{ type: "tool_use", id: "a", name: "look", input: { n: 1 } }],
    container: { id: "container_1" },
    stop_reason: "tool_use",
  };
  const { events } = await read([{ ...START, message }, { type: "message_stop" }]);

  expect(callsOf(events)).toEqual([{ id: "a", name: "look", arguments: { n: 1 } }]);
  expect(events).toContainEqual({
    type: "reasoning-end",
    providerData: { by: "anthropic/claude-opus-5", container: { id: "container_1" } },
  });
});

test("a whole message without its type is read", async () => {
  const message = { id: "m", role: "assistant", content: [{ type: "text", text: "Yes." }], stop_reason: "end_turn" };
  const { events, error } = await read(JSON.stringify(message));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Yes.");
});
