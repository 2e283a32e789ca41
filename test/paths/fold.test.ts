import { expect, test } from "vitest";
import { foldCase, foldPath, isPlainName, trimName } from "../../src/paths/fold.js";
import { isInside } from "../../src/paths/inside.js";

test.each([
  ["/w/.SSH/Config", "/w/.ssh/config"],
  ["/w/.ssh./config ", "/w/.ssh/config"],
  ["/w/.s\u200bsh", "/w/.ssh"],
  ["/w/e\u0301", "/w/\u00e9"],
  ["/w/stra\u00dfe", "/w/strasse"],
  ["/w/..", "/w/.."],
])("%j and %j are one path", (written, folded) => {
  expect(foldPath(written)).toBe(folded);
});

test("a name of dots and spaces alone keeps them, and only its end is trimmed", () => {
  expect(["...", " .", "a . .", ". a"].map(trimName)).toEqual(["...", " .", "a", ". a"]);
  expect(foldCase("A.")).toBe("a.");
  expect([isPlainName("Read me"), isPlainName("caf\u00e9")]).toEqual([true, false]);
});

test("a directory is inside itself, a sibling with a longer name is not", () => {
  expect([isInside("/a", "/a"), isInside("/a/b", "/a"), isInside("/ab", "/a"), isInside("/a", "/")]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
