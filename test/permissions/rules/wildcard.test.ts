import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesWildcard, splitAtStars } from "../../../src/permissions/rules/command-pattern.js";
import { processorMs } from "../../processor-time.js";

const text = fc.stringMatching(/^[ab ]{0,8}$/);
const pattern = fc.stringMatching(/^[ab *]{0,6}$/);

test("a wildcard matches what a regular expression does", () => {
  fc.assert(
    fc.property(pattern, text, (wild, plain) => {
      const expression = new RegExp(`^${wild.split("*").join("[^]*")}$`);
      expect(matchesWildcard(wild, plain)).toBe(expression.test(plain));
    }),
  );
});

test("an escaped star is a star", () => {
  expect(splitAtStars("a\\*b*c")).toEqual(["a*b", "c"]);
  expect(matchesWildcard("rm \\*", "rm *")).toBe(true);
  expect(matchesWildcard("rm \\*", "rm x")).toBe(false);
});

test("no pattern takes long", () => {
  const startedAt = processorMs();

  expect(matchesWildcard(`${"a*".repeat(2_000)}b`, "a".repeat(1_000_000))).toBe(false);

  expect(processorMs() - startedAt).toBeLessThan(5_000);
});
