import fc from "fast-check";
import { expect, test } from "vitest";
import { clip } from "../../src/text/cut.js";
import { describeValue, textOrJson } from "../../src/text/describe-value.js";

test.each<[value: unknown, expected: string]>([
  [undefined, "nothing (missing)"],
  [null, "null"],
  [true, "boolean true"],
  [12.5, "number 12.5"],
  [10n, "bigint 10"],
  ["a\nb", 'string "a\\nb"'],
  ["\ud800", 'string "\\ud800"'],
  [[1], "array of 1 item"],
  [{}, "an empty object"],
  [{ a: 1, b: 2 }, 'object with "a", "b"'],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'object with "a", "b", "c", "d", …'],
  [() => 1, "a function"],
])("%s is described in a few words", (value, expected) => {
  expect(describeValue(value)).toBe(expected);
});

test("a description is short whatever the value", () => {
  fc.assert(fc.property(fc.anything(), (value) => describeValue(value).length <= 140));
  expect(describeValue("x".repeat(5_000_000))).toMatch(/^string "x{10,}…" \(5000000 characters\)$/);
  expect(describeValue({ ["k".repeat(1_000_000)]: 1 }).length).toBeLessThan(140);
});

test("a clipped text is never longer than asked and ends no surrogate pair halfway", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 40 }), (text, max) => {
      const clipped = clip(text, max);
      return clipped.length <= max && (clipped === text || Buffer.from(clipped).toString() === clipped);
    }),
  );
});

test("a string is its own text, and any other value its JSON", () => {
  expect(textOrJson('say "hi"')).toBe('say "hi"');
  expect(textOrJson({ a: [1, null] })).toBe('{"a":[1,null]}');
});
