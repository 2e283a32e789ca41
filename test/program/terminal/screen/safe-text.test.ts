import fc from "fast-check";
import { expect, test } from "vitest";
import { exactLine, exactText, safeLine, safeText } from "../../../../src/program/terminal/screen/safe-text.js";
import { runs } from "../../../runs.js";

test("control sequences are removed, direction marks are shown, tabs become spaces", () => {
  expect(safeText("a\x1b]0;title\x07b\x1b[2Jc\u009b31md\u202ee\tf\r\ng")).toBe("abcd\\u202ee    f\ng");
  expect(safeLine("  one\n  two \n")).toBe("one ⏎ two");
});

test("text to approve keeps every character visible", () => {
  expect(exactText("rm \x1b[8m-rf\x1b[0m \u2066x\r\ny\x00")).toBe(
    `${String.raw`rm \x1b[8m-rf\x1b[0m \u2066x`}\ny\\x00`,
  );
});

test("what has no width and says nothing is shown, in text to read and in text to approve", () => {
  const hidden = "rm a\u200bb\u2060c\ufeffd\u{e0041}e\u{e0100}f\u2028g\u3164h\u00adi\ufe0fj\u200dk";
  const shown = String.raw`rm a\u200bb\u2060c\ufeffd\u{e0041}e\u{e0100}f\u2028g\u3164h\xadi\ufe0fj\u200dk`;

  expect(safeText(hidden)).toBe(shown);
  expect(exactText(hidden)).toBe(shown);
  expect(exactText("rm -rf\u00a0/ \u2003x")).toBe(String.raw`rm -rf\xa0/ \u2003x`);
  expect(safeText("10\u00a0km")).toBe("10\u00a0km");
});

test("what joins letters and parts of emoji stays, and no character has more marks than a script needs", () => {
  const joined = "می\u200cخواهم क्\u200dष 👩‍👩‍👧 👍🏽 ❤️ 1️⃣ 漢\u3000字";

  expect(safeText(joined)).toBe(joined);
  expect(exactText(joined)).toBe(joined);
  expect(safeText(`e${"\u0301".repeat(60)}!`)).toBe(`e${"\u0301".repeat(8)}!`);
  expect(exactText(`e${"\u0301".repeat(10)}!`)).toBe(`e${"\u0301".repeat(8)}${String.raw`\u0301\u0301`}!`);
});

test("nothing but text and line breaks is left of any text", () => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\x1b", "[", "]", "\x07", "\\", "\r", "\b", "\u009b", "\u202e", "\u2066", "m", ";", "0", "a"),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(hostile, (text) => {
      for (const shown of [safeText(text), exactText(text)]) {
        expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
      }
    }),
    { numRuns: runs(200, 2_000, 50_000) },
  );
});

test("in one line, line breaks and the whitespace around them are one sign, however much there is", () => {
  expect(exactLine("  a  b \n\n \t c\n")).toBe("a  b ⏎ c");
  const blanks = " ".repeat(300_000);
  expect(exactLine(`a${blanks}b`)).toBe(`a${blanks}b`);
});
