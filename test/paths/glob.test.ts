import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileName, createPathTest, longestText, nameMatches, namesMeet, plainName } from "../../src/paths/glob.js";

test.each([
  ["*", "", true],
  ["a*c", "abbc", true],
  ["?", "😀", true],
  ["[a-c]x", "bx", true],
  ["[!a]", "a", false],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["[", "[", true],
  ["a\\", "a\\", true],
])("the name %s and %s: %s", (pattern, name, matches) => {
  expect(nameMatches(compileName(pattern), name)).toBe(matches);
});

test.each([
  ["**/*.ts", "a/b/c.ts", true],
  ["**/*.ts", "c.ts", true],
  ["a/**", "a", false],
  ["a/**/z", "a/z", true],
  ["a/*", "a/b/c", false],
])("the path pattern %s and %s: %s", (pattern, path, matches) => {
  expect(createPathTest(pattern)(path)).toBe(matches);
});

const NAMES = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 6 });
const PATTERNS = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 6 });

test("a name agrees with the regular expression its pattern represents, and holds its longest literal text", () => {
  fc.assert(
    fc.property(PATTERNS, NAMES, (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`);
      const compiled = compileName(pattern);

      expect(nameMatches(compiled, name)).toBe(expression.test(name));
      if (nameMatches(compiled, name)) expect(name).toContain(longestText(compiled));
    }),
  );
});

test("two patterns meet wherever one name matches both", () => {
  fc.assert(
    fc.property(PATTERNS, PATTERNS, NAMES, (rule, word, name) => {
      fc.pre(!name.startsWith("."));
      const [a, b] = [compileName(rule), compileName(word)];
      if (nameMatches(a, name) && nameMatches(b, name)) expect(namesMeet(a, b)).toBe(true);
    }),
  );
  expect(namesMeet(plainName("*"), compileName("x"))).toBe(false);
});
