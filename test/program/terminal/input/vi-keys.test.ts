import { Editor, type TUI } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { ViKeys } from "../../../../src/program/terminal/input/vi-keys.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

const ESCAPE = "\x1b";

/** An editor in which this is written, `|` being the cursor, and what it is after these keys: vi's before the editor's. */
function after(text: string, keys: string | readonly string[]): string {
  const tui = { requestRender() {}, terminal: { rows: 24 } } as unknown as TUI;
  const editor = new Editor(tui, createTheme({}).editor);
  const vi = new ViKeys(editor, () => {});
  const press = (key: string) => vi.press(key) || editor.handleInput(key);
  editor.setText(text.replace("|", ""));
  press(ESCAPE);
  const behind = text.slice(text.indexOf("|") + 1);
  for (let n = 1; n < [...behind].length; n++) editor.handleInput("\x1b[D");
  for (const key of keys) press(key);
  const { line, col } = editor.getCursor();
  const lines = editor.getLines();
  lines[line] = `${lines[line]!.slice(0, col)}|${lines[line]!.slice(col)}`;
  return `${lines.join("\n")}${vi.state === undefined ? " (writing)" : vi.state.slice("vi: normal".length)}`;
}

test.each([
  // Escape leaves writing, on the character before the cursor.
  ["one two|", "", "one tw|o"],
  ["one| two", "ix", "onex| two (writing)"],
  ["one| two", "ax", "one x|two (writing)"],
  ["one tw|o", "a!", "one two!| (writing)"],
  ["one| two", "I!", "!|one two (writing)"],
  ["on|e two", "A!", "one two!| (writing)"],
  ["on|e\ntwo", "ox", "one\nx|\ntwo (writing)"],
  ["one\ntw|o", "Ox", "one\nx|\ntwo (writing)"],
])("%j: %j begins to write: %j", (text, keys, expected) => {
  expect(after(text, keys)).toBe(expected);
});

test.each([
  ["|one, two", "w", "one|, two"],
  ["|one two", "w", "one |two"],
  ["one |two", "w", "one tw|o"],
  ["one |two\nthree", "w", "one two\n|three"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["one tw|o", "b", "one |two"],
  ["one |two", "b", "|one two"],
  ["one tw|o", "0", "|one two"],
  ["|one two", "$", "one tw|o"],
  ["|one two three four", "2w", "one two |three four"],
  ["one two three |four", "3b", "|one two three four"],
  ["|漢字🙂 x", "ll", "漢字|🙂 x"],
  ["|a", "lhl", "|a"],
  ["on|e\ntwo", "l", "on|e\ntwo"],
  ["one\n|two", "h", "one\n|two"],
  ["one|", " ", "on|e"],
  ["a|b", ["\x7f"], "|ab"],
])("%j: %j moves: %j", (text, keys, expected) => {
  expect(after(text, keys)).toBe(expected);
});

test.each([
  ["o|ne", "x", "o|e"],
  ["one tw|o", "x", "one t|w"],
  ["one\nt|", "x", "one\n|"],
  ["one\n|\ntwo", "x", "one\n|\ntwo"],
  ["|one", "9x", "|"],
  ["|one two", "dw", "|two"],
  ["one| two", "dw", "one|two"],
  ["one |two", "dw", "one| "],
  ["|one two three", "2dw", "|three"],
  ["|one two three", "d2w", "|three"],
  ["one| two", "D", "on|e"],
  ["on|e\ntwo\nthree", "dd", "|two\nthree"],
  ["one\n|\nthree", "dd", "one\n|three"],
  ["one\ntwo\nth|ree", "dd", "one\n|two"],
  ["on|e\ntwo\nthree", "2dd", "|three"],
  ["on|e", "dd", "|"],
  ["|one two", "cwx", "x| two (writing)"],
  ["one| two", "ccx", "x| (writing)"],
  ["one\n|\nthree", "cc", "one\n|\nthree (writing)"],
  ["on|e two", "Cx", "onx| (writing)"],
  ["on|e", "sx", "onx| (writing)"],
  ["one |two", "Dp", "one tw|o"],
  ["|ab", "xp", "b|a"],
  ["|one two", "dwp", "tone |wo"],
  ["on|e\ntwo\nthree", "ddp", "two\n|one\nthree"],
  ["on|e\ntwo\nthree", "2ddp", "three\n|one\ntwo"],
  ["one\ntw|o", "ddp", "one\n|two"],
  ["one\n|\ntwo", "ddp", "one\ntwo\n|"],
  ["on|e\ntwo", "dd2p", "two\none\n|one"],
  ["on|e\ntwo", "ddpu", "tw|o"],
  ["one\nt|wo\nthree", "9dd", "|one"],
  ["one\nt|wo", "2cc", "one\n| (writing)"],
  ["one |two", ["\x0b", "0", "p"], "otwo|ne "],
])("%j: %j changes: %j", (text, keys, expected) => {
  expect(after(text, keys)).toBe(expected);
});

test.each([
  ["on|e\ntwo", "ddu", "one\ntwo"],
  ["|one two three", "3xu", "one two three"],
  ["|one two three", "dwdwuu", "one two three"],
  ["|one two", "cwx y", "x y two"],
])("%j: what one command of %j has changed, u takes back at once: %j", (text, keys, expected) => {
  expect(after(text, keys).replace("|", "").replace(" (writing)", "")).toBe(expected);
});

test.each([
  ["a command that is not whole", "2d", "|one two 2d"],
  ["Escape ends it", ["3", "d", ESCAPE, "w"], "one |two"],
  ["a motion that does not exist", "dqx", "|ne two"],
  ["a letter that does nothing", "qzéß", "|one two"],
  ["names of every object", ["d", "_", "_"], "|one two"],
  ["what is pasted is text, and nothing waits for the rest", ["d", "\x1b[200~dd w\x1b[201~", "w"], "dd wone |two"],
])("%s", (_, keys, expected) => {
  expect(after("|one two", keys)).toBe(expected);
});

test("a prompt that was sent is followed by one that is written, a line that was deleted is not", () => {
  expect(after("on|e", ["\r", "d", "d"])).toBe("dd| (writing)");
  expect(after("on|e", ["d", "d", "u"])).toContain("one");
  expect(after("on|e", ["d", "d", "i", "i"])).toBe("i| (writing)");
});
