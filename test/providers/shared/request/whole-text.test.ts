import { expect, test } from "vitest";
import { wholeJson } from "../../../../src/providers/shared/request/whole-text.js";

test("a value without half characters is the same value", () => {
  const value = { a: ["😀", { b: null }] };

  expect(wholeJson(value)).toBe(value);
});

test("half characters are replaced in strings and in names, however deep", () => {
  expect(wholeJson({ "\udc00": ["a\ud83d", { b: "\ud83d" }], n: 1 })).toEqual({
    "\ufffd": ["a\ufffd", { b: "\ufffd" }],
    n: 1,
  });
});
