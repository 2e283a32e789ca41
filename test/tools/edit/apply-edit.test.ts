import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/contracts/errors.js";
import { applyEdit } from "../../../src/tools/edit/apply-edit.js";
import { processorMs } from "../../processor-time.js";

/** `before`, `oldText`, `newText`, `after`, and the level it takes. */
type Case = readonly [before: string, oldText: string, newText: string, after: string, level: number];

function expectEdits(cases: readonly Case[]): void {
  for (const [before, oldText, newText, after, level] of cases) {
    const edit = applyEdit(before, { oldText, newText });
    expect({ after: edit.after, level: edit.level }, JSON.stringify([before, oldText, newText])).toEqual({
      after,
      level,
    });
  }
}

function expectRefusals(
  code: string,
  cases: readonly (readonly [before: string, oldText: string, newText?: string])[],
) {
  for (const [before, oldText, newText = "new"] of cases) {
    expect(() => applyEdit(before, { oldText, newText }), JSON.stringify([before, oldText])).toThrow(
      expect.objectContaining({ code }),
    );
  }
}

test.each(["\n", "\r\n", "\r"])("a new text with a great many line endings %j in it is put in at once", (ending) => {
  const before = processorMs();

  const { after } = applyEdit("a\nb\n", { oldText: "a", newText: `${ending.repeat(60_000)}x` });

  expect(after.length).toBeGreaterThan(60_000);
  expect(processorMs() - before).toBeLessThan(5_000);
});

test("among many lines of both endings the new text is put in at once", () => {
  const lines = "\r\n".repeat(200_000);
  const before = processorMs();

  const { after } = applyEdit(`  k\n${lines}\n  z\n`, { oldText: `k\n${lines}\nz`, newText: `k\n${lines}x\nz` });

  expect(after).toBe(`  k\n${lines}  x\n  z\n`);
  expect(processorMs() - before).toBeLessThan(5_000);
});

test("an exact hit is replaced literally, also within a line", () => {
  expectEdits([
    ["a\nb\nc\n", "b", "x", "a\nx\nc\n", 1],
    ["  let a = 1;\n", "a = 1", "b", "  let b;\n", 1],
    ["$x", "x", "$&$1$$", "$$&$1$$", 1],
    ["a  b\n", "a  b", "a b", "a b\n", 1],
    ["  a\n", "a", "b\nc", "  b\nc\n", 1],
    ["\u0041\u030a\n", "A\u030a", "B", "B\n", 1],
    ["a\nb\n", "b\n", "", "a\n", 1],
  ]);
});

test("new lines take the line endings of their place", () => {
  expectEdits([
    ["a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", 1],
    ["a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n", 2],
    ["a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n", 2],
    ["a\rb\rc", "a\nb", "x\ny", "x\ry\rc", 2],
    ["a\r\nb\nc\r\n", "a\nb\nc", "a\nx\nc", "a\r\nx\nc\r\n", 2],
    ["a\nb\r\nc\nd\n", "b", "x\ny", "a\nx\r\ny\r\nc\nd\n", 1],
    ["a\nb\r\nc", "c", "x\ny", "a\nb\r\nx\r\ny", 1],
    ["a\r\nb\nc\n", "a\nb\n", "a\nn\nb\n", "a\r\nn\r\nb\nc\n", 2],
    ["x\r\nfoo\r\ny", "\nfoo", "", "x\r\ny", 1],
    ["  a\r\n  b\r\n", "a\nb\n", "c\nd\ne\n", "  c\r\n  d\r\n  e\r\n", 4],
    ["one", "one", "1\r\n2", "1\r\n2", 1],
  ]);
  expectRefusals("EDIT_NO_CHANGE", [
    ["a\r\nb\r\n", "a\r\nb", "a\nb"],
    ["a\nb\n", "a\nb", "a\r\nb"],
    ["a\r\nb\r\n", "a\nb", "a\r\nb"],
  ]);
});

