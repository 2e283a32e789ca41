import { expect, test } from "vitest";
import { cutOffBytes, terminalText, withoutControls, withoutSequences } from "../../src/text/terminal-text.js";

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m text", "red text"],
  ["a window title", "\u001b]0;title\u0007prompt$ ", "prompt$ "],
  ["a link", "\u001b]8;;https://a.example\u001b\\here\u001b]8;;\u001b\\", "here"],
  ["a character set and a reset", "\u001b(Ba\u001bc", "a"],
  ["C1 controls", "\u009b2Ka", "a"],
  ["a control string without its end, but for its introducer", "\u001b]0;no end", "0;no end"],
  ["a bell and a null", "a\u0007b\u0000c", "abc"],
  ["nothing of ordinary text", "tab\there\nline\n", "tab\there\nline\n"],
])("leaves out %s", (_what, output, expected) => {
  expect(terminalText(output)).toBe(expected);
});

test.each([
  ["10%\r50%\r100%\ndone", "100%\ndone"],
  ["a\r\nb\r\n", "a\r\nb\r\n"],
  ["waiting\r", "waiting"],
  ["x\rlast\r\nnext", "last\r\nnext"],
  ["abc\b\bd", "ad"],
  ["\b\bz", "z"],
  ["😀\bok", "ok"],
])("%j stays on the screen as %j", (output, expected) => {
  expect(terminalText(output)).toBe(expected);
});

test("text from elsewhere keeps all its lines, with line feeds between them", () => {
  expect(withoutControls("a\rb\r\nc\b\u001b[2Jd")).toBe("a\nb\ncd");
  expect(withoutSequences("a\rb\b\u001b[2J")).toBe("a\rb\b");
});

test.each([
  ["plain", 0],
  ["\u001b", 1],
  ["text\u001b[3", 3],
  ["text\u001b[31m", 0],
  ["\u001b]0;ti", 6],
  ["\u001b]0;title\u001b", 10],
])("of %j, so many bytes at the end wait for more: %i", (text, expected) => {
  expect(cutOffBytes(Buffer.from(text))).toBe(expected);
});

test("a character waits for its last byte, and what is no beginning of one does not", () => {
  for (const character of ["ä", "€", "😀"]) {
    const bytes = Buffer.from(`a${character}`);
    for (let cut = 1; cut < bytes.length - 1; cut++) expect(cutOffBytes(bytes.subarray(0, 1 + cut))).toBe(cut);
    expect(cutOffBytes(bytes)).toBe(0);
  }
  expect(cutOffBytes(Uint8Array.of(0x80))).toBe(0);
  expect(cutOffBytes(Uint8Array.of(0xff))).toBe(0);
  expect(cutOffBytes(new Uint8Array())).toBe(0);
});

test("a control string longer than anyone waits for is not held back", () => {
  expect(cutOffBytes(Buffer.from(`\u001b]0;${"x".repeat(100)}`))).toBe(0);
});

test("carriage returns without end take no longer than other text", () => {
  // Looking through each run of them again and again takes minutes.
  expect(terminalText(`${"\r".repeat(500_000)}x\r`)).toBe("x");
});
