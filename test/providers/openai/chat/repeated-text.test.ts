import { expect, test } from "vitest";
import { ChunkReader } from "../../../../src/providers/openai/chat/chunk-reader.js";
import { RepeatedText } from "../../../../src/providers/openai/chat/repeated-text.js";
import { checkStream } from "../../../../src/testing/provider/stream-grammar.js";

function read(...pieces: string[]): string {
  const said = new RepeatedText();
  return pieces.map((piece) => said.take(piece)).join("") + said.finish();
}

const LONG = "A sentence that is long enough to be told from chance.";

test.each<[string, string[], string]>([
  ["what is new", ["Hel", "lo ", "you"], "Hello you"],
  ["all so far with each piece", ["Hel", "Hello", "Hello you", "Hello you", "Hello you."], "Hello you."],
  ["all so far, in two long pieces", [LONG, `${LONG} More.`], `${LONG} More.`],
  ["all of it again at the end", ["A sentence that is", LONG.slice(18), LONG], LONG],
  ["one long piece, and all of it again", [LONG, LONG], LONG],
])("of a server that sends %s, the text is said once", (_what, pieces, text) => {
  expect(read(...pieces)).toBe(text);
});

test.each<[string, string[]]>([
  ["short words said twice", ["ha", "haha", "!"]],
  ["short words said twice at the end", ["ha", "haha"]],
  ["a row of one character", ["-", "--", "---"]],
  ["the same piece again", ["again ", "again ", "again "]],
  ["all of it again in the middle", [LONG, LONG, " And on."]],
])("text that only seems to be repeated is passed on as it came: %s", (_what, pieces) => {
  expect(read(...pieces)).toBe(pieces.join(""));
});

function message(...deltas: object[]) {
  const reader = new ChunkReader("p", () => new Set(["look"]));
  for (const delta of deltas) reader.read({ id: "1", choices: [{ index: 0, delta }] });
  reader.read({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  reader.finish();
  return checkStream(reader.events);
}

test("reasoning, text and arguments that come anew with each piece are whole, each once", () => {
  const called = (json: string) => ({
    tool_calls: [{ index: 0, id: "c", function: { name: "look", arguments: json } }],
  });

  const { reasoning, text, calls } = message(
    { reasoning_content: "Let" },
    { reasoning_content: "Let me" },
    { reasoning_content: "Let me see" },
    { content: "I" },
    { content: "I will" },
    { content: "I will look." },
    called('{"a'),
    called('{"a": [{}, '),
    called('{"a": [{}, {}]'),
    called('{"a": [{}, {}]}'),
  );

  expect([reasoning, text]).toEqual(["Let me see", "I will look."]);
  expect(calls).toMatchObject([{ name: "look", arguments: { a: [{}, {}] } }]);
});