test("a byte order mark is not a part of the text, and is kept", () => {
  expectEdits([
    ["\ufeffa\nb\n", "a", "c", "\ufeffc\nb\n", 1],
    ["\ufeffa\n", "\ufeffa", "c", "\ufeffc\n", 1],
    ["\ufeffa\n", "a", "\ufeffc", "\ufeffc\n", 1],
    ["\ufeffa  \nb\n", "a\nb", "c", "\ufeffc\n", 3],
    ["\ufeff  a\n  b\n", "a\nb", "a\nc", "\ufeff  a\n  c\n", 4],
  ]);
  expectRefusals("EDIT_INVALID", [["\ufeffa\n", "\ufeff"]]);
  expect(applyEdit("\ufeff", { oldText: "", newText: "a\n" }).after).toBe("\ufeffa\n");
  expectRefusals("EDIT_NO_CHANGE", [["\ufeffa\n", "\ufeffa", "a"]]);
});

test("the line behind a match of whole lines stays a line of its own", () => {
  expectEdits([
    ["x\na \nb\ny\n", "a\nb\n", "c", "x\nc\ny\n", 3],
    ["x\na\nb\ny\n", "\na\nb\n\n", "c", "x\nc\ny\n", 3],
    ["  a\r\n  b\r\ny\r\n", "a\nb\n", "c", "  c\r\ny\r\n", 4],
  ]);
});

test("an edit of line endings alone does what it says", () => {
  expect(applyEdit("a\r\nb\r\n", { oldText: "\r\n", newText: "\n", replaceAll: true }).after).toBe("a\nb\n");
  expect(applyEdit("a\nb\n", { oldText: "\n", newText: "\r\n", replaceAll: true }).after).toBe("a\r\nb\r\n");
  expectEdits([
    ["a\nb\n", "b\n", "b", "a\nb", 1],
    ["a\nb", "b", "b\n", "a\nb\n", 1],
  ]);
});

test("the final newline, or its absence, is kept", () => {
  expectEdits([
    ["a\nb\n", "b\n", "c", "a\nc\n", 1],
    ["a\nb", "b", "c\n", "a\nc", 1],
    ["a\nb", "b\n", "c\n", "a\nc", 3],
    ["a\r\nb\r\n", "b\n", "c", "a\r\nc\r\n", 2],
    ["a\n  b\n  c", "b\nc\n", "d\n", "a\n  d", 4],
    ["a\n  b\n  c", "b\nc\n", "", "a", 4],
    ["a\n", "a\n", "", "", 1],
  ]);
});

test("whitespace around the block are forgiven, and stay as the file has them", () => {
  expectEdits([
    ["a\nb\nc\n", "\nb\n\n", "\nx\n\n", "a\nx\nc\n", 3],
    ["a\nb  \nc\n", "b\nc", "x\ny", "a\nx\ny\n", 3],
    ["  a  \n", "a \n", "b \n", "  b  \n", 3],
    ["a\n\n\nb\n", "  a\n\n", "  a\n", "a\n\nb\n", 3],
    ["\tfoo\n", "foo \n", "foo(\nbar)\n", "\tfoo(\n\tbar)\n", 3],
    ["    foo\n    bar\n", "        foo\n    bar", "        foo\n    baz", "    foo\n    baz\n", 3],
  ]);
});

test("a first line copied without its indentation does not move the others", () => {
  expectEdits([
    [
      "    if a:\n        b\n",
      "if a:\n        b  ",
      "if a:\n        c\n            d",
      "    if a:\n        c\n            d\n",
      3,
    ],
    ["    if a:\n        b\n", "if a:\n        b  ", "if a:\n        c\nd", "    if a:\n        c\n    d\n", 3],
    ["a\n    b\n", "  a\n    b \n", "  a\n  c\n    b\n", "a\nc\n    b\n", 3],
  ]);
});

test("whitespace behind the last line ending never reach the line that follows", () => {
  expectEdits([
    ["a \nb\nc\n", "a\nb\n", "x\n    ", "x\nc\n", 3],
    ["a \nb\n  c\n", "a\nb\n  ", "x\n", "x\n  c\n", 3],
  ]);
});

