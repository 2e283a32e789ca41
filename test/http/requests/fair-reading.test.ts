import { expect, test } from "vitest";
import { readAnswers, readPrompt } from "../../../src/http/index.js";

function post(body: unknown): Request {
  return new Request("http://127.0.0.1/", { method: "POST", body: JSON.stringify(body) });
}

/** A request whose body arrives in these pieces, with no word of its length. */
function inPieces(...pieces: readonly Uint8Array[]) {
  const start = (to: ReadableStreamDefaultController<Uint8Array>) => {
    for (const piece of pieces) to.enqueue(piece);
    to.close();
  };
  return { body: new ReadableStream<Uint8Array>({ start }) };
}

const encode = (text: string) => new TextEncoder().encode(text);

test("a body is as large as its bytes, in any script and in any pieces", async () => {
  const bytes = encode(JSON.stringify({ input: "東京".repeat(100) }));
  const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));

  expect((await readPrompt(inPieces(...pieces), { maxBytes: bytes.length })).input).toBe("東京".repeat(100));
  await expect(readPrompt(inPieces(...pieces), { maxBytes: bytes.length - 1 })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining(`larger than ${bytes.length - 1} bytes`),
  });
});

test("a body that ends in the middle of a character is not UTF-8", async () => {
  const cut = [...encode('{"input":"Hi."}'), 0xe6, 0x9d];

  await expect(readPrompt(inPieces(Uint8Array.from(cut)))).rejects.toThrow("not UTF-8");
});

/** A call that asks, and the data part with its question. */
const asking = (n: number, output?: unknown, isAnswered?: boolean) => [
  {
    type: "tool-ask",
    toolCallId: `call-${n}`,
    state: output === undefined ? "input-available" : "output-available",
    output,
  },
  { type: "data-question", data: { id: `question-${n}`, toolCallId: `call-${n}`, ...(isAnswered && { isAnswered }) } },
];
const chat = (...parts: object[]) => post({ id: "chat", messages: [{ id: "m", role: "assistant", parts }] });

test.each([
  ["the second of two questions alone", [asking(1), asking(2, "blue")], [{ id: "question-2", value: "blue" }]],
  [
    "each of two questions",
    [asking(1, "red"), asking(2, "blue")],
    [
      { id: "question-1", value: "red" },
      { id: "question-2", value: "blue" },
    ],
  ],
  [
    "no question that was answered before",
    [asking(1, "red", true), asking(2, "blue")],
    [{ id: "question-2", value: "blue" }],
  ],
])("useChat's outputs answer the question of their own call: %s", async (_, parts, answers) => {
  expect(await readAnswers(chat(...parts.flat()))).toEqual(answers);
  expect((await readPrompt(chat(...parts.flat()))).answers).toEqual(answers);
});

test("what AG-UI's user rejects is not edited, and no answer is a yes unless it says so", async () => {
  const entry = (interruptId: string, payload?: object, status = "resolved") => ({ interruptId, status, payload });
  const resume = [
    entry("a", { approved: true, editedArgs: { to: "x" } }),
    entry("b", { approved: false, reason: "No.", editedArgs: { to: "x" } }),
    entry("c", { approved: true }, "cancelled"),
    entry("d", { approved: "true" }),
    entry("e"),
  ];

  expect((await readPrompt(post({ threadId: "t", resume }))).answers).toEqual([
    { id: "a", decision: "allow", updatedInput: { to: "x" } },
    { id: "b", decision: "deny", reason: "No." },
    { id: "c", decision: "deny" },
    { id: "d", value: { approved: "true" } },
    { id: "e", value: null },
  ]);
});
