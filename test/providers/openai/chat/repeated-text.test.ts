import { expect, test } from "vitest";
import { ChunkReader } from "../../../../src/providers/openai/chat/chunk-reader.js";
import { RepeatedText } from "../../../../src/providers/openai/chat/repeated-text.js";
import { compatProfiles, openai } from "../../../../src/providers/openai/index.js";
import { sse } from "../../../../src/testing/fault-server/index.js";
import { checkStream } from "../../../../src/testing/provider/stream-grammar.js";
import { outcome, request, textOf } from "../streams.js";

function read(...pieces: string[]): string {
  const said = new RepeatedText();
  return pieces.map((piece) => said.take(piece)).join("") + said.finish();
}

const LONG = "A sentence that is long enough to be told from chance.";

test.each<[string, string[], string]>([
  ["what is new", ["Hel", "lo ", "you"], "Hello you"],
  ["all so far with each piece", ["Hel", "Hello", "Hello you", "Hello you", "Hello you."], "Hello you."],
  ["all so far, in two long pieces", [LONG, `${LONG} More.`], `${LONG} More.`],
  ["all so far, in two pieces", ["The answer", "The answer is 42."], "The answer is 42."],
  ["all so far, in a word and a sentence", ["Yes", "Yes, it is."], "Yes, it is."],
  ["all so far, the last piece twice", ["Yes", "Yes, it is.", "Yes, it is."], "Yes, it is."],
  ["all so far, the first piece twice", ["Yes", "Yes", "Yes, it", "Yes, it is."], "Yes, it is."],
  ["all so far, the second piece twice", ["He", "Hello", "Hello", "Hello wo"], "Hello wo"],
  ["all so far, short", ["1", "10", "100"], "100"],
])("of a server that sends %s, the text is said once", (_what, pieces, text) => {
  expect(read(...pieces)).toBe(text);
});

test.each<[string, string[]]>([
  ["short words said twice", ["ha", "haha", "!"]],
  ["short words said twice at the end", ["ha", "haha"]],
  ["short words said three times", ["ha", "haha!"]],
  ["a number in two pieces", ["1", "10"]],
  ["one letter", ["慢", "慢来"]],
  ["a beginning that comes again, in new text", ["co", "coa", " is", " hot"]],
  ["the same piece again, and new text", ["no ", "no ", "no ", "way"]],
  ["a row of one character", ["-", "--", "---"]],
  ["the same piece again", ["again ", "again ", "again "]],
  ["one long piece, and all of it again", [LONG, LONG]],
  ["all of it again in the middle", [LONG, LONG, " And on."]],
  ["all of it again at the end", ["A sentence that is", LONG.slice(18), LONG]],
])("text that only seems to be repeated is passed on as it came: %s", (_what, pieces) => {
  expect(read(...pieces)).toBe(pieces.join(""));
});

test("a piece behind the end of a text does not wait, and nothing of it is lost", () => {
  const said = new RepeatedText();

  const first = [said.take("Hm"), said.finish()];
  const next = [said.take("Hm"), said.take("Hm, so")];

  expect(first.concat(next).join("")).toBe("HmHmHm, so");
});

test("behind its switch, two pieces that each hold all so far are said once, also as reasoning between texts", () => {
  const { reasoning, text } = message(
    [
      { reasoning_content: "Hm" },
      { reasoning_content: "Hm, let me see" },
      { content: "The answer" },
      { content: "The answer is 42." },
      { reasoning_content: "Hm, let me see. Sure" },
    ],
    true,
  );

  expect([reasoning, text]).toEqual(["Hm, let me see. Sure", "The answer is 42."]);
});

test("behind its switch, reasoning that comes again behind the text is not lost", () => {
  const deltas = [{ reasoning_content: "42" }, { content: "Yes" }, { reasoning_content: "420" }];

  expect(message(deltas, true).reasoning).toBe("42420");
});

function message(deltas: readonly object[], cumulativeText: boolean) {
  const reader = new ChunkReader("p", () => new Set(["look"]), { cumulativeText });
  for (const delta of deltas) reader.read({ id: "1", choices: [{ index: 0, delta }] });
  reader.read({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  reader.finish();
  return checkStream(reader.events);
}

const called = (json: string) => ({
  tool_calls: [{ index: 0, id: "c", function: { name: "look", arguments: json } }],
});

test("behind its switch, reasoning, text and arguments that come anew with each piece are whole, each once", () => {
  const { reasoning, text, calls } = message(
    [
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
    ],
    true,
  );

  expect([reasoning, text]).toEqual(["Let me see", "I will look."]);
  expect(calls).toMatchObject([{ name: "look", arguments: { a: [{}, {}] } }]);
});

const ROW = `${"0,".repeat(20)}0\n`;

test.each<[string, string[]]>([
  ["two equal rows", [ROW, ROW]],
  ["a piece that goes on with the whole of the first", ["1 + 1 = 2 and so ", "1 + 1 = 2 and so on."]],
  ["pieces that grow", ["a", "ab", "abc"]],
])("without a switch all that comes is passed on: %s", (_what, pieces) => {
  const nested = [called('{"a":'), { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }, closing];

  expect(
    message(
      pieces.map((content) => ({ content })),
      false,
    ).text,
  ).toBe(pieces.join(""));
  expect(
    message(
      pieces.map((reasoning) => ({ reasoning })),
      false,
    ).reasoning,
  ).toBe(pieces.join(""));
  expect(message(nested, false).calls).toMatchObject([{ arguments: { a: { a: 1 } } }]);
});

const closing = { tool_calls: [{ index: 0, function: { arguments: "}" } }] };

test.each([
  ["the profile of Qwen", { ...compatProfiles.qwen }, "Hello you"],
  ["the address of DashScope", { baseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1" }, "Hello you"],
  ["the address of Qianfan", { baseURL: "https://qianfan.baidubce.com/v2" }, "Hello you"],
  ["another address", { baseURL: "https://api.example.com/v1" }, "HeHelloHello you"],
  ["a host that knows better", { ...compatProfiles.qwen, compat: { cumulativeText: false } }, "HeHelloHello you"],
])("what DashScope and Qianfan are known for is expected by %s", async (_whose, options, text) => {
  const deltas = ["He", "Hello", "Hello you"].map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const fetch = async () => new Response(sse([...deltas, end]), { headers: { "content-type": "text/event-stream" } });

  const provider = openai({ model: "m", apiKey: "k", fetch, ...options });

  expect(textOf((await outcome(provider.stream(request()))).events)).toBe(text);
});