test("half a line ending never stays behind, nor do two halves become one", () => {
  expectEdits([
    ["x\r\nfoo\r\ny", "foo\r", "bar", "x\r\nbar\r\ny", 1],
    ["x\r\nfoo\r\ny", "foo\r", "bar\r", "x\r\nbar\r\ny", 1],
    ["a\rb\nc", "a\rb", "x\n", "x\r\n\nc", 1],
  ]);
  expect(applyEdit("a\r\nb\r\n", { oldText: "\r", newText: "", replaceAll: true }).after).toBe("a\nb\n");
});

test("characters are matched whole", () => {
  expectRefusals("EDIT_INVALID", [
    ["😀", "\ud83d"],
    ["😀", "\ude00"],
    ["😀", "😀", "\ud83d"],
  ]);
  expectEdits([["a😀b", "😀", "😁", "a😁b", 1]]);
});

test("a string too long to hold is refused before it is made", () => {
  const [before, newText] = ["x".repeat(100_000), "y".repeat(100_000)];

  expect(() => applyEdit(before, { oldText: "x", newText, replaceAll: true })).toThrow(
    expect.objectContaining({ code: "EDIT_INVALID" }),
  );
});

test("indentation is forgiven, and the new text is indented as the file is", () => {
  expectEdits([
    [
      "f {\n    if a:\n        b\n}\n",
      "if a:\n    b\n",
      "if c:\n    b\n    d\n",
      "f {\n    if c:\n        b\n        d\n}\n",
      4,
    ],
    [
      "\tif {\n\t\ta\n\t}\n",
      "    if {\n        a\n    }\n",
      "    if {\n        a\n            b\n    }\n",
      "\tif {\n\t\ta\n\t\t\tb\n\t}\n",
      4,
    ],
    ["if:\n    a\n    if:\n        b\n", "if:\n  a\n  if:\n    b\n", "if:\n  c\n    d\n", "if:\n    c\n        d\n", 4],
    ["    if:\n      a\n", "\tif:\n\t\ta\n", "\tif:\n\t\tb\n\t\t\tc\n", "    if:\n      b\n        c\n", 4],
    ["  a\n\n  b\n", "a\n\nb\n", "a\n\nc\n", "  a\n\n  c\n", 4],
    ["\ta\n\tb\n", "a\nb\n", "a\n  c\nb\n", "\ta\n\t\tc\n\tb\n", 4],
  ]);
});

test("canonical equivalents, typographic quotes and dashes and no-break spaces count as equal in whole lines", () => {
  expectEdits([
    ["  say(“hi”)\n", `say("hi")`, `say('ho')`, "  say('ho')\n", 3],
    ["it’s – on\n", "it's - on", "it’s off", "it’s off\n", 3],
    ["cafe\u0301\n", "caf\u00e9", "tea", "tea\n", 3],
    ["\u00a0\u00a0a\u00a0b\n", "  a b", "  c", "  c\n", 3],
    ["  a\n    “b”\n", `a\n  "b"\n`, `a\n  "c"\n`, `  a\n    "c"\n`, 4],
    ["  a\n\u00a0\u00a0b\n", "a\nb\n", "a\nc\n", "  a\n  c\n", 4],
    [`${"a\u0301\u0316".repeat(9)}\n`, `${"a\u0316\u0301".repeat(9)}`, "x", "x\n", 3],
  ]);
});

test("text that differs in anything but whitespace is never matched", () => {
  expectRefusals("EDIT_NOT_FOUND", [
    ["Foo\n", "foo"],
    ["\u0430\n", "a"],
    ["ﬁ\n", "fi"],
    ["…\n", "..."],
    ["a  b\n", "a b"],
    ["x = foo;\n", " foo "],
    ["cat\n", " a "],
    ["a\nb\nc\n", "a\nc"],
    ["a\nb\n", "a b"],
    ["say(“hi”) // more\n", `say("hi")`],
    ["", "a"],
    ["a\n\nb\n", "a\nb"],
  ]);
});

