import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { scripted, type Turn, text, toolCall } from "../../../src/providers/scripted/index.js";
import { checkStream } from "../../../src/testing/provider/stream-grammar.js";
import { ask } from "./request.js";

const USAGE = { inputTokens: 10, outputTokens: 5 };

test("a string is a string answer that stops", async () => {
  const events = await ask(scripted(["Hello."]));

  expect(events).toEqual([
    { type: "message-start" },
    { type: "text-delta", text: "Hello." },
    { type: "message-end", finishReason: "stop", usage: USAGE },
  ]);
});

test("toolCall is a turn of its own, with counted ids", async () => {
  const provider = scripted([
    toolCall("bash", { command: "ls" }),
    toolCall("now"),
    toolCall("now", {}, { id: "mine" }),
  ]);

  const first = await ask(provider);
  const second = await ask(provider);
  const third = await ask(provider);

  const call = { id: "call_1", name: "bash", arguments: { command: "ls" } };
  expect(first).toEqual([
    { type: "message-start" },
    { type: "tool-call-start", index: 0, id: "call_1", name: "bash" },
    { type: "tool-call-delta", index: 0, json: '{"command":"ls"}' },
    { type: "tool-call-end", index: 0, call },
    { type: "message-end", finishReason: "tool-calls", usage: USAGE },
  ]);
  expect(checkStream(second).calls).toEqual([{ id: "call_2", name: "now", arguments: {} }]);
  expect(checkStream(third).calls).toEqual([{ id: "mine", name: "now", arguments: {} }]);
});

test("an array is one message with its pieces in order", async () => {
  const provider = scripted([["First", toolCall("a"), text("then", { finishReason: "length" }), toolCall("b")]]);

  const events = await ask(provider);

  expect(events.map(briefly)).toEqual([
    "message-start",
    "text-delta First",
    "tool-call-start 0",
    "tool-call-delta 0",
    "tool-call-end 0",
    "text-delta then",
    "tool-call-start 1",
    "tool-call-delta 1",
    "tool-call-end 1",
    "message-end length",
  ]);
});

test("an object plays reasoning, text and calls, in this order", async () => {
  const usage = { inputTokens: 1, outputTokens: 2, reasoningTokens: 1 };
  const turn: Turn = { toolCalls: [toolCall("a"), { name: "b", arguments: [1] }], text: "T", reasoning: "R", usage };

  const events = await ask(scripted([turn]));

  expect(events.map(briefly).slice(1, 5)).toEqual([
    "reasoning-delta R",
    "reasoning-end",
    "text-delta T",
    "tool-call-start 0",
  ]);
  expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "tool-calls", usage });
});

test("the parts of a recorded assistant message are pieces of a turn", async () => {
  const provider = scripted([
    [
      { type: "reasoning", text: "R", providerData: { signature: "s" } },
      { type: "text", text: "T" },
      { type: "tool-call", id: "x", name: "a", arguments: {} },
    ],
  ]);

  const events = await ask(provider);

  expect(events.slice(1, 4)).toEqual([
    { type: "reasoning-delta", text: "R" },
    { type: "reasoning-end", providerData: { signature: "s" } },
    { type: "text-delta", text: "T" },
  ]);
  expect(checkStream(events).calls).toEqual([{ id: "x", name: "a", arguments: {} }]);
});

test("a malformed call streams its raw text and keeps it", async () => {
  const events = await ask(scripted([toolCall("bash", {}, { malformed: '{"command": "l' })]));

  expect(events.slice(2, 4)).toEqual([
    { type: "tool-call-delta", index: 0, json: '{"command": "l' },
    {
      type: "tool-call-end",
      index: 0,
      call: { id: "call_1", name: "bash", arguments: {}, malformed: '{"command": "l' },
    },
  ]);
});

