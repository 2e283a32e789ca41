import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { createGlobMatcher, splitGlob } from "../../../../src/tools/search/pattern/glob-pattern.js";
import { processorMs } from "../../../processor-time.js";

test.each([
  ["j\\*.md", "j*.md", true],
  ["j\\*.md", "jx.md", false],
  ["\\[id\\]/*", "[id]/a", true],
  ["\\[id\\]/*", "i/a", false],
  ["[id]/*", "[id]/a", true],
  ["[id]/*", "i/a", true],
  ["[!a]*", "b", true],
  ["[!a]*", "ab", false],
  ["[]a]", "]", true],
  ["[a\\-c]", "b", false],
  ["\\{a,b\\}.ts", "{a,b}.ts", true],
  ["\\{a,b\\}.ts", "a.ts", false],
  ["{a,b/{c,d}}.ts", "b/d.ts", true],
  ["{x}/*", "{x}/a", true],
  ["(group)/*", "(group)/a", true],
  ["(a|b)/*", "b/c", true],
  ["!a", "!a", true],
  ["k\\\\l", "k\\l", true],
  ["[", "[", true],
  ["{a,", "{a,", true],
  ["?", "😀", true],
  ["a/**", "a/b/c", true],
  ["a/**", "a", false],
  ["**", ".hidden/a", true],
  ["./a/*.ts", "a/b.ts", true],
  ["a**b", "axyb", true],
])("`%s` on `%s`: %s", (glob, path, matches) => {
  expect(createGlobMatcher(glob)(path)).toBe(matches);
});

test("no glob takes long, whatever it is matched with", () => {
  const startedAt = processorMs();

  expect(createGlobMatcher(`${"*a".repeat(100)}b`)("a".repeat(4_000))).toBe(false);
  expect(createGlobMatcher(`${"**/a/".repeat(100)}b`)("a/".repeat(2_000))).toBe(false);
  for (const glob of ["{a,b}".repeat(40), "{".repeat(5_001)]) {
    expect(() => createGlobMatcher(glob)).toThrow(expect.objectContaining({ code: "PATTERN_INVALID" }));
  }
  createGlobMatcher("{".repeat(5_000));
  createGlobMatcher("[".repeat(5_000));

  expect(processorMs() - startedAt).toBeLessThan(5_000);
});

test("a glob is split behind the directories it names", () => {
  expect(splitGlob("src/a\\*b/**/*.ts")).toEqual({ base: "src/a*b", rest: "**/*.ts" });
  expect(splitGlob("/{a,b}")).toEqual({ base: "/", rest: "{a,b}" });
  expect(splitGlob("src//a\\[b")).toEqual({ base: "src/a[b", rest: "" });
});

test("what both know matches as picomatch says", () => {
  const piece = fc.constantFrom("a", "b", ".", "*", "*", "?", "[ab]", "[!a]", "[a-b]", "{a,b}", "{a,.b}", "\\a", "-");
  const name = fc.oneof(
    { weight: 1, arbitrary: fc.constant("**") },
    { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")) },
  );
  const glob = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const path = fc
    .array(fc.string({ unit: fc.constantFrom("a", "b", ".", "-"), minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    })
    // Picomatch has its own mind about names that end in a point.
    .filter((names) => !names.some((each) => each.endsWith(".")))
    .map((names) => names.join("/"));
  // Only whole names are `**` here, and at the end they represent one name at least.
  const asPicomatch = (text: string) =>
    text
      .replaceAll("[!", "[^")
      .replace(/(?:\/\*\*)+$/, "/**/*")
      .replace(/\*{3,}|(?<=[^/])\*\*|\*\*(?=[^/])/g, "*");

  fc.assert(
    fc.property(glob, path, (text, each) => {
      expect(createGlobMatcher(text)(each), `${text} ${each}`).toBe(
        picomatch.isMatch(each, asPicomatch(text), { dot: true, nonegate: true, noextglob: true, strictSlashes: true }),
      );
    }),
    { numRuns: process.env.PROVE ? 100_000 : 2_000 },
  );
});