test("uneven indentation is refused rather than guessed", () => {
  expectRefusals("EDIT_NOT_FOUND", [
    // Shallower than the file has room for.
    ["a\n  b\n", "      a\n        b", "      c\n    d"],
    // As deep as it is written, or as deep below the first line?
    ["\tfoo\n", "foo \n", "foo\n    bar\n"],
    ["    x = “1”\n", 'x = "1"', 'x = "2"\n    y = 3'],
    // The old text has steps of 3, the file of 8, the new text of 4.
    ["def f():\n        a\n", "def f():\n   a", "def f():\n    a\n    b"],
    ["def f():\n        a\n", "def f():\n   a\n", "def f():\n    a\n"],
    ["def f():\n        a\n        b\n", "   a\n   b", "    a\n    c"],
    // One depth: moved by two, or indented twice as deep?
    ["if x:\n    a\n    b\n", "  a\n  b", "  a\n    c\n  b"],
    ["if x:\n  if y:\n    a\n    b\n", "        a\n        b", "        a\n        b\n    c"],
    // The line that others were nested in goes, and nothing says how deep they belong now.
    ["if x:\n  if y:\n    a\n    b\n", "if x:\nif y:\na\nb\n", "if x:\na\nb\n"],
    ["a\n  b\n    c\n", "a\nb\nc\n"],
    ["x:\n    a\n        b\n", "x:\n  a\n  b\n"],
    ["x:\n      a\n  b\n", "x:\n  a\n      b\n"],
  ]);
  expect(() => applyEdit("a\n  b\n", { oldText: "  a\n  b", newText: "x" })).not.toThrow();
  expect(() => applyEdit("a\n  b\n    c\n", { oldText: "a\nb\nc\n", newText: "x" })).toThrow(/indented differently/);
});

test("several matches at a level are refused with all their lines, and no later level is tried", () => {
  expect(() => applyEdit("a\nb\na\nb\na\n", { oldText: "a", newText: "x" })).toThrow(
    expect.objectContaining({
      code: "EDIT_AMBIGUOUS",
      message: expect.stringContaining("3 places, at lines 1, 3, 5"),
      details: { level: 1, matches: 3, lines: [1, 3, 5] },
    }),
  );
  expect(() => applyEdit("x x\nx\n", { oldText: "x", newText: "y" })).toThrow("3 places, at lines 1, 2.");
  expect(() => applyEdit("aaa\n", { oldText: "aa", newText: "y" })).toThrow("2 places, all on line 1.");
  expectRefusals("EDIT_AMBIGUOUS", [
    ["aaa", "aa"],
    ["a\r\nb\r\nx\r\na\r\nb\r\n", "a\nb"],
    ["  a\nx\n\ta\n", "a \n"],
    ["  a\n  b\nx\n    a\n    b\n", "a\nb\n"],
    ["“a”\n'a'\n\"a\"\n", '"a" \n'],
    ["  x\n  y\n  x\n  y\n  x\n", "x\ny\nx\n"],
  ]);
});

test("replace_all replaces every match of the first level that has any", () => {
  const all = (before: string, oldText: string, newText: string) => {
    const { after, level, occurrences } = applyEdit(before, { oldText, newText, replaceAll: true });
    return { after, level, occurrences };
  };

  expect(all("a b a\n  a\n", "a", "$&")).toEqual({ after: "$& b $&\n  $&\n", level: 1, occurrences: 3 });
  expect(all("aaaaa", "aa", "b")).toEqual({ after: "bba", level: 1, occurrences: 2 });
  expect(all("a\r\nb\r\na\r\nb\r\n", "a\nb", "c\nd")).toEqual({
    after: "c\r\nd\r\nc\r\nd\r\n",
    level: 2,
    occurrences: 2,
  });
  expect(all("  a\n  b\nx\n\ta\n\tb\n", "a\nb\n", "c\n")).toEqual({ after: "  c\nx\n\tc\n", level: 4, occurrences: 2 });
  expect(all("x", "x", "y")).toEqual({ after: "y", level: 1, occurrences: 1 });
});

