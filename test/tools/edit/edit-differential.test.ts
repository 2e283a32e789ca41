import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type EditError, isHarnessError } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import { type AppliedEdit, applyEdit, type Edit } from "../../../src/tools/edit/apply-edit.js";
import { runs } from "../../runs.js";
import { blockLines, type Finding, fileLines, find, type Line, lineOf } from "../edit-oracle.js";

const numRuns = runs(800, 50_000, 1_000_000);

const texts = [
  "a",
  "b",
  "ab",
  "a = 1;",
  "}",
  "café",
  "cafe\u0301",
  "“a”",
  `"a"`,
  "a – b",
  "a - b",
  "😀",
  "a\u00a0b",
  "a b",
  "f（a）；",
  "f(a);",
  "",
];
const indentations = ["", "", "  ", "    ", "      ", "        ", "\t", "\t\t", "\u00a0\u00a0", "\t  "];
const endings = ["\n", "\n", "\n", "\r\n", "\r"];
const line = fc.tuple(
  fc.constantFrom(...indentations),
  fc.constantFrom(...texts),
  fc.constantFrom("", "", "", " ", "\t"),
);
const fewLines = fc.array(line, { minLength: 1, maxLength: 4 });

/** A file, and how its lines end: all alike, or each as it comes. */
const files = fc
  .tuple(
    fc.array(line, { maxLength: 9 }),
    fc.array(fc.constantFrom(...endings), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([lines, lineEndings, isEnded]) => {
    const all = lines.map((parts, index) => parts.join("") + lineEndings[index % lineEndings.length]!);
    const text = all.join("");
    return isEnded ? text : text.replace(/(\r\n|\n|\r)$/, "");
  });

/** What a model does to a string it copies. */
const noises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text.replaceAll(/\r\n|\r/g, "\n"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll(/^[ \t]+/gm, ""),
  (text) => text.replaceAll(/^(?=.)/gm, "    "),
  (text) => text.replaceAll(/^ {2}/gm, ""),
  (text) => text.replaceAll(/^( +)/gm, "$1$1"),
  (text) => text.replaceAll(/^\t+/gm, (tabs) => "    ".repeat(tabs.length)),
  (text) => text.replaceAll(/[ \t]+$/gm, ""),
  (text) => text.replaceAll(/$/gm, " "),
  (text) => text.trimStart(),
  (text) => `\n${text}\n\n`,
  (text) => text.normalize("NFC").replaceAll(/[“”]/g, `"`).replaceAll("–", "-"),
  (text) => text.normalize("NFD").replaceAll(`"`, "”"),
  (text) => text.toUpperCase(),
  (text) => text.replace("a", "x"),
];

const write = (lines: readonly (readonly string[])[], isEnded: boolean) =>
  lines.map((parts) => parts.join("")).join("\n") + (isEnded ? "\n" : "");

const cases = fc.record({
  before: files,
  /** A part of the file, in lines or in characters, or something else. */
  span: fc.record({ from: fc.nat(40), length: fc.integer({ min: 1, max: 40 }), isLines: fc.boolean() }),
  other: fc.option(fc.tuple(fewLines, fc.boolean()), { freq: 5 }),
  noise: fc.array(fc.constantFrom(...noises), { maxLength: 3 }),
  added: fc.tuple(fewLines, fc.boolean()),
  newText: fc.constantFrom("other", "old with more", "old with a line changed", "old without a line"),
  line: fc.nat(4),
  replaceAll: fc.boolean(),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function editOf({ before, span, other, noise, added, newText: kind, line, replaceAll }: Case): Edit {
  const copied = span.isLines
    ? before.split(/(?<=\n)/).slice(span.from % 8, (span.from % 8) + (span.length % 4) + 1)
    : [before.slice(span.from % (before.length + 1)).slice(0, span.length)];
  const noisy = (text: string) => noise.reduce((done, change) => change(done), text);
  const oldText = noisy(other ? write(...other) : copied.join(""));
  if (kind === "other") return { oldText, newText: write(...added), replaceAll };
  // As most edits are.
  if (kind === "old with more") return { oldText, newText: `${oldText}${write(...added)}`, replaceAll };
  const lines = oldText.split("\n");
  const changed = kind === "old without a line" ? [] : [lines[line % lines.length]!.replace(/[^\s].*/, "b(a);")];
  return { oldText, newText: lines.toSpliced(line % lines.length, 1, ...changed).join("\n"), replaceAll };
}

const lf = (text: string) => text.replaceAll(/\r\n|\r/g, "\n");
const withoutFinal = (text: string) => text.replace(/[\r\n]+$/, "");
const hasSurrogate = (text: string) => /\p{Surrogate}/u.test(text);

/** The matches that are replaced: from the start on, without those that overlap one before. */
function chosen<T>(all: readonly T[], start: (each: T) => number, end: (each: T) => number): T[] {
  const taken: T[] = [];
  for (const each of all) if (taken.length === 0 || start(each) >= end(taken.at(-1)!)) taken.push(each);
  return taken;
}

function expectSpansReplaced(
  before: string,
  edit: Edit,
  spans: readonly { start: number; end: number }[],
  got: AppliedEdit,
) {
  const places = chosen(
    spans,
    ({ start }) => start,
    ({ end }) => end,
  );
  // Half a line ending does not stay behind.
  const starts = places.map(({ start }) => (before[start] === "\n" && before[start - 1] === "\r" ? start - 1 : start));
  let wanted = lf(before.slice(0, starts[0]));
  for (const [index, { end }] of places.entries()) wanted += lf(edit.newText + before.slice(end, starts[index + 1]));
  assert.equal(withoutFinal(lf(got.after)), withoutFinal(wanted));
  assert.equal(got.occurrences, places.length);
}

/** Lines of the file stay as they are; those of the match become the new ones, indented as the file shows. */
function expectLinesReplaced(
  before: string,
  edit: Edit,
  { level, hits }: Finding & { level: 3 | 4 },
  got: AppliedEdit,
) {
  const [lines, old, added] = [fileLines(before), blockLines(edit.oldText), blockLines(edit.newText)];
  const places = chosen(
    hits,
    (hit) => hit,
    (hit) => hit + old.length,
  );
  const filled = (all: readonly Line[]) => all.filter(({ text }) => text !== "");
  const wanted: { line: Line; indentation?: string }[] = [];
  let done = 0;
  for (const hit of places) {
    wanted.push(...filled(lines.slice(done, hit)).map((line) => ({ line, indentation: line.indentation })));
    const shown = indentationsShown(old, lines.slice(hit), level);
    wanted.push(...filled(added).map((line) => ({ line, indentation: shown.get(line.indentation) })));
    done = hit + old.length;
  }
  wanted.push(...filled(lines.slice(done)).map((line) => ({ line, indentation: line.indentation })));
  const after = filled(fileLines(got.after, before.includes("\n")));

  assert.deepEqual(
    after.map(({ text }) => text),
    wanted.map(({ line }) => line.text),
  );
  for (const [index, { indentation }] of wanted.entries()) {
    if (indentation !== undefined) assert.equal(after[index]!.indentation, indentation);
  }
  assert.equal(got.occurrences, places.length);
  expectBytesKept(before, edit, places[0]!, after);
  // Whatever the edit takes away, lines go on ending as they did.
  const ending = before.includes("\n") ? "\n" : /\r\n|\r/;
  const whitespace = (text: string) => text.split(ending).filter((each) => lineOf(each).text === "").length;
  const outer = whitespace(before) + 1 - places.length * old.filter(({ text }) => text === "").length;
  const newBlanks = edit.newText.split(/\r\n|\n|\r/).filter((each) => each.trim() === "").length;
  assert.ok(whitespace(got.after) <= outer + places.length * newBlanks, "there are more blank lines than came");
}

/** For each indentation of the old text, what the file has for it; nothing where it has several things. */
function indentationsShown(old: readonly Line[], file: readonly Line[], level: 3 | 4): Map<string, string | undefined> {
  const shown = new Map<string, string | undefined>();
  for (const [index, { indentation, text }] of old.entries()) {
    if (text === "") continue;
    const there = file[index]!.indentation;
    const isKnown = shown.has(indentation) && shown.get(indentation) !== there;
    shown.set(indentation, isKnown ? undefined : there);
  }
  // The first line of a block at level 3 may stand anywhere, so what it shows alone is not told apart here.
  if (level === 3 && old.length > 1) for (const { indentation } of old.slice(0, 1)) shown.delete(indentation);
  return shown;
}

/** Whether a new line's depth does not follow from what the block shows: one indentation for two, or one it has not. */
function isUncertain(before: string, { oldText, newText }: Edit, hits: readonly number[]): boolean {
  const [lines, old] = [fileLines(before), blockLines(oldText)];
  const added = blockLines(newText).filter(({ text }) => text !== "");
  return hits.some((hit) => {
    const pairs = old.flatMap(({ indentation, text }, index) =>
      text === "" ? [] : [{ from: indentation, to: lines[hit + index]!.indentation }],
    );
    if (added.length === 0 || pairs.every(({ from, to }) => from === to)) return false;
    const table = new Map(pairs.map(({ from, to }) => [from, to]));
    const isTable = pairs.every(({ from, to }) => table.get(from) === to);
    return !isTable || !deepens(table) || added.some(({ indentation }) => !table.has(indentation));
  });
}

function deepens(table: ReadonlyMap<string, string>): boolean {
  const width = (indentation: string) =>
    [...indentation].reduce((sum, each) => (each === "\t" ? sum + 8 - (sum % 8) : sum + 1), 0);
  const rows = [...table].sort(([a], [b]) => width(a) - width(b));
  return rows.every(([, to], index) => index === 0 || width(to) > width(rows[index - 1]![1]));
}

/** Lines that both texts begin with keep the file's own bytes. */
function expectBytesKept(before: string, edit: Edit, hit: number, after: readonly Line[]): void {
  const [lines, old, added] = [fileLines(before), blockLines(edit.oldText), blockLines(edit.newText)];
  let place = lines.slice(0, hit).filter(({ text }) => text !== "").length;
  for (const [index, line] of old.entries()) {
    if (line.whole !== added[index]?.whole) break;
    // A CR at the very end of a file is an ending to some and text to others.
    if (line.text !== "") assert.equal(withoutFinal(after[place++]!.whole), withoutFinal(lines[hit + index]!.whole));
  }
}

function outcomeOf(before: string, edit: Edit): AppliedEdit | EditError {
  try {
    return applyEdit(before, edit);
  } catch (error) {
    if (isHarnessError(error)) return error as EditError;
    throw error;
  }
}

function check(before: string, edit: Edit, seen: Record<string, number>): void {
  const got = outcomeOf(before, edit);
  const outcome = "code" in got ? got.code : `level ${got.level}`;
  seen[outcome] = (seen[outcome] ?? 0) + 1;
  if (edit.oldText === "" && before === "" && edit.newText !== "") {
    assert.equal((got as AppliedEdit).after, edit.newText);
    return;
  }
  if ((edit.oldText === "" && before !== "") || hasSurrogate(edit.oldText) || hasSurrogate(edit.newText)) {
    assert.equal(outcome, "EDIT_INVALID");
    return;
  }
  if (edit.oldText === edit.newText) {
    assert.equal(outcome, "EDIT_NO_CHANGE");
    return;
  }
  const found = find(before, edit.oldText);
  if (!found) {
    assert.equal(outcome, "EDIT_NOT_FOUND");
    return;
  }
  const matches = "spans" in found ? found.spans.length : found.hits.length;
  if (matches > 1 && !edit.replaceAll) {
    assert.equal(outcome, "EDIT_AMBIGUOUS");
    const { lines, ...details } = (got as EditError).details as JsonObject;
    assert.deepEqual(details, { level: found.level, matches });
    return;
  }
  if ("code" in got) {
    // Where it is not certain how deep new lines belong the edit is refused.
    if (got.code === "EDIT_NOT_FOUND" && "hits" in found && isUncertain(before, edit, found.hits)) return;
    assert.equal(got.code, "EDIT_NO_CHANGE");
    return;
  }
  assert.equal(got.level, found.level);
  if ("spans" in found) expectSpansReplaced(before, edit, found.spans, got);
  else expectLinesReplaced(before, edit, found, got);
  expectFormatKept(before, edit, got.after);
}

/** A file whose lines all end alike keeps it so, and its last line ends or does not end as before. */
function expectFormatKept(before: string, { oldText, newText }: Edit, after: string): void {
  const kinds = new Set(before.match(/\r\n|\n|\r/g));
  const isAboutEndings = withoutFinal(oldText) === withoutFinal(newText) || withoutFinal(oldText) === "";
  if (isAboutEndings) return;
  // A CR alone in the new text is text.
  if (kinds.size === 1 && !/\r(?!\n)/.test(newText))
    assert.ok((after.match(/\r\n|\n|\r/g) ?? []).every((ending) => kinds.has(ending)));
  const isEnded = before.includes("\n") ? before.endsWith("\n") : before.endsWith("\r");
  if (isEnded && after !== "") assert.match(after, /[\r\n]$/);
  if (!isEnded && newText.trim() !== "" && kinds.size < 2) assert.doesNotMatch(after, /[\r\n]$/);
}

test("whatever the file, the old text and the noise in it, an edit does what a slow and obvious one does", {
  timeout: 3_600_000,
}, () => {
  const seen: Record<string, number> = {};

  fc.assert(
    fc.property(cases, (each) => check(each.before, editOf(each), seen)),
    { numRuns },
  );

  // Each outcome was tried often enough to mean something.
  const often = ["level 1", "level 2", "level 3", "level 4", "EDIT_NOT_FOUND", "EDIT_AMBIGUOUS"];
  for (const outcome of often) expect(seen[outcome], outcome).toBeGreaterThan(numRuns / 400);
});
