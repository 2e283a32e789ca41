import { expect, test } from "vitest";
import { splitHeadAndTail } from "../../src/text/head-and-tail.js";

test("the first and the last characters are kept, and the rest is counted", () => {
  expect(splitHeadAndTail("0123456789", 3, 2)).toEqual({ head: "012", tail: "89", omittedChars: 5 });
});

test("a string that fits has no middle, and nothing is in both parts", () => {
  expect(splitHeadAndTail("abc", 2, 5)).toEqual({ head: "ab", tail: "c", omittedChars: 0 });
  expect(splitHeadAndTail("abc", 9, 9)).toEqual({ head: "abc", tail: "", omittedChars: 0 });
  expect(splitHeadAndTail("abc", 0, -1)).toEqual({ head: "", tail: "", omittedChars: 3 });
});

test("no character is halved", () => {
  expect(splitHeadAndTail("a😀b😀c", 2, 2)).toEqual({ head: "a", tail: "c", omittedChars: 5 });
});