test("startLine is the line of the first match", () => {
  expect(applyEdit("a\nb\nc\n", { oldText: "c", newText: "d" }).startLine).toBe(3);
  expect(applyEdit("a\r\nb\r\nc\r\n", { oldText: "b\nc", newText: "d" }).startLine).toBe(2);
  expect(applyEdit("a\n  b\n  c\n", { oldText: "b\nc", newText: "d" }).startLine).toBe(2);
});

test("an edit without a string to find, or without a change, is an error", () => {
  expectRefusals("EDIT_INVALID", [["a", ""]]);
  expectRefusals("EDIT_NO_CHANGE", [
    ["a", "a", "a"],
    ["b", "a", "a"],
    ["a\r\nb", "a\nb", "a\r\nb"],
    ["  a\n  b\n", "a\nb", "    a\n    b".replaceAll("    ", "")],
  ]);
});

test("a miss shows the closest lines and how they differ", () => {
  const before = Array.from({ length: 50 }, (_, index) => `const value${index} = compute(${index});`).join("\n");
  const oldText = "const value20 = compute(20);\nconst value21 = compute(20);\nconst value22 = compute(22);";

  expect(() => applyEdit(before, { oldText, newText: "x" })).toThrow(
    expect.objectContaining({
      code: "EDIT_NOT_FOUND",
      message: expect.stringMatching(
        /closest are lines 21-23.*- const value21 = compute\(20\);\n +22 \+ const value21 = compute\(21\);/s,
      ),
      details: { closest: { startLine: 21, endLine: 23 } },
    }),
  );
});

test("a miss names the usual slips", () => {
  const miss = (before: string, oldText: string) => () => applyEdit(before, { oldText, newText: "x" });

  expect(miss("const Value = 1;\n", "const value = 1;")).toThrow(/only in letter case/);
  expect(miss("const a  = 1;\n", "const a = 1;")).toThrow(/only in whitespace within lines/);
});

const LISTINGS = [
  "8\tif (a) {\n9\t\n10\t  run();",
  "     8→if (a) {\n     9→\n    10→  run();\n",
  "8:if (a) {\n9:\n10:  run();",
  " 8 | if (a) {\n 9 | \n10 |   run();",
  "2\tif (a) {\n12\t\n120\t  run();",
];

test.each(LISTINGS)("line numbers that were copied along are left out: %j", (oldText) => {
  const before = "start();\nif (a) {\n\n  run();\n}\n";
  const wanted = "start();\nif (b) {\n\n  run();\n}\n";
  const newText = oldText.replace("if (a)", "if (b)");

  expect(applyEdit(before, { oldText, newText }).after).toBe(wanted);
  expect(applyEdit(before, { oldText, newText: "if (b) {\n\n  run();" }).after).toBe(wanted);
  expect(() => applyEdit(before, { oldText, newText: `${newText}\nmore();` })).toThrow(
    /has line numbers.*closest are lines 2-4 .*\n +2 {3}if \(a\) \{/s,
  );
  expect(() => applyEdit(before.repeat(2), { oldText, newText })).toThrow(
    expect.objectContaining({ code: "EDIT_AMBIGUOUS" }),
  );
});

test("one line with a number that is not from read_file is taken without it where the number is right", () => {
  const edit = { oldText: "2: b", newText: "2: c" };

  expect(applyEdit("a\n b\n", edit).after).toBe("a\n c\n");
  expect(() => applyEdit("a\nx\n b\n", edit)).toThrow(expect.objectContaining({ code: "EDIT_NOT_FOUND" }));
  expect(applyEdit("2: b\n b\n", edit).after).toBe("2: c\n b\n");
});

test("numbers that the file's lines have themselves are not line numbers", () => {
  const before = "1: apples and pears\n2: bread and butter\n";

  expect(() => applyEdit(before, { oldText: "1: apples and beer", newText: "x" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("line numbers") }),
  );
});

test("a miss with nothing alike shows the first 500 characters", () => {
  const before = "0123456789".repeat(100);

  expect(() => applyEdit(before, { oldText: "something else", newText: "x" })).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`characters of the file:\n${before.slice(0, 500)}`) }),
  );
  expect(() => applyEdit("", { oldText: "a", newText: "x" })).toThrow(/file is empty/);
});

