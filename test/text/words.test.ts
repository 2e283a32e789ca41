import { expect, test } from "vitest";
import { stemOf, wordFormsIn, wordsIn } from "../../src/text/words.js";

test.each([
  ["runs", "running"],
  ["created", "creates"],
  ["queries", "query"],
  ["payments", "payment"],
])("%s and %s are forms of one word", (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other));
});

test("identifiers and paths fall into their words; one in capitals and small letters is a word itself, too", () => {
  const words = (text: string) => wordFormsIn(text).map(({ word }) => word);

  expect(words("readFileSync")).toEqual(["readfilesync", "read", "file", "sync"]);
  expect(words("src/http_server.ts")).toEqual(["src", "http", "server", "ts"]);
  expect(words("parseHTMLPage")).toEqual(["parsehtmlpage", "parse", "html", "page"]);
});

test("accents go, and words that carry no meaning are left out", () => {
  expect(wordsIn("The café is on the corner")).toEqual(wordsIn("cafe corner"));
  expect(wordsIn("the of and")).toEqual([]);
});

test("scripts without spaces are taken in pairs of characters", () => {
  expect(wordsIn("東京都")).toEqual(["東京", "京都"]);
  expect(wordsIn("비밀번호")).toEqual(["비밀", "밀번", "번호"]);
  expect(wordsIn("タワー port東")).toEqual(["タワ", "ワー", "東", "port"]);
});
