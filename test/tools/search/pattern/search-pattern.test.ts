import { expect, test } from "vitest";
import { readSearchPattern } from "../../../../src/tools/search/pattern/search-pattern.js";

const matches = (pattern: string, line: string) =>
  new RegExp(readSearchPattern(pattern, false).javascript, "u").test(line);

test.each([
  ["fo+", "xfooy", true],
  ["^foo$", "foo", true],
  ["^foo$", "food", false],
  ["a{2}", "aa", true],
  ["{", "if (x) {", true],
  ["items[0]", "items0", true],
  ["\\bcat\\b", "a cat sat", true],
  ["\\bcat\\b", "concat", false],
  ["\\w", "é", false],
  ["(get|set)Name", "setName", true],
])("%s on %j: %s", (pattern, line, expected) => {
  expect(matches(pattern, line)).toBe(expected);
});

test.each(["(?=a)", "(a)\\1", "(?i)a", "a++", "(", "[a", "*a", "x".repeat(5_001)])(
  "what only one engine knows is refused: %s",
  (pattern) => {
    expect(() => readSearchPattern(pattern, false)).toThrow(expect.objectContaining({ code: "PATTERN_INVALID" }));
  },
);
