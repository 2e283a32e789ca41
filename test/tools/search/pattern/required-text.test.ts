import fc from "fast-check";
import { expect, test } from "vitest";
import { readSearchPattern } from "../../../../src/tools/search/pattern/search-pattern.js";
import { runs } from "../../../runs.js";

test.each([
  ["needle", "needle"],
  ["function\\s+\\w+", "function"],
  ["\\p{L}*&", "&"],
  ["ab+cde", "cde"],
  ["abc?", "ab"],
  ["ab{0,2}", "a"],
  ["^import .* from$", "import "],
  ["(?:abc)def", "def"],
  ["(abc)?", null],
  ["abc|def", null],
  ["x(?:abc|def)", "x"],
  ["\\.\\*\\u{1f600}", ".*\u{1f600}"],
  ["a\ufffdbc", "bc"],
  ["[abc]", null],
])("what every match of %j holds is %j", (pattern, text) => {
  expect(readSearchPattern(pattern, false).literal).toBe(text);
});

test("whatever matches a pattern holds its required text", () => {
  const piece = fc
    .tuple(
      fc.constantFrom("a", "b", "ab", "😀", "\\.", "(?:a|bb)", "(ab)", "[ab]", ".", "\\b", "a|b", "(?:ab?)"),
      fc.constantFrom("", "", "", "*", "+", "?", "{0}", "{2}", "{0,1}?", "+?"),
    )
    .map(([what, often]) => (/\\b$/.test(what) ? what : what + often));
  const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
  const texts = fc.array(fc.constantFrom("a", "b", "😀", ".", " "), { maxLength: 12 }).map((parts) => parts.join(""));
  const property = fc.property(pattern, texts, (source, text) => {
    const { javascript, literal } = readSearchPattern(source, false);
    for (const [match] of text.matchAll(new RegExp(javascript, "gu"))) expect(match).toContain(literal ?? "");
  });

  fc.assert(property, { numRuns: runs(400, 3_000, 200_000) });
});
