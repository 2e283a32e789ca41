import { expect, test } from "vitest";
import { indexWords, rankByWords } from "../../src/text/rank-by-words.js";

const documents = (...texts: string[]) => texts.map((text) => [{ text }]);
const found = (query: string, ...texts: string[]) => rankByWords(query, documents(...texts)).map(({ index }) => index);

test("what shares no word with the query is not found, and nothing is found by nothing", () => {
  expect(found("invoice", "reads a file", "sends an invoice")).toEqual([1]);
  expect(found("", "reads a file")).toEqual([]);
  expect(found("the of and", "the file of the user")).toEqual([]);
  expect(found("invoice")).toEqual([]);
});

test("endings, synonyms and one slip of the pen meet a word, for less than the word itself", () => {
  expect(found("invoices", "sends an invoice")).toEqual([0]);
  expect(rankByWords("delete", documents("remove it", "delete it"))).toMatchObject([
    { index: 1, matches: ["delete"] },
    { index: 0, matches: [expect.stringMatching(/^delete \(remov/)] },
  ]);
  expect(found("invocie", "sends an invoice")).toEqual([0]);
});

test("more of the query's words beat one word that is repeated", () => {
  expect(found("calendar invoice", "invoice invoice invoice invoice", "calendar invoice")).toEqual([1, 0]);
});

test("a rare word says more than one that all have", () => {
  expect(found("file kubernetes", "file", "file", "file", "kubernetes")[0]).toBe(3);
});

test("a field counts by its weight, and equal documents keep their order", () => {
  const ranked = rankByWords("invoice", [
    [{ text: "invoice" }],
    [{ text: "invoice", weight: 3 }],
    [{ text: "invoice" }],
  ]);

  expect(ranked.map(({ index }) => index)).toEqual([1, 0, 2]);
  expect(ranked.every(({ score }) => Number.isFinite(score) && score > 0)).toBe(true);
});

test("an index gives each query what reading the documents again would give", () => {
  const texts = ["send an invoice", "list calendar events", "remove a file"];
  const rank = indexWords(documents(...texts));

  for (const query of ["invoice", "delete file", "events"])
    expect(rank(query)).toEqual(rankByWords(query, documents(...texts)));
});
