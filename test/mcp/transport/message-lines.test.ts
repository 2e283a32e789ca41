import { expect, test } from "vitest";
import { MessageLines } from "../../../src/mcp/transport/message-lines.js";

const REPLY = { jsonrpc: "2.0", id: 1, result: { ok: true } };

test("a message is whole with its line break, in whatever pieces it comes", () => {
  const lines = new MessageLines();
  const bytes = Buffer.from(`${JSON.stringify({ ...REPLY, result: { text: "ü😀" } })}\r\n`);
  const messages = [...bytes].flatMap((byte) => lines.push(Buffer.from([byte])));

  expect(messages).toEqual([{ ...REPLY, result: { text: "ü😀" } }]);
});

test("several messages may come at once, as lines or as one list", () => {
  const line = JSON.stringify(REPLY);

  expect(new MessageLines().push(Buffer.from(`${line}\n\n[${line},${line}]\n${line}`))).toHaveLength(3);
});

test("lines that are not messages are counted, and the first is kept", () => {
  const lines = new MessageLines();
  lines.push(Buffer.from(`${"Starting up… ".repeat(100)}\n{"level":"info"}\n{broken\nnull\n`));

  expect(lines.strayLines).toBe(4);
  expect(lines.sample).toHaveLength(200);
});

test("a response that breaks the protocol is an error response, so that its caller does not wait", () => {
  const responses = (value: unknown) => new MessageLines().push(Buffer.from(`${JSON.stringify(value)}\n`));

  expect(responses({ id: 1, result: "text" })).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  expect(responses({ id: 1, error: "no" })).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  expect(responses({ id: 1, error: { code: 7, message: "no" } })).toMatchObject([
    { error: { code: 7, message: "no" } },
  ]);
  expect(responses({ id: 1 })).toEqual([]);
});
