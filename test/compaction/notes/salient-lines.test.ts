import { expect, test } from "vitest";
import { gist } from "../../../src/compaction/blocks.js";
import { bestLines, Line, linesOf, WordFrequency } from "../../../src/compaction/notes/salient-lines.js";
import { isPageFurniture } from "../../../src/compaction/notes/summary-message.js";

function frequencyOf(lines: readonly string[]): WordFrequency {
  const frequency = new WordFrequency();
  for (const line of lines) frequency.add(new Line(line));
  return frequency;
}

const log = Array.from({ length: 60 }, (_, n) => `12:0${n % 10}:11 info worker ${n % 4} handled batch ${n}`);

test.each([
  "The pump is in hall seven.",
  "warning: clock skew of 3 s",
  "Datei geschrieben: /srv/abgleich.xlsx",
  "サーバーの時計が 3 秒ずれている",
])("in a log the line that is unlike all others is the one that is kept: %s", (line) => {
  const text = [...log.slice(0, 40), line, ...log.slice(40)].join("\n");

  expect(bestLines(text, 200, 2, frequencyOf(linesOf(text)))).toEqual([line]);
});

test.each([
  ["Next I look at the callers.", "The turbine belongs to hall nine."],
  ["Ich prüfe die nächste Tabelle.", "Der Deckel bleibt aus Messing."],
  ["次のファイルを見ます。", "倉庫の鍵は田中さんが持つ。"],
  ["Смотрю следующий файл.", "Насос стоит в третьем цехе."],
])("what is said again and again weighs less than what is said once: %s", (often, once) => {
  const frequency = frequencyOf([...Array.from({ length: 5 }, () => often), once]);

  expect(new Line(once).weightIn(frequency)).toBeGreaterThan(new Line(often).weightIn(frequency));
});

test.each([239, 240, 23_999, 24_000])("no line of a string holds half a character, cut after %i units", (chars) => {
  const text = `${"x".repeat(chars - 1)}${"😀".repeat(1_000)}`;

  expect(linesOf(text).filter((line) => /\p{Surrogate}/u.test(line))).toEqual([]);
  expect(linesOf(text.slice(chars)).join("\n")).not.toMatch(/\p{Surrogate}/u);
});

test("numbered source weighs less than a sentence, and JSON is not a source", () => {
  const id = "re_4f81a92c";
  const weightOf = (line: string) => new Line(line).weightIn(undefined);

  expect(weightOf(`12\tconst refund = find("${id}");`)).toBeLessThan(weightOf(`The refund is ${id}.`));
  expect(weightOf(`  "refund_id": "${id}",`)).toBeGreaterThan(weightOf(`  refund = "${id}";`));
});

test("a long line without sentences is cut where something ends", () => {
  const line = Array.from({ length: 80 }, (_, n) => `"name-${n}": ${n}`).join(", ");

  const pieces = linesOf(line);

  expect(pieces.join(" ")).toBe(line);
  expect(pieces.every((piece) => piece.endsWith(",") || piece === pieces.at(-1))).toBe(true);
});

test("the gist of a long text is its beginning, its end and what stands out between, never longer than it may be", () => {
  const text = [...log, "FATAL: disk quota reached at 81.3 GiB", ...log].join("\n");

  for (const maxChars of [200, 400, 1_000, 4_000, text.length, 10 * text.length]) {
    const short = gist(text, maxChars);

    expect(short.length).toBeLessThanOrEqual(maxChars);
    expect(short.slice(0, 20)).toBe(text.slice(0, 20));
    expect(short.slice(-10)).toBe(text.slice(-10));
    if (maxChars >= 400) expect(short).toContain("81.3 GiB");
  }
});

test.each([
  [400, true],
  [401, false],
])("a line in brackets of %i characters about the page is furniture: %s", (length, isFurniture) => {
  const line = `[${"more of the page ".repeat(30)}`.slice(0, length - 1);

  expect(isPageFurniture(`${line}]`)).toBe(isFurniture);
});
