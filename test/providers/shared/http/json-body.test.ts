import { expect, test } from "vitest";
import { jsonBody } from "../../../../src/providers/shared/http/json-body.js";

const written = (body: unknown) => Buffer.from(jsonBody(body) as string).toString();

test("a short body is text, a long conversation is bytes", () => {
  const messages = Array.from({ length: 1_000 }, (_, at) => ({ role: "user", content: `line ${at} `.repeat(10) }));

  expect(jsonBody({ messages: messages.slice(0, 3) })).toBe(JSON.stringify({ messages: messages.slice(0, 3) }));
  expect(jsonBody({ messages })).toBeInstanceOf(Uint8Array);
});

test("what is written is what JSON.stringify writes, wherever a piece ends", () => {
  const odd = [undefined, null, Number.NaN, () => {}, new Date(0), { a: undefined }, [undefined], "\ud800", "⇥🙂é", ""];
  for (let chars = 0; chars < 40; chars++) {
    const list = Array.from({ length: 2_000 }, (_, at) => [
      odd[at % odd.length],
      "🙂".repeat(at % 37) + "x".repeat(chars),
    ]);
    const body = {
      none: undefined,
      model: "m⇥",
      'a"b': [],
      flat: [...odd, ...odd, ...odd, ...odd],
      list,
      work() {},
      stream: true,
      at: new Date(0),
    };
    expect(written(body)).toBe(JSON.stringify(body));
  }
  const sparse = { list: new Array(50) };
  for (const body of [sparse, { one: undefined, ...sparse }, {}, { one: undefined }, [1, 2], "text"])
    expect(written(body)).toBe(JSON.stringify(body));
});