test("messages stay short, however long lines and files are", () => {
  const before = `${"long ".repeat(10_000)}\n`.repeat(30);
  const oldText = `${"long ".repeat(10_000)}!\n`.repeat(30);

  expect(() => applyEdit(before, { oldText, newText: "x" })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^.{100,3999}$/s) }),
  );
});

/** Files and edits that a careless search, replacement or report takes quadratic time for. */
const WORST_CASES: Record<string, (size: number) => { before: string; oldText: string; newText?: string }> = {
  "equal lines": (size) => ({ before: "    a\n".repeat(size), oldText: "  a\n".repeat(size / 8) }),
  "equal lines but the last": (size) => ({
    before: "    a\n".repeat(size),
    oldText: `${"    a\n".repeat(size / 8)}b\n`,
  }),
  "equal lines but the first": (size) => ({
    before: "    a\n".repeat(size),
    oldText: `    b\n${"    a\n".repeat(size / 8)}`,
  }),
  "equal characters": (size) => ({ before: "a".repeat(size * 6), oldText: "a".repeat(size) }),
  "equal characters but the last": (size) => ({ before: "a".repeat(size * 6), oldText: `${"a".repeat(64)}b` }),
  "a replacement of every character of a huge line, with mixed endings": (size) => ({
    before: `a\r\nb\n${"x".repeat(size)}`,
    oldText: "x",
    newText: "y",
  }),
  "the same with new lines": (size) => ({ before: `a\r\nb\n${"x ".repeat(size)}`, oldText: "x", newText: "y\nz" }),
  "indented lines replaced everywhere": (size) => ({
    before: "  a\n\tb\n".repeat(size),
    oldText: "a\n  b\n",
    newText: "c\n  d\n",
  }),
  "near misses everywhere": (size) => ({
    before: "  foo(bar);\n  }\n".repeat(size),
    oldText: " foo(bar);\n }\n foo(baz);\n",
  }),
  "a huge line of marks": (size) => ({ before: `a${"\u0301\u0316".repeat(size)}\nb\n`, oldText: "b \n" }),
  "no-break spaces": (size) => ({ before: "\u00a0\u00a0a\n".repeat(size), oldText: "  b\n  a\n" }),
  "blank lines": (size) => ({ before: " \n".repeat(size), oldText: "\n\na\n\n" }),
};

test("no file and no edit takes work that grows with the square of their size", { timeout: 120_000 }, () => {
  const work = ([name, make]: [string, (typeof WORST_CASES)[string]], size: number) => {
    const { before, oldText, newText = "new" } = make(size);
    const startedAt = process.cpuUsage();
    try {
      applyEdit(before, { oldText, newText, replaceAll: true });
    } catch (error) {
      if (!isHarnessError(error)) throw error;
    }
    const { user, system } = process.cpuUsage(startedAt);
    return { name, ms: (user + system) / 1_000 };
  };
  const cases = Object.entries(WORST_CASES);
  for (const each of cases) work(each, 1_000);

  const slow = cases.map((each) => work(each, 100_000)).filter(({ ms }) => ms > 10_000);

  // A quadratic way takes minutes for each of these, a linear one far below a second.
  expect(slow).toEqual([]);
});

test("of regions made of the same words, the one whose lines stand in their places is shown", () => {
  const text = "function alpha() {\n  return 1;\n}\nfunction beta() {\n  return 2;\n}\n";

  expect(() => applyEdit(text, { oldText: "function beta() {\n  return 3;\n}", newText: "x" })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("     4   function beta() {\n       -   return 3;\n     5 +   return 2;"),
    }),
  );
});
