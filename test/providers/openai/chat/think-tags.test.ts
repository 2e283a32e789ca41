import { expect, test } from "vitest";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { ThinkTags } from "../../../../src/providers/openai/chat/think-tags.js";
import { chatChunks, sse } from "../../../../src/testing/fault-server/index.js";
import { checkStream } from "../../../../src/testing/provider/stream-grammar.js";
import { outcome, play, request } from "../streams.js";

const THOUGHT = { extra_content: { google: { thought: true } } };

function told(text: string, size: number) {
  let [answer, reasoning] = ["", ""];
  const tags = new ThinkTags({
    text: (piece) => {
      answer += piece;
    },
    reasoning: (piece) => {
      reasoning += piece;
    },
  });
  for (let at = 0; at < text.length; at += size) tags.push(text.slice(at, at + size));
  tags.finish();
  return { answer, reasoning };
}

const CASES: readonly (readonly [string, string, string])[] = [
  ["<think>\nHm.\n</think>\n\nYes.", "Hm.\n", "Yes."],
  ["\n<think>a < b </thin ok</think>x", "a < b </thin ok", "x"],
  ["No <think> here.", "", "No <think> here."],
  ["<thin", "", "<thin"],
  ["<think>never ends </th", "never ends </th", ""],
  ["<think></think>", "", ""],
  ["<reasoning>Hm.</think></reasoning>Yes.", "Hm.</think>", "Yes."],
  ["<thinking>Hm.</thinking>Yes.", "Hm.", "Yes."],
  ["<thinker>", "", "<thinker>"],
  ["plain", "", "plain"],
];

for (const [text, reasoning, answer] of CASES) {
  test(`${JSON.stringify(text)} is distinguished, wherever it is cut`, () => {
    for (let size = 1; size <= text.length; size++) expect(told(text, size)).toEqual({ reasoning, answer });
  });
}

test("tags in the stream of a server become reasoning, also in front of a call", async () => {
  const answer = { text: "<think>Look.</think>Looking.", toolCalls: [{ name: "look", arguments: {} }], pieceSize: 3 };
  const tagged = await play({ body: sse(chatChunks(answer)) }, { compat: { thinkTags: true } });
  const plain = await play({ body: sse(chatChunks(answer)) });

  const read = checkStream((await outcome(tagged.provider.stream(request()))).events);
  const unread = checkStream((await outcome(plain.provider.stream(request()))).events);

  expect(read).toMatchObject({ reasoning: "Look.", text: "Looking.", calls: [{ name: "look" }] });
  expect(unread).toMatchObject({ reasoning: "", text: answer.text });
});

test("an empty list of calls beside each piece ends neither a tag nor the reasoning", async () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: { ...delta, tool_calls: [] }, finish_reason }],
  });
  const tagged = ["<thi", "nk>Hm.</thi", "nk>Yes."].map((content) => chunk({ content }));
  const plain = ["Hm", "."].map((reasoning_content) => chunk({ content: "", reasoning_content }));
  const streams = [tagged, [...plain, chunk({ content: "Yes." })]].map((chunks) => [...chunks, chunk({}, "stop")]);
  const { provider } = await play(
    streams.map((chunks) => ({ body: sse(chunks as never) })),
    { compat: { thinkTags: true } },
  );

  for (let at = 0; at < streams.length; at++) {
    const { events } = await outcome(provider.stream(request()));
    const kinds = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    expect(kinds).toEqual(["message-start", "reasoning-delta", "reasoning-end", "text-delta", "message-end"]);
    const said = events.map((event) => ("text" in event ? event.text : "")).join("");
    expect(said).toBe("Hm.Yes.");
  }
});

test("reasoning between tags does not go back, least of all as a part that another vendor has", async () => {
  const answer = { text: "<think>Look.</think>Looking.", toolCalls: [{ name: "look", arguments: {} }] };
  const replies = [{ body: sse(chatChunks(answer)) }, { body: sse(chatChunks({ text: "Seen." })) }];
  const { provider, server } = await play(replies, { compat: { thinkTags: true } });
  const look = defineTool({ name: "look", description: "Looks.", permission: "read_only", execute: async () => "x" });

  await new AgentEngine({ provider, tools: [look] }).run("Go.");

  const { messages } = server.requests[1]!.body as { messages: { role: string; content: unknown }[] };
  expect(messages.find(({ role }) => role === "assistant")).toMatchObject({ content: "Looking." });
});

test.each<[what: string, deltas: object[]]>([
  [
    "between tags",
    [{ content: "<thought>Hm,", ...THOUGHT }, { content: " well.", ...THOUGHT }, { content: "</thought>Yes." }],
  ],
  ["marked alone", [{ content: "Hm,", ...THOUGHT }, { content: " well.", ...THOUGHT }, { content: "Yes." }]],
  ["in one piece", [{ content: "<thought>Hm, well.</thought>Yes.", ...THOUGHT }]],
])("thoughts of Google's models are reasoning: %s", async (_what, deltas) => {
  const chunks = [...deltas, {}].map((delta, at) => ({
    choices: [{ index: 0, delta, finish_reason: at === deltas.length ? "stop" : null }],
  }));
  const { provider } = await play({ body: sse(chunks as never) });

  const read = checkStream((await outcome(provider.stream(request()))).events);

  expect(read).toMatchObject({ reasoning: "Hm, well.", text: "Yes." });
});
