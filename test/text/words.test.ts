import { expect, test } from "vitest";
import { isEmptyWord, stemOf, wordFormsIn, wordsIn } from "../../src/text/words.js";

test.each([
  ["runs", "running"],
  ["created", "creates"],
  ["sent", "sending"],
  ["queries", "query"],
  ["payments", "payment"],
])("%s and %s are forms of one word", (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other));
});

test("identifiers and paths fall into their words", () => {
  const words = (text: string) => wordFormsIn(text).map(({ word }) => word);

  expect(words("readFileSync")).toEqual(["read", "file", "sync"]);
  expect(words("src/http_server.ts")).toEqual(["src", "http", "server", "ts"]);
  expect(words("parseHTMLPage")).toEqual(["parse", "html", "page"]);
});

test("accents go, and words that carry no meaning are left out", () => {
  expect(wordsIn("The café is on the corner")).toEqual(wordsIn("cafe corner"));
  expect(isEmptyWord("the")).toBe(true);
  expect(isEmptyWord("corner")).toBe(false);
});

test("scripts without spaces are taken in pairs of characters", () => {
  expect(wordsIn("東京都")).toEqual(["東京", "京都"]);
});