test("a turn without content ends at once", async () => {
  const provider = scripted(["", [], { finishReason: "tool-calls", usage: "none" }]);

  const answers = [await ask(provider), await ask(provider), await ask(provider)];

  const empty = [{ type: "message-start" }, { type: "message-end", finishReason: "stop", usage: USAGE }];
  expect(answers).toEqual([
    empty,
    empty,
    [{ type: "message-start" }, { type: "message-end", finishReason: "tool-calls" }],
  ]);
});

test("events are played word for word", async () => {
  const events: ProviderEvent[] = [
    { type: "tool-call-end", index: 3, call: { id: "", name: "a", arguments: {} } },
    { type: "message-start", model: "m" },
  ];

  expect(await ask(scripted([{ events }]))).toEqual(events);
});

test("restartAfter is streamed and then voided by a restart event", async () => {
  const provider = scripted([text("whole", { restartAfter: ["ha", toolCall("a")] })]);

  const events = await ask(provider);

  expect(events.map(briefly)).toEqual([
    "message-start",
    "text-delta ha",
    "tool-call-start 0",
    "tool-call-delta 0",
    "tool-call-end 0",
    "restart",
    "message-start",
    "text-delta whole",
    "message-end stop",
  ]);
  expect(events[5]).toMatchObject({ attempt: 1, delayMs: 0, error: { code: "STREAM_BROKEN", retryable: true } });
});

test("any text in chunks of any size adds up, without splitting a character", async () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
  const size = fc.integer({ min: 1, max: 9 });

  await fc.assert(
    fc.asyncProperty(anyText, fc.jsonValue(), size, size, async (said, args, chunkSize, argumentChunkSize) => {
      const events = await ask(scripted([[said, toolCall("a", args as never), { chunkSize, argumentChunkSize }]]));

      const message = checkStream(events);
      expect(message.text).toBe(said);
      expect(JSON.stringify(message.calls[0]?.arguments)).toBe(JSON.stringify(args));
      for (const event of events) {
        if (event.type === "text-delta") expect(() => encodeURIComponent(event.text)).not.toThrow();
        if (event.type === "text-delta") expect(event.text.length).toBeLessThanOrEqual(chunkSize + 1);
      }
    }),
    { numRuns: process.env.PROVE ? 20_000 : 200 },
  );
});

test("a turn that cannot be played is refused at once, by its number", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const refused: [unknown, string][] = [
    [42, "holds a number"],
    [null, "holds null"],
    [undefined, "holds a undefined"],
    [["ok", [text("nested")]], "unknown field"],
    [{ txt: "typo" }, 'unknown field "txt"'],
    [{ toolCalls: [{ arguments: {} }] }, "without a name"],
    [{ text: "both", events: [] }, "both"],
    [text("x", { chunkSize: 0 }), "chunkSize: 0"],
    [text("x", { chunkSize: 1.5 }), "chunkSize: 1.5"],
    [text("x", { argumentChunkSize: Number.NaN }), "argumentChunkSize: NaN"],
    [text("x", { delayMs: -1 }), "delayMs: -1"],
    [text("x", { delayMs: Number.POSITIVE_INFINITY }), "delayMs: Infinity"],
    [text("x", { errorAfterChunks: -1 }), "errorAfterChunks: -1"],
    [toolCall("a", cyclic as never), "not JSON"],
    [toolCall("a", (() => 1) as never), "not JSON"],
  ];

  for (const [turn, problem] of refused) {
    expect(() => scripted(["fine", turn as Turn])).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringMatching(/^Turn 2 of/) }),
    );
    expect(() => scripted(["fine", turn as Turn])).toThrow(problem);
  }
});

test("turns that are not array are refused", () => {
  expect(() => scripted("Hello." as never)).toThrow('scripted() got turns of type "string"');
});

function briefly(event: ProviderEvent): string {
  const about =
    "text" in event ? event.text : "index" in event ? event.index : "finishReason" in event ? event.finishReason : "";
  return `${event.type} ${about}`.trim();
}
