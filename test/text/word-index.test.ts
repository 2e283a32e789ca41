import { expect, test } from "vitest";
import { rankDocuments, WordIndex } from "../../src/text/word-index.js";

const documents = (...texts: string[]) => texts.map((text) => [{ text }]);
const found = (query: string, ...texts: string[]) =>
  rankDocuments(query, documents(...texts)).map(({ index }) => index);

test("what shares no word with the query is not found, and nothing is found by nothing", () => {
  expect(found("invoice", "reads a file", "sends an invoice")).toEqual([1]);
  expect(found("", "reads a file")).toEqual([]);
  expect(found("the of and", "the file of the user")).toEqual([]);
  expect(found("invoice")).toEqual([]);
});

test("forms of a word are one, and a longer word that has it as a part meets it for less", () => {
  expect(found("invoices", "sends an invoice")).toEqual([0]);
  expect(rankDocuments("Port", documents("der Datenbankport", "der Port"))).toMatchObject([
    { index: 1, matches: ["port"] },
    { index: 0, matches: ["port (datenbankport)"] },
  ]);
});

test("a number is not found in a longer one, nor two letters in a word", () => {
  expect(found("8080", "18080", "on 8080")).toEqual([1]);
  expect(found("po", "the port")).toEqual([]);
});

test.each([
  ["Schlüssel", "die Verschlüsselung der Anhänge", "ein Anhang"],
  ["straße", "Straße und Hausnummer", "Platz"],
  ["数据库", "数据库端口是五四三二", "日历"],
  ["データベース", "データベースのポート", "テスト"],
  ["비밀번호", "비밀번호는 금고에 있다", "데이터베이스"],
  ["خطأ", "وقع الخطأ في الخادم", "المنفذ"],
  ["ошибка", "Ошибка на сервере", "порт"],
  ["हिन्दी", "यह हिन्दी में है", "बंदरगाह"],
])("%s is found in its own language", (query, text, other) => {
  expect(found(query, other, text)).toEqual([1]);
});

test("more of the query's words beat one word that is repeated", () => {
  expect(found("calendar invoice", "invoice invoice invoice invoice", "calendar invoice")).toEqual([1, 0]);
});

test("a rare word says more than one that all have", () => {
  expect(found("file kubernetes", "file", "file", "file", "kubernetes")[0]).toBe(3);
});

test("a short document with a word is more about it than a long one", () => {
  expect(found("invoice", `invoice ${"and much else ".repeat(50)}`, "an invoice")).toEqual([1, 0]);
});

test("a field counts by its weight, and equal documents keep their order", () => {
  const ranked = rankDocuments("invoice", [
    [{ text: "invoice" }],
    [{ text: "invoice", weight: 3 }],
    [{ text: "invoice" }],
  ]);

  expect(ranked.map(({ index }) => index)).toEqual([1, 0, 2]);
  expect(ranked.every(({ score }) => Number.isFinite(score) && score > 0)).toBe(true);
});

test("an index gives each query what reading the documents for that query alone gives", () => {
  const texts = [
    "send an invoice",
    "list calendar events",
    "remove a file",
    "refile the documents",
    "createInvoiceFile",
  ];
  const index = new WordIndex();
  for (const fields of documents(...texts)) index.add(fields);

  for (const query of ["invoice", "delete file", "events", "policies", "arzt", "zzz"])
    expect(index.rank(query)).toEqual(rankDocuments(query, documents(...texts)));
});

test("a long text is read to its end", () => {
  expect(found("needle", `${"hay ".repeat(500_000)}needle`, "hay")).toEqual([0]);
});
