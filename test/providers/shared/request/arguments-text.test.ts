import { expect, test } from "vitest";
import { argumentsText } from "../../../../src/providers/shared/request/arguments-text.js";

const text = (given: unknown, malformed?: string) =>
  argumentsText({ id: "1", name: "look", arguments: given as never, ...(malformed !== undefined && { malformed }) });

test("an object is sent as it is, also one that a model wrote as a string", () => {
  expect(text({ path: "a" })).toBe('{"path":"a"}');
  expect(text('{"path":"a"}')).toBe('{"path":"a"}');
});

test.each([[1, 2], "text", 3, null, '["a"]', "{"])("%j is replayed as an empty object", (given) => {
  expect(text(given)).toBe("{}");
});

test("malformed arguments are replayed as an empty object", () => {
  expect(text({}, '{"path":')).toBe("{}");
});

test("half a character is replaced, and a backslash that is text stays", () => {
  expect(JSON.parse(text({ half: "\ud83d" }))).toEqual({ half: "\ufffd" });
  expect(JSON.parse(text({ whole: "😀", written: "\\ud83d" }))).toEqual({ whole: "😀", written: "\\ud83d" });
});
