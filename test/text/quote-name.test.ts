import { expect, test } from "vitest";
import { listedName, quoteName } from "../../src/text/quote-name.js";

test.each([
  ["src/a b.ts", '"src/a b.ts"', "src/a b.ts"],
  // Quotes of an ordinary name stay: nothing is hidden by them.
  ['a"b\\c', '"a"b\\c"', 'a"b\\c'],
  ["a\nb", '"a\\nb"', '"a\\nb"'],
  ["\u001b[31mred", '"\\u001b[31mred"', '"\\u001b[31mred"'],
  ["\u0085", '"\\u0085"', '"\\u0085"'],
  ["a\u2028b", '"a\\u2028b"', '"a\\u2028b"'],
  ["invoice\u202efdp.exe", '"invoice\\u202efdp.exe"', '"invoice\\u202efdp.exe"'],
  ['x"\t\\', '"x\\"\\t\\\\"', '"x\\"\\t\\\\"'],
  ["", '""', ""],
  ["日本語.md", '"日本語.md"', "日本語.md"],
])("%j is quoted as %s and listed as %s", (name, quoted, listed) => {
  expect(quoteName(name)).toBe(quoted);
  expect(listedName(name)).toBe(listed);
});

test("a name of 500 characters is shown whole, a longer one is cut, and no character halved", () => {
  expect(quoteName("x".repeat(500))).toBe(`"${"x".repeat(500)}"`);

  const cut = quoteName("🤔".repeat(5_000));
  expect(cut.length).toBeLessThan(600);
  expect(cut.isWellFormed()).toBe(true);
});
