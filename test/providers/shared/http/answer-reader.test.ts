// The structured answer as the call of a tool, for models that have no other way: Gemini 2.5 beside tools, and older Claude models.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../../src/contracts/provider.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { namedSse, sse } from "../../../../src/testing/fault-server/index.js";
import { playAnthropic } from "../../anthropic/streams.js";
import { playGoogle } from "../../google/streams.js";
import { outcome, request } from "../../openai/streams.js";

/** One part of a response: words, or the arguments of a call. */
type Said = string | { readonly [tool: string]: JsonObject };

const answer = (a: number): Said => ({ structured_output: { a } });
const look: Said = { look: {} };

const VENDORS = { google: asGoogle, anthropic: asAnthropic };
const BOTH = Object.entries(VENDORS);

async function asGoogle(...said: readonly Said[]) {
  const parts = said.map((one): JsonObject => {
    if (typeof one === "string") return { text: one };
    const [name, args] = Object.entries(one)[0]!;
    return { functionCall: { name, args } };
  });
  const chunks = [...parts.map((part) => ({ content: { parts: [part] } })), { finishReason: "STOP" }];
  const body = sse(
    chunks.map((candidate): JsonObject => ({ candidates: [candidate as JsonObject] })),
    { done: false },
  );
  return (await playGoogle({ body }, { model: "gemini-2.5-pro" })).provider;
}

async function asAnthropic(...said: readonly Said[]) {
  const blocks = said.flatMap((one, index): JsonObject[] => {
    const [name, args] = typeof one === "string" ? [] : Object.entries(one)[0]!;
    const [start, delta]: JsonObject[] =
      typeof one === "string"
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: one },
          ]
        : [
            { type: "tool_use", id: `toolu_${index}`, name: name!, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(args) },
          ];
    return [
      { type: "content_block_start", index, content_block: start! },
      { type: "content_block_delta", index, delta: delta! },
      { type: "content_block_stop", index },
    ];
  });
  const stop = { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } };
  const body = namedSse([{ type: "message_start", message: {} }, ...blocks, stop, { type: "message_stop" }]);
  return (await playAnthropic({ body }, { model: "claude-3-5-sonnet-20241022" })).provider;
}

const output = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } as const;

/** What a response comes as: `text`, `(reasoning)`, `[call]`, and why it ended. */
async function read(play: typeof asGoogle, ...said: readonly Said[]): Promise<string> {
  const { events } = await outcome((await play(...said)).stream(request({ output }, "look")));
  return events.map(shortly).join("");
}

function shortly(event: ProviderEvent): string {
  if (event.type === "text-delta") return event.text;
  if (event.type === "reasoning-delta") return `(${event.text})`;
  if (event.type === "tool-call-end") return `[${event.call.name}]`;
  return event.type === "message-end" ? ` ${event.finishReason}` : "";
}

test.each(BOTH)("words beside an answer that comes as a call are reasoning: %s", async (_vendor, play) => {
  expect(await read(play, "Here is", " the result:", answer(1))).toBe('(Here is)( the result:){"a":1} stop');
  expect(await read(play, "First.", answer(1), "Done.")).toBe('(First.){"a":1}(Done.) stop');
  expect(await read(play, answer(1), answer(2))).toBe('{"a":1} stop');
});

test.each(BOTH)("words that no answer follows are text, in their place: %s", async (_vendor, play) => {
  expect(await read(play, "I look.", look)).toBe("I look.[look] tool-calls");
  expect(await read(play, "I look.", look, answer(1))).toBe('I look.[look]{"a":1} tool-calls');
  expect(await read(play, '{"a":', "1}")).toBe('{"a":1} stop');
});

test.each(BOTH)(
  "the text of a run is the answer alone, and its words stay in the message: %s",
  async (_vendor, play) => {
    const tool = defineTool({
      name: "look",
      description: "Looks.",
      permission: "none",
      input: { type: "object" },
      execute: async () => "",
    });
    const engine = new AgentEngine({ provider: await play("Here is the result:", answer(1)), tools: [tool] });

    const result = await engine.run("One.", { output });

    expect(result).toMatchObject({ status: "completed", text: '{"a":1}', output: { a: 1 } });
    expect(result.messages().at(-1)!.content).toMatchObject([
      { type: "reasoning", text: "Here is the result:" },
      { type: "text" },
    ]);
  },
);
